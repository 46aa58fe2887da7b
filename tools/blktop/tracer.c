/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace, started for devices; see tracer.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/sysfs.h"
#include "base/time.h"
#include "tools/blktop/tracer.h"

/* words of the command beside the devices, with the final NULL */
enum { WORDS = 16 };

/* not so dm, md and zram, which have no issues */
static bool makes_requests(const char *device)
{
	char disk[SYSFS_PATH], parent[SYSFS_PATH];
	struct stat st;

	if (stat(device, &st) || !S_ISBLK(st.st_mode))
		return true;
	sysfs_path(disk, st.st_rdev, "mq");
	sysfs_path(parent, st.st_rdev, "../mq");	/* of a partition */
	return !access(disk, F_OK) || !access(parent, F_OK);
}

static bool all_make_requests(const char *const *devices, int count)
{
	for (int i = 0; i < count; i++)
		if (!makes_requests(devices[i]))
			return false;
	return true;
}

/* the command line, to be freed by the caller; NULL: no memory */
static const char **command(const char *const *devices, int count, bool all,
			    bool cgroups)
{
	static const char *const first[] = { "blktrace", "-o", "-" };
	static const char *const few[] = { "-a", "issue", "-a", "complete" };
	bool queue = !all && !all_make_requests(devices, count);
	const char **words = calloc((size_t)count + WORDS, sizeof(*words));
	size_t n = 0;

	if (!words)
		return NULL;
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		words[n++] = first[i];
	for (size_t i = 0; !all && i < sizeof(few) / sizeof(*few); i++)
		words[n++] = few[i];
	if (queue) {
		words[n++] = "-a";
		words[n++] = "queue";
	}
	if (cgroups)
		words[n++] = "--cgroup";
	words[n++] = "--";
	for (int i = 0; i < count; i++)
		words[n++] = devices[i];
	return words;
}

/* The child: out of reach of the terminal's signals, as tracer_stop() ends it;
 * dies with us. */
static void run(const char **words, int out, pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGINT);
	if (getppid() != parent)
		_exit(1);
	dup2(out, STDOUT_FILENO);
	/* execvp() lacks a const, but changes nothing */
	execvp(words[0], (char **)(uintptr_t)words);
	msg_warn("%s:", words[0]);
	_exit(1);
}

int tracer_start(struct tracer *t, const char *const *devices, int count,
		 bool all, bool cgroups)
{
	const char **words = command(devices, count, all, cgroups);
	pid_t parent = getpid();
	int ends[2], err = 0;

	*t = (struct tracer){ .pid = 0 };
	if (!words)
		return -ENOMEM;
	if (pipe2(ends, O_CLOEXEC)) {
		err = -errno;
		free(words);
		return err;
	}
	t->pid = fork();
	if (!t->pid)
		run(words, ends[1], parent);
	if (t->pid < 0 || dup2(ends[0], STDIN_FILENO) < 0)
		err = -errno;
	close(ends[0]);
	close(ends[1]);
	free(words);
	return err;
}

/* blktrace could not exit with a full pipe */
static void drain(void)
{
	char bytes[65536];
	ssize_t n;

	do
		n = read(STDIN_FILENO, bytes, sizeof(bytes));
	while (n > 0 || (n < 0 && errno == EINTR));
}

/* Keeps descriptor 0 in use, so that no other file gets it. */
static void forget_input(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		close(null);
	}
}

bool tracer_stop(struct tracer *t)
{
	int status = 0;
	pid_t got;

	if (t->pid <= 0)
		return true;
	kill(t->pid, SIGINT);
	drain();
	forget_input();
	do
		got = waitpid(t->pid, &status, 0);
	while (got < 0 && errno == EINTR);
	t->pid = 0;
	return got > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool cpu_of(clockid_t clock, uint64_t *ns)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		return false;
	*ns = time_of_timespec(&ts);
	return true;
}

uint64_t tracer_cpu(struct tracer *t)
{
	uint64_t own = 0;
	clockid_t clock;

	cpu_of(CLOCK_PROCESS_CPUTIME_ID, &own);
	/* after its end, its last value stays */
	if (t->pid > 0 && !clock_getcpuclockid(t->pid, &clock))
		cpu_of(clock, &t->cpu);
	return own + t->cpu;
}
