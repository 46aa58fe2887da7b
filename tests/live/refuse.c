/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a command for which the kernel refuses an ioctl, a bpf command, or
 * Landlock's rules: a stand-in for a kernel that is older, or was built without.
 *
 *	refuse ERRNO ioctl|bpf|landlock REQUEST[,REQUEST...] COMMAND [ARGUMENT ...]
 *
 * Numbers are as strtoul(3) takes them.  The filter stays with the command and
 * all that it starts.
 */
#include <endian.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	REQUESTS_MAX = 8,
	FIRST_AT = offsetof(struct seccomp_data, args),
	ARGUMENT = sizeof(uint64_t),
	/* of a request's 64 bits the lower half */
	LOWER = BYTE_ORDER == BIG_ENDIAN ? sizeof(uint32_t) : 0,
};

/* which argument of a call is the request */
static const struct call {
	const char *name;
	unsigned int number, request_at;
} calls[] = {
	{ "ioctl", SYS_ioctl, FIRST_AT + ARGUMENT + LOWER },
	{ "bpf", SYS_bpf, FIRST_AT + LOWER },
	/* landlock_create_ruleset(2), by its flags; headers may be older */
	{ "landlock", 444, FIRST_AT + 2 * ARGUMENT + LOWER },
};

static const struct call *call_of(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	return NULL;
}

/* The filter's length, or 0 when there are too many requests. */
static unsigned short build(struct sock_filter *f, const struct call *call,
			    uint32_t refusal, const char *requests)
{
	unsigned short n = 0;

	f[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
					      call->number, 1, 0);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
					      SECCOMP_RET_ALLOW);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					      call->request_at);
	for (int i = 0; *requests; i++) {
		char *end;
		uint32_t request = (uint32_t)strtoul(requests, &end, 0);

		if (i == REQUESTS_MAX || end == requests)
			return 0;
		f[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, request, 0, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						      refusal);
		requests = end + (*end == ',');
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
					      SECCOMP_RET_ALLOW);
	return n;
}

int main(int argc, char **argv)
{
	struct sock_filter code[5 + 2 * REQUESTS_MAX];
	struct sock_fprog filter = { .filter = code };
	const struct call *call = argc < 5 ? NULL : call_of(argv[2]);

	if (!call)
		return 2;
	filter.len = build(code, call, SECCOMP_RET_ERRNO |
			   (uint32_t)strtoul(argv[1], NULL, 0), argv[3]);
	if (!filter.len || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
		perror("refuse");
		return 2;
	}
	execvp(argv[4], argv + 4);
	perror(argv[4]);
	return 127;
}
