/* SPDX-License-Identifier: GPL-2.0-only */
/* Syncing beside the server; see syncer.h. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/calls.h"
#include "confine/wanted.h"
#include "server/syncer.h"

static const struct call_rule calls[] = {
	{ .number = SYS_read },
	{ .number = SYS_write },
	{ .number = SYS_syncfs },
	{ .number = SYS_exit_group },
	{ .number = SYS_restart_syscall },
};

/* Until the server closes its end; signals are for the server, which may still
 * have something to acknowledge. */
static _Noreturn void work(int fd, int directory)
{
	char word;

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	if (confine_is_wanted() && calls_can_restrict())
		calls_restrict(calls, sizeof(calls) / sizeof(*calls));
	while (read(fd, &word, 1) == 1) {
		int32_t err = syncfs(directory) ? -errno : 0;

		if (write(fd, &err, sizeof(err)) != sizeof(err))
			break;
	}
	_exit(0);
}

int syncer_open(struct syncer *s, int directory)
{
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		work(fds[1], directory);
	}
	close(fds[1]);
	if (pid < 0) {
		int err = -errno;

		close(fds[0]);
		return err;
	}
	*s = (struct syncer){ .fd = fds[0] };
	return 0;
}

int syncer_begin(struct syncer *s)
{
	static const char word;

	if (send(s->fd, &word, 1, MSG_NOSIGNAL) != 1)
		return -errno;
	s->busy = true;
	return 0;
}

int syncer_end(struct syncer *s)
{
	int32_t err;

	s->busy = false;
	if (recv(s->fd, &err, sizeof(err), 0) != sizeof(err))
		return -EPIPE;
	return err;
}

void syncer_close(struct syncer *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
