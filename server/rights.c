/* SPDX-License-Identifier: GPL-2.0-only */
/* What the server gives up; see rights.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/net.h>
#include <net/if.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/calls.h"
#include "confine/places.h"
#include "confine/user.h"
#include "confine/wanted.h"
#include "server/rights.h"
#include "server/store.h"
#include "server/tokens.h"
#include "transport/psk.h"

/* All calls of the server's loop and of its end, by any machine's C library. */
static const struct call_rule calls[] = {
	/* waiting */
	{ .number = SYS_epoll_pwait },
	{ .number = SYS_epoll_ctl },
	{ .number = SYS_ppoll },
#ifdef SYS_poll
	{ .number = SYS_poll },
#endif
	/* connections; messages: for TLS */
	{ .number = SYS_accept4 },
	{ .number = SYS_recvfrom },
	{ .number = SYS_sendto },
	{ .number = SYS_recvmsg },
	{ .number = SYS_sendmsg },
	{ .number = SYS_setsockopt },
	{ .number = SYS_getsockopt },
	{ .number = SYS_getsockname },
	{ .number = SYS_getpeername },
	{ .number = SYS_shutdown },
#ifdef SYS_socketcall
	/*
	 * A C library for old kernels makes these by one call.  It hides the
	 * arguments of socket(2), which is refused, so link-local addresses
	 * have their interface's number.
	 */
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_ACCEPT4 },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_RECV },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_RECVFROM },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_SEND },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_SENDTO },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_RECVMSG },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_SENDMSG },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_SETSOCKOPT },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_GETSOCKOPT },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_GETSOCKNAME },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_GETPEERNAME },
	{ .number = SYS_socketcall, .argument = 1, .value = SYS_SHUTDOWN },
#endif
	/* if_indextoname(3): the interface of a link-local address */
	{ .number = SYS_socket, .argument = 1, .value = AF_UNIX },
	{ .number = SYS_ioctl, .argument = 2, .value = SIOCGIFNAME },
	/* files */
	{ .number = SYS_read },
	{ .number = SYS_pread64 },
	{ .number = SYS_write },
	{ .number = SYS_writev },
	{ .number = SYS_close },
	{ .number = SYS_openat },
	{ .number = SYS_mkdirat },
	{ .number = SYS_unlinkat },
	{ .number = SYS_getdents64 },
	{ .number = SYS_ftruncate },
	{ .number = SYS_lseek },
	{ .number = SYS_fstat },
#ifdef SYS_newfstatat
	{ .number = SYS_newfstatat },
#endif
#ifdef SYS_fstatat64
	{ .number = SYS_fstatat64 },
#endif
#ifdef SYS_fstat64
	{ .number = SYS_fstat64 },
	{ .number = SYS_ftruncate64 },
	{ .number = SYS_fstatfs64 },
	{ .number = SYS__llseek },
#endif
	{ .number = SYS_statx },
	{ .number = SYS_fstatfs },
	{ .number = SYS_flock },
	{ .number = SYS_fcntl },
#ifdef SYS_fcntl64
	{ .number = SYS_fcntl64 },
#endif
	/* memory */
	{ .number = SYS_brk },
#ifdef SYS_mmap
	{ .number = SYS_mmap },
#endif
#ifdef SYS_mmap2
	{ .number = SYS_mmap2 },
#endif
	{ .number = SYS_munmap },
	{ .number = SYS_mremap },
	{ .number = SYS_madvise },
	{ .number = SYS_getrandom },
	/* clocks, without a vDSO */
	{ .number = SYS_clock_gettime },
	{ .number = SYS_gettimeofday },
#ifdef SYS_time
	{ .number = SYS_time },
#endif
#ifdef SYS_clock_gettime64
	{ .number = SYS_clock_gettime64 },
	{ .number = SYS_ppoll_time64 },
	{ .number = SYS_futex_time64 },
#endif
	/* signals, and the end, also by abort(3) */
	{ .number = SYS_rt_sigaction },
	{ .number = SYS_rt_sigprocmask },
	{ .number = SYS_rt_sigreturn },
#ifdef SYS_sigreturn
	{ .number = SYS_sigreturn },
#endif
	{ .number = SYS_restart_syscall },
	{ .number = SYS_futex },
	{ .number = SYS_getpid },
	{ .number = SYS_gettid },
	{ .number = SYS_tgkill },
	{ .number = SYS_exit },
	{ .number = SYS_exit_group },
};

__attribute__((format(printf, 2, 3)))
static int fail(char why[RIGHTS_WHY], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, RIGHTS_WHY, fmt, ap);
	va_end(ap);
	return -1;
}

/* The user must be able to write to the directory. */
static int become(const struct rights *r, const char *name, char *why)
{
	int dir = store_directory(r->store), err;
	struct user u;

	err = user_find(&u, name);
	if (err)
		return fail(why, "user %s: %s", name, err == -ENOENT ?
			    "no such user" : strerror(-err));
	if ((store_is_new(r->store) && fchown(dir, u.uid, u.gid)) ||
	    (!geteuid() &&
	     fchown(tokens_directory(r->tokens), u.uid, u.gid)))
		return fail(why, "cannot give the directory to %s: %s", name,
			    strerror(errno));
	err = user_become(&u);
	if (err)
		return fail(why, "cannot become %s: %s", name, strerror(-err));
	if (faccessat(dir, ".", W_OK | X_OK, AT_EACCESS))
		return fail(why, "%s cannot write to the directory: %s", name,
			    strerror(errno));
	return 0;
}

/* 0 also without Landlock.  Only a server that removes runs may remove files of
 * theirs. */
static int confine_files(const struct rights *r)
{
	struct places p;
	int err = places_open(&p, true);

	if (err == -ENOSYS || err == -EOPNOTSUPP)
		return 0;
	if (!err)
		err = places_allow_fd(&p, store_directory(r->store),
				      r->removes ? PLACE_KEEP : PLACE_STORE);
	if (!err)
		err = places_allow_fd(&p, tokens_directory(r->tokens),
				      PLACE_KEEP);
	if (!err)
		return places_enforce(&p);
	places_close(&p);
	return err;
}

/* 0 also without filters. */
static int confine_calls(void)
{
	if (!calls_can_restrict())
		return 0;
	return calls_restrict(calls, sizeof(calls) / sizeof(*calls));
}

int rights_give_up(const struct rights *r, const char *user,
		   char why[RIGHTS_WHY])
{
	int err;

	if (user && become(r, user, why))
		return -1;
	secret_guard();
	/* required by seccomp and Landlock without root */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!confine_is_wanted())
		return 0;
	err = confine_files(r);
	if (!err)
		err = confine_calls();
	if (err)
		return fail(why, "cannot give up rights: %s", strerror(-err));
	return 0;
}
