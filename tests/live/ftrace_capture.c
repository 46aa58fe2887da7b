/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A capture by tracefs with nothing around it, for tests/live/ftrace.t.
 *
 *	ftrace_capture [-b KIB] [-m MASK] [-l] DIR DEVICE...
 *	ftrace_capture -k DIR DEVICE...
 *
 * Says "ready" when tracing has begun, captures until its standard input ends
 * into DIR/NAME.blktrace.CPU, then says what was lost and how often it woke.
 * -l: reads nothing before the end.  -k: cleans up after one that was killed.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/msg.h"
#include "blktrace.h"
#include "capture/from/ftrace.h"
#include "capture/from/ftrace_cpu.h"
#include "capture/tap.h"

enum { CPUS_MAX = 64, DEVICES_MAX = 8, IDLE_MS = 1000 };

struct options {
	size_t kib;
	uint32_t mask;
	int lazy, kill;
	const char *dir;
	char **names;
	unsigned int count;
	uint32_t devices[DEVICES_MAX];
};

struct capture {
	const struct options *o;
	struct ftrace *ftrace;
	struct tap *taps[CPUS_MAX];
	FILE *files[CPUS_MAX][DEVICES_MAX];
	unsigned int cpus;
	unsigned int cpu;	/* whose tap is being drained */
	unsigned int wakeups;
};

static void parse(struct options *o, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "b:m:lk")) != -1) {
		if (c == 'b')
			o->kib = strtoul(optarg, NULL, 10);
		else if (c == 'm')
			o->mask = (uint32_t)strtoul(optarg, NULL, 16);
		else if (c == 'l')
			o->lazy = 1;
		else if (c == 'k')
			o->kill = 1;
		else
			exit(1);
	}
	if (argc - optind < 2 || argc - optind > DEVICES_MAX + 1)
		msg_die("usage: ftrace_capture [options] DIR DEVICE...");
	o->dir = argv[optind];
	o->names = argv + optind + 1;
	o->count = (unsigned int)(argc - optind - 1);
}

static void find_devices(struct options *o)
{
	struct stat st;

	for (unsigned int i = 0; i < o->count; i++) {
		if (stat(o->names[i], &st) || !S_ISBLK(st.st_mode))
			msg_die("%s: no block device", o->names[i]);
		o->devices[i] = BLK_DEVICE(major(st.st_rdev),
					   minor(st.st_rdev));
	}
}

static struct ftrace_plan plan_of(const struct options *o,
				  char path[FTRACE_PATH])
{
	if (ftrace_find(path))
		msg_die("no tracefs");
	return (struct ftrace_plan){ .tracefs = path, .devices = o->devices,
				     .count = o->count, .mask = o->mask,
				     .buffer = o->kib * 1024 };
}

static FILE *file_new(const struct options *o, unsigned int device,
		      unsigned int cpu)
{
	const char *slash = strrchr(o->names[device], '/');
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.blktrace.%u", o->dir,
		 slash ? slash + 1 : o->names[device], cpu);
	f = fopen(path, "w");
	if (!f)
		msg_die("%s:", path);
	return f;
}

static int keep(void *ctx, unsigned int device, const void *records,
		size_t len, const struct tap_sums *sums)
{
	struct capture *c = ctx;

	(void)sums;
	if (fwrite(records, 1, len, c->files[c->cpu][device]) != len)
		return -EIO;
	return 0;
}

/* everything that waits on any CPU */
static int drain(struct capture *c)
{
	int got, any = 0;

	for (c->cpu = 0; c->cpu < c->cpus; c->cpu++) {
		got = c->taps[c->cpu]->ops->drain(c->taps[c->cpu], keep, c);
		if (got < 0)
			return got;
		any |= got;
	}
	return any;
}

static int open_all(struct capture *c)
{
	int err = 0;

	while (c->cpus < (unsigned int)sysconf(_SC_NPROCESSORS_ONLN)) {
		err = c->cpus == CPUS_MAX ? -E2BIG :
		      ftrace_cpu_open(&c->taps[c->cpus], c->ftrace, c->cpus,
				      c->cpus == 0);
		if (err)
			break;
		for (unsigned int i = 0; i < c->o->count; i++)
			c->files[c->cpus][i] = file_new(c->o, i, c->cpus);
		c->cpus++;
	}
	return err;
}

static void close_all(struct capture *c)
{
	for (unsigned int i = 0; i < c->cpus; i++) {
		c->taps[i]->ops->close(c->taps[i]);
		for (unsigned int d = 0; d < c->o->count; d++)
			if (fclose(c->files[i][d]))
				msg_die("cannot write:");
	}
}

/* Sleeps and drains until standard input ends. */
static int run(struct capture *c)
{
	struct pollfd fds[CPUS_MAX + 1] = { { .events = POLLIN } };
	unsigned int n = 1;
	int got = 0;

	for (unsigned int i = 0; i < c->cpus && !c->o->lazy; i++)
		n += c->taps[i]->ops->fds(c->taps[i], fds + n, 1);
	while (!fds[0].revents && got >= 0) {
		poll(fds, n, IDLE_MS);
		c->wakeups++;
		if (!c->o->lazy)
			got = drain(c);
	}
	return got < 0 ? got : 0;
}

static int capture(struct capture *c)
{
	int err = open_all(c);

	if (!err)
		err = ftrace_start(c->ftrace);
	if (!err) {
		puts("ready");
		fflush(stdout);
		err = run(c);
	}
	if (!err)
		err = ftrace_stop(c->ftrace);
	while (!err && (err = drain(c)) > 0)
		err = 0;
	return err;
}

static void report(const struct capture *c)
{
	for (unsigned int i = 0; i < c->o->count; i++)
		printf("lost %llu\n",
		       (unsigned long long)ftrace_lost(c->ftrace, i));
	for (unsigned int i = 0; i < c->cpus; i++)
		printf("overrun %llu\n",
		       (unsigned long long)ftrace_overrun(c->ftrace, i));
	printf("skipped %llu\nwakeups %u\n",
	       (unsigned long long)ftrace_skipped(c->ftrace), c->wakeups);
}

int main(int argc, char **argv)
{
	struct options o = { .kib = 2048 };
	struct capture c = { .o = &o };
	char why[FTRACE_WHY], path[FTRACE_PATH];
	struct ftrace_plan plan;
	int err;

	parse(&o, argc, argv);
	find_devices(&o);
	plan = plan_of(&o, path);
	if (o.kill) {
		if (ftrace_kill(&plan, why))
			msg_die("%s", why);
		return 0;
	}
	if (ftrace_new(&c.ftrace, &plan, why))
		msg_die("%s", why);
	err = capture(&c);
	close_all(&c);
	report(&c);
	if (ftrace_free(c.ftrace, why))
		msg_die("%s", why);
	if (err)
		msg_die("capture: %s", strerror(-err));
	return 0;
}
