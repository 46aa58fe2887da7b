/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpu runs a command and tells what it cost: user and system seconds, wall
 * seconds, and peak resident memory in KiB, as one line on descriptor 3 (so
 * that the command's own output can go anywhere).  The figures are the
 * command's alone: a shell around it would count its other children too.
 * The command's exit status becomes ours.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPORT_FD = 3, CANNOT_RUN = 127 };

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int fail(const char *what)
{
	fprintf(stderr, "cpu: %s: %s\n", what, strerror(errno));
	return CANNOT_RUN;
}

int main(int argc, char **argv)
{
	struct rusage used;
	double start = now();
	int status;
	pid_t child;

	if (argc < 2 || fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC) < 0) {
		fputs("usage: cpu COMMAND [ARGUMENT ...] 3>REPORT\n", stderr);
		return CANNOT_RUN;
	}
	child = fork();
	if (child < 0)
		return fail("fork");
	if (child == 0) {
		execvp(argv[1], argv + 1);
		_exit(fail(argv[1]));
	}
	while (wait4(child, &status, 0, &used) < 0)
		if (errno != EINTR)
			return fail("wait4");
	dprintf(REPORT_FD, "%.6f %.6f %.6f %ld\n", seconds(used.ru_utime),
		seconds(used.ru_stime), now() - start, used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status);
}
