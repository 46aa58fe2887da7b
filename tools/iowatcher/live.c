/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracing for a picture; see live.h. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/msg.h"
#include "base/time.h"
#include "blktrace.h"
#include "capture/doctor.h"
#include "capture/reporter.h"
#include "capture/session.h"
#include "capture/sink.h"
#include "capture/to/sink_file.h"
#include "tools/iowatcher/live.h"
#include "tools/iowatcher/program.h"

/* --- cpu sampler ---------------------------------------------------------- */

enum { TIME_MAX = 32 };

/* --- /proc/stat ----------------------------------------------------------- */

bool cpu_counts_parse(struct cpu_counts *c, const char *text)
{
	char *rest;
	int i = 0;

	*c = (struct cpu_counts){ .cpu = -1 };
	if (strncmp(text, "cpu", 3))
		return false;
	text += 3;
	if (*text != ' ') {
		c->cpu = (int)strtoul(text, &rest, 10);
		if (rest == text || *rest != ' ')
			return false;
		text = rest;
	}
	for (; i < CPU_COUNTERS; i++) {
		c->n[i] = strtoull(text, &rest, 10);
		if (rest == text)
			break;
		text = rest;
	}
	return i > CPU_COUNTS_IDLE;
}

/* The lines of now, the caller's to free; -errno. */
static int read_counts(struct cpu_counts **list, size_t *count)
{
	FILE *f = fopen("/proc/stat", "re");
	char *line = NULL;
	size_t size = 0, room = 0;
	struct cpu_counts c;
	int err = 0;

	*list = NULL;
	*count = 0;
	if (!f)
		return -errno;
	while (!err && getline(&line, &size, f) >= 0 &&
	       cpu_counts_parse(&c, line)) {
		struct cpu_counts *more = array_reserve(*list, *count, &room,
							16, sizeof(*more));

		err = more ? 0 : -ENOMEM;
		if (more) {
			*list = more;
			more[(*count)++] = c;
		}
	}
	free(line);
	fclose(f);
	return err;
}

/* --- text ----------------------------------------------------------------- */

/* as mpstat has it: eleven columns */
static void time_text(char text[TIME_MAX])
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, TIME_MAX, "%I:%M:%S %p", &tm);
}

static int print_head(FILE *out)
{
	struct utsname u;
	time_t now = time(NULL);
	char date[TIME_MAX];
	struct tm tm;

	if (uname(&u))
		return -errno;
	localtime_r(&now, &tm);
	strftime(date, sizeof(date), "%m/%d/%Y", &tm);
	fprintf(out, "Linux %s (%s) \t%s \t_%s_\t(%ld CPU)\n", u.release,
		u.nodename, date, u.machine, sysconf(_SC_NPROCESSORS_ONLN));
	return 0;
}

/* What counts in user and nice already is not in them again. */
static void separate(uint64_t n[CPU_COUNTERS])
{
	static const struct {
		enum cpu_counter whole, part;
	} within[] = {
		{ CPU_COUNTS_USER, CPU_COUNTS_GUEST },
		{ CPU_COUNTS_NICE, CPU_COUNTS_GUEST_NICE },
	};

	for (size_t i = 0; i < sizeof(within) / sizeof(*within); i++) {
		uint64_t *whole = &n[within[i].whole];
		uint64_t part = n[within[i].part];

		*whole -= part < *whole ? part : *whole;
	}
}

/* in the order of mpstat's columns */
static void print_row(FILE *out, const char *time, const struct cpu_counts *now,
		      const struct cpu_counts *before)
{
	static const enum cpu_counter columns[] = {
		CPU_COUNTS_USER, CPU_COUNTS_NICE, CPU_COUNTS_SYSTEM,
		CPU_COUNTS_IOWAIT, CPU_COUNTS_IRQ, CPU_COUNTS_SOFTIRQ,
		CPU_COUNTS_STEAL, CPU_COUNTS_GUEST, CPU_COUNTS_GUEST_NICE,
		CPU_COUNTS_IDLE,
	};
	uint64_t n[CPU_COUNTERS], sum = 0;

	for (int i = 0; i < CPU_COUNTERS; i++)
		n[i] = now->n[i] > before->n[i] ? now->n[i] - before->n[i] : 0;
	separate(n);
	for (int i = 0; i < CPU_COUNTERS; i++)
		sum += n[i];
	if (now->cpu < 0)
		fprintf(out, "%-11s  all", time);
	else
		fprintf(out, "%-11s %4d", time, now->cpu);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		fprintf(out, " %7.2f",
			sum ? 100.0 * (double)n[columns[i]] / (double)sum : 0);
	fputc('\n', out);
}

/* --- samples -------------------------------------------------------------- */

static const struct cpu_counts *find(const struct cpu_sampler *s, int cpu)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->last[i].cpu == cpu)
			return &s->last[i];
	return NULL;
}

static int flush(FILE *out)
{
	return fflush(out) || ferror(out) ? -EIO : 0;
}

int cpu_sampler_init(struct cpu_sampler *s, FILE *out)
{
	int err;

	*s = (struct cpu_sampler){ .out = out };
	err = read_counts(&s->last, &s->count);
	if (!err)
		err = print_head(out);
	return err ? err : flush(out);
}

int cpu_sampler_next(struct cpu_sampler *s)
{
	struct cpu_counts *now;
	char time[TIME_MAX];
	size_t count;
	int err = read_counts(&now, &count);

	if (err) {
		free(now);
		return err;
	}
	time_text(time);
	fprintf(s->out, "\n%-11s  CPU    %%usr   %%nice    %%sys %%iowait"
		"    %%irq   %%soft  %%steal  %%guest  %%gnice   %%idle\n", time);
	for (size_t i = 0; i < count; i++) {
		const struct cpu_counts *before = find(s, now[i].cpu);

		if (before)
			print_row(s->out, time, &now[i], before);
	}
	free(s->last);
	s->last = now;
	s->count = count;
	return flush(s->out);
}

void cpu_sampler_free(struct cpu_sampler *s)
{
	free(s->last);
	*s = (struct cpu_sampler){ .count = 0 };
}

/* --- live ----------------------------------------------------------------- */

/* 1.3.0: blktrace -b 8192 -a queue -a complete -a issue -a notify */
enum {
	BUFFER_BYTES = 8192 << 10, BUFFERS = 4,
	MASK = BLK_TC_BIT(BLK_TC_QUEUE) | BLK_TC_BIT(BLK_TC_COMPLETE) |
	       BLK_TC_BIT(BLK_TC_ISSUE) | BLK_TC_BIT(BLK_TC_NOTIFY),
};

enum { SAMPLE_MS = 1000 };

struct live {
	const struct live_plan *plan;
	struct session *session;
	struct sink *sink;
	FILE *cpus;
	struct cpu_sampler sampler;
	bool sampled;		/* at least once */
	struct program program;
};

/* Called by all threads: msg_warn() writes a line as a whole. */
static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { .line = print_line };

/* --- setting up ----------------------------------------------------------- */

static int open_files(struct live *l)
{
	const struct sink_file_options fo = {
		.directory = l->plan->directory,
		.base = l->plan->base,
		.reporter = &reporter,
	};
	char text[DOCTOR_TEXT];

	if (doctor_output(text, fo.directory, fo.base)) {
		msg_warn("%s", text);
		return -EACCES;
	}
	for (unsigned int i = 0; i < l->plan->count; i++)
		if (doctor_feedback(text, fo.directory, fo.base,
				    l->plan->devices[i]))
			msg_warn("%s", text);
	return sink_file_new(&l->sink, &fo);
}

static int open_cpus(struct live *l)
{
	int err;

	l->cpus = fopen(l->plan->cpu_path, "we");
	err = l->cpus ? cpu_sampler_init(&l->sampler, l->cpus) : -errno;
	if (err) {
		errno = -err;
		msg_warn("cannot write %s:", l->plan->cpu_path);
	}
	return err;
}

static int set_up(struct live *l)
{
	const struct via_plan plan = {
		.devices = l->plan->devices,
		.count = l->plan->count,
		.debugfs = "/sys/kernel/debug",
		.setup = { .mask = MASK, .buf_size = BUFFER_BYTES,
			   .buf_nr = BUFFERS },
	};
	int err = session_new(&l->session, &reporter);

	if (err)
		msg_warn("out of memory");
	if (!err)
		err = session_set_up(l->session, &plan, VIA_AUTO);
	if (!err)
		err = open_files(l);
	if (!err)
		err = session_open(l->session, l->sink, SESSION_IDLE_FILES);
	if (!err)
		err = open_cpus(l);
	return err;
}

/* --- while it is traced --------------------------------------------------- */

/* That a sample could not be written is reported once, and no reason to end. */
static void take_sample(struct live *l)
{
	int err;

	if (!l->cpus)
		return;
	err = cpu_sampler_next(&l->sampler);
	l->sampled = true;
	if (!err)
		return;
	errno = -err;
	msg_warn("cannot write %s:", l->plan->cpu_path);
	fclose(l->cpus);
	l->cpus = NULL;
}

/* Sleeps until a signal, a thread that has ended, or so many ms have passed.
 * Whether it was a thread. */
static bool sleep_for(const struct live *l, int64_t ms, const sigset_t *mask)
{
	struct timespec limit = { ms / 1000, ms % 1000 * 1000000L };
	struct pollfd fd = { .fd = session_gone_fd(l->session),
			     .events = POLLIN };

	return ppoll(&fd, 1, &limit, mask) > 0;
}

static void watch(struct live *l, const sigset_t *mask)
{
	int64_t due = time_now_ms() + SAMPLE_MS;

	while (!*l->plan->stop &&
	       !(l->plan->program && program_ended(&l->program))) {
		int64_t left = due - time_now_ms();

		if (left > 0 && sleep_for(l, left, mask))
			return;
		if (time_now_ms() < due)
			continue;
		take_sample(l);
		due += SAMPLE_MS;
	}
}

/* Signals come in while we sleep and at no other time: none is missed. */
static void wait_for_end(struct live *l)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t block, old;

	sigemptyset(&block);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaddset(&block, ends[i]);
	sigprocmask(SIG_BLOCK, &block, &old);
	watch(l, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (*l->plan->stop)
		msg_warn("Received signal %d. Terminating tracers.",
			 (int)*l->plan->stop);
}

static int begin(struct live *l)
{
	if (l->plan->program)
		return program_start(&l->program, l->plan->program);
	msg_warn("Tracing until interrupted...");
	return 0;
}

static int trace(struct live *l)
{
	int err = session_start(l->session), failed;

	if (!err)
		err = begin(l);
	if (!err)
		wait_for_end(l);
	/* of what took less than a second there is one sample */
	if (!err && !l->sampled)
		take_sample(l);
	failed = session_stop(l->session);
	program_end(&l->program, *l->plan->stop);
	return err ? err : failed;
}

int live_run(const struct live_plan *plan)
{
	struct live l = { .plan = plan };
	int err = set_up(&l);

	if (!err)
		err = trace(&l);
	session_free(l.session);
	if (l.sink)
		l.sink->ops->free(l.sink);
	if (l.cpus)
		fclose(l.cpus);
	cpu_sampler_free(&l.sampler);
	return err;
}
