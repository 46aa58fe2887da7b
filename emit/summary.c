/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The summary; see summary.h.  The ' in conversions groups thousands, if the
 * locale does.
 */
#include <langinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/num.h"
#include "emit/summary.h"
#include "record/clock.h"
#include "run/device.h"
#include "run/names.h"
#include "stats.h"

/* --- blocks of counters -------------------------------------------------- */

enum { COLUMN = 32, NAME_CUT = 31, EVENTS_CUT = 47 };

/* the two halves of a line */
enum column { COUNT_AND_SIZE, COUNT_ONLY };

struct row {
	const char *read, *write;	/* labels, blanks up to the number */
	enum stats_kind kind;
	enum column column;
};

static const struct row rows[] = {
	{ " Reads Queued:    ", " Writes Queued:    ", STATS_QUEUED,
	  COUNT_AND_SIZE },
	{ " Read Dispatches: ", " Write Dispatches: ", STATS_ISSUED,
	  COUNT_AND_SIZE },
	{ " Reads Requeued:  ", " Writes Requeued:  ", STATS_REQUEUED,
	  COUNT_ONLY },
	{ " Reads Completed: ", " Writes Completed: ", STATS_COMPLETED,
	  COUNT_AND_SIZE },
	{ " Read Merges:     ", " Write Merges:     ", STATS_MERGED,
	  COUNT_AND_SIZE },
};

/* only where there are packet commands */
static const struct row pc_rows[] = {
	{ " PC Reads Queued: ", " PC Writes Queued: ", STATS_PC_QUEUED,
	  COUNT_AND_SIZE },
	{ " PC Read Disp.:   ", " PC Write Disp.:   ", STATS_PC_ISSUED,
	  COUNT_AND_SIZE },
	{ " PC Reads Req.:   ", " PC Writes Req.:   ", STATS_PC_REQUEUED,
	  COUNT_ONLY },
	{ " PC Reads Compl.: ", " PC Writes Compl.: ", STATS_PC_COMPLETED,
	  COUNT_ONLY },
};

static bool is_grouped(uint64_t n)
{
	return n >= 1000 && *nl_langinfo(THOUSEP);
}

/* "%'8llu", with a unit if n is large; units is "" or starts with n's.  A
 * thousand CPUs have 18,000 of them, so printf is for those that need it. */
static const char *scale(char text[COLUMN], uint64_t n, const char *units)
{
	while (n > 1000000 && units[0] && units[1]) {
		n /= 1000;
		units++;
	}
	if (*units == ' ')
		units = "";
	if (!is_grouped(n)) {
		char *p = num_u64_right(text, n, 8);

		p[0] = units[0];
		p[!!units[0]] = '\0';
	} else {
		snprintf(text, COLUMN, "%'8llu%.1s", (unsigned long long)n,
			 units);
	}
	return text;
}

static const char *count_text(char text[COLUMN], const struct counter *c)
{
	return scale(text, c->count, " KMGTP");
}

static int64_t kib_of(const struct counter *c)
{
	return c->kib + (c->rest >> 10);
}

/* Bytes taken back may have been counted elsewhere: never below 0. */
static const char *size_text(char text[COLUMN], const struct counter *c)
{
	int64_t kib = kib_of(c);

	return scale(text, kib < 0 ? 0 : (uint64_t)kib, "KMGTP");
}

static void put_text(struct buf *out, const char *text)
{
	buf_append(out, text, strlen(text));
}

/* One half of a row. */
static void put_half(struct buf *out, const char *label, enum column column,
		     const struct counter *c)
{
	char text[COLUMN];

	put_text(out, label);
	put_text(out, count_text(text, c));
	if (column == COUNT_ONLY)
		return;
	put_text(out, ", ");
	put_text(out, size_text(text, c));
	put_text(out, "iB");
}

static void put_row(struct buf *out, const struct row *row,
		    const struct counters *c)
{
	put_half(out, row->read, row->column, &c->io[row->kind][STATS_READ]);
	put_text(out, row->column == COUNT_ONLY ? "\t\t" : "\t");
	put_half(out, row->write, row->column, &c->io[row->kind][STATS_WRITE]);
	put_text(out, "\n");
}

/* "read: n   <tab> write: n", as depths, unplugs and waits have it */
static void put_pair(struct buf *out, const char *read, uint64_t r,
		     const char *write, uint64_t w)
{
	buf_printf(out, "%s%'8llu%8c\t%s%'8llu\n", read, (unsigned long long)r,
		   ' ', write, (unsigned long long)w);
}

static uint64_t both(const struct counters *c, enum stats_kind kind)
{
	return c->io[kind][STATS_READ].count + c->io[kind][STATS_WRITE].count;
}

static bool any_pc(const struct counters *c)
{
	for (int kind = STATS_PC_QUEUED; kind <= STATS_PC_COMPLETED; kind++)
		if (both(c, kind))
			return true;
	return false;
}

/* depth: maxima by direction, or NULL for a block without them */
static void put_block(struct buf *out, const struct counters *c,
		      const uint32_t *depth)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		put_row(out, &rows[i], c);
	if (depth)
		put_pair(out, " Read depth:      ", depth[STATS_READ],
			 " Write depth:      ", depth[STATS_WRITE]);
	if (any_pc(c))
		for (size_t i = 0; i < sizeof(pc_rows) / sizeof(*pc_rows); i++)
			put_row(out, &pc_rows[i], c);
	put_pair(out, " IO unplugs:      ", both(c, STATS_IO_UNPLUGS),
		 " Timer unplugs:    ", both(c, STATS_TIMER_UNPLUGS));
}

/* --- devices ------------------------------------------------------------- */

/* Prints a block per CPU with events; returns their number, and *total. */
static unsigned int put_cpus(struct buf *out, const struct stats *s,
			     const struct device *dev, struct counters *total)
{
	char name[NAME_CUT + 1];
	unsigned int shown = 0;

	device_text(dev, name, sizeof(name));
	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++) {
		const struct lane *lane = dev->lanes[cpu];
		const struct lane_stats *l = NULL;

		if (lane && lane->id < s->lane_count)
			l = s->lanes[lane->id];
		if (!l)
			continue;
		buf_printf(out, "CPU%u (%s):\n", cpu, name);
		put_block(out, &l->counters, l->device->depth_max);
		counters_add(total, &l->counters);
		shown++;
	}
	if (shown > 1) {
		buf_printf(out, "\nTotal (%s):\n", name);
		put_block(out, total, NULL);
	}
	return shown;
}

/* KiB per second.  1.3.0: bytes beyond whole KiB count as thousandths. */
static unsigned long long rate(const struct counter *c, uint64_t ms)
{
	int64_t thousandths = 1000 * c->kib + c->rest;

	return ms && thousandths > 0 ? (uint64_t)thousandths / ms : 0;
}

static void put_totals(struct buf *out, const struct device *dev,
		       const struct device_stats *d, const struct counters *sum)
{
	const struct counter *done = sum->io[STATS_COMPLETED];
	uint64_t ms = (d->last - d->first) / 1000000, holes, missing;
	char name[EVENTS_CUT + 1];
	double share = 0;

	device_text(dev, name, sizeof(name));
	device_skips(dev, &holes, &missing);
	if (d->events + missing)
		share = 100.0 * (double)missing / (double)(d->events + missing);
	buf_printf(out, "\nThroughput (R/W): %'lluKiB/s / %'lluKiB/s\n",
		   rate(&done[STATS_READ], ms), rate(&done[STATS_WRITE], ms));
	buf_printf(out, "Events (%s): %'llu entries\n", name,
		   (unsigned long long)d->events);
	buf_printf(out, "Skips: %'llu forward (%'llu - %5.1lf%%)\n",
		   (unsigned long long)holes, (unsigned long long)missing,
		   share);
}

/* Prints nothing for a device without events. */
static struct device_stats stats_of(const struct stats *s,
				    const struct device *dev)
{
	if (dev->id < s->device_count && s->devices[dev->id])
		return *s->devices[dev->id];
	return (struct device_stats){ 0 };
}

void summary_devices(struct buf *out, const struct stats *s,
		     const struct devices *devices)
{
	for (uint32_t i = 0; i < devices->count; i++) {
		const struct device *dev = devices->list[i];
		struct counters sum = { .io = { { { 0 } } } };
		struct device_stats d;

		if (i)
			buf_append(out, "\n", 1);
		put_cpus(out, s, dev, &sum);
		d = stats_of(s, dev);
		put_totals(out, dev, &d, &sum);
	}
}

/* --- processes ----------------------------------------------------------- */

struct sorted {
	const struct process_stats *p;
	const char *host;	/* NULL: there is one host */
	const char *name;
	uint32_t seen;		/* order of appearance */
	int64_t amount;		/* the sort key, unless by name */
};

/* the sum for each letter of -S; capitals KiB, lower case operations */
static const struct {
	char letter;
	bool read, write, size;
	enum stats_kind kind;
} sorts[] = {
	{ 'N', false, false, false, STATS_NONE },
	{ 'Q', true, true, true, STATS_QUEUED },
	{ 'q', true, true, false, STATS_QUEUED },
	{ 'R', true, false, true, STATS_QUEUED },
	{ 'r', true, false, false, STATS_QUEUED },
	{ 'W', false, true, true, STATS_QUEUED },
	{ 'w', false, true, false, STATS_QUEUED },
	{ 'C', true, true, true, STATS_COMPLETED },
	{ 'c', true, true, false, STATS_COMPLETED },
};

int summary_sort_known(char letter)
{
	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++)
		if (sorts[i].letter == letter)
			return 1;
	return 0;
}

static int64_t amount_of(const struct counters *c, char letter)
{
	int64_t sum = 0;

	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++) {
		const struct counter *io = c->io[sorts[i].kind];

		if (sorts[i].letter != letter)
			continue;
		for (int dir = STATS_READ; dir <= STATS_WRITE; dir++)
			if (dir == STATS_READ ? sorts[i].read : sorts[i].write)
				sum += sorts[i].size ? kib_of(&io[dir]) :
						       (int64_t)io[dir].count;
	}
	return sum;
}

static int by_name(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int order = strverscmp(x->name, y->name);

	if (order)
		return order;
	if (x->p->pid != y->p->pid)
		return x->p->pid < y->p->pid ? -1 : 1;
	return (x->p->origin > y->p->origin) - (x->p->origin < y->p->origin);
}

/* Equal ones are in reverse order of appearance. */
static int by_amount(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->amount != y->amount)
		return x->amount < y->amount ? -1 : 1;
	return x->seen > y->seen ? -1 : 1;
}

static void put_process(struct buf *out, const struct sorted *s)
{
	const struct waits *w = &s->p->waits;
	char shown[ESCAPE_MAX * NAME_SIZE];
	const char *name = s->name;

	if (out->terminal) {
		escape_text(shown, sizeof(shown), name, strlen(name));
		name = shown;
	}
	buf_printf(out, "%s%s%s (%u%s)\n", s->host ? s->host : "",
		   s->host ? "/" : "", name, s->p->pid,
		   s->p->several ? ", ..." : "");
	put_block(out, &s->p->counters, NULL);
	put_pair(out, " Allocation wait: ", w->allocation[STATS_READ] / 1000,
		 " Allocation wait:  ", w->allocation[STATS_WRITE] / 1000);
	put_pair(out, " Dispatch wait:   ", w->dispatch[STATS_READ] / 1000,
		 " Dispatch wait:    ", w->dispatch[STATS_WRITE] / 1000);
	put_pair(out, " Completion wait: ", w->completion[STATS_READ] / 1000,
		 " Completion wait:  ", w->completion[STATS_WRITE] / 1000);
}

void summary_processes(struct buf *out, const struct stats *s,
		       const struct names *names,
		       const struct devices *devices, char letter)
{
	struct sorted *list = calloc(s->process_count + 1, sizeof(*list));

	if (!list)
		return;
	for (uint32_t i = 0; i < s->process_count; i++) {
		const struct process_stats *p = s->process_list[i];
		const char *name = names_get(names, p->origin, p->pid);

		list[i] = (struct sorted){ p, devices_host(devices, p->origin),
					   name ? name : "unknown", i,
					   amount_of(&p->counters, letter) };
	}
	qsort(list, s->process_count, sizeof(*list),
	      letter == 'N' ? by_name : by_amount);
	for (uint32_t i = 0; i < s->process_count; i++)
		put_process(out, &list[i]);
	buf_append(out, "\n", 1);
	free(list);
}

/* --- start of the trace --------------------------------------------------- */

void summary_start(struct buf *out, const struct clock *c)
{
	char text[64];
	uint32_t nsec;
	int64_t sec;
	time_t t;

	clock_wall(c, 0, &sec, &nsec);
	t = (time_t)sec;
	if (!ctime_r(&t, text))
		strcpy(text, "?\n");
	buf_printf(out, "Trace started at %s\n", text);
}
