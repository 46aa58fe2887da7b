/* SPDX-License-Identifier: GPL-2.0-only */
/* What CPUs do; see cpu_sampler.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "tools/iowatcher/cpu_sampler.h"

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
