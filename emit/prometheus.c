/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters and histograms for Prometheus; see prometheus.h.  Of each metric
 *
 *	# HELP NAME WORDS
 *	# TYPE NAME counter|histogram
 *	NAME{disk="sda",op="read"} NUMBER
 *
 * A histogram has a line for each bucket, which counts latencies of at most le
 * seconds, and one for all; then their sum and number.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/hint.h"
#include "base/metric.h"
#include "base/num.h"
#include "base/time.h"
#include "base/wide.h"
#include "emit/named_io.h"
#include "emit/prometheus.h"
#include "expr/filter.h"
#include "request/io.h"
#include "run/device.h"

/* buckets end at powers of two ns: 16 us, 32 us, ... 137 s */
enum {
	FIRST_POWER = 14,
	LAST_POWER = 37,
	BUCKETS = LAST_POWER - FIRST_POWER + 1,
};

enum {
	NAME_SIZE = 256,		/* of a disk, with its NUL */
	NAME_GROWS = 2,			/* \" */
	NUMBER_ROOM = 64,		/* seconds of 128 bits, and le */
	LINE_ROOM = NAME_GROWS * NAME_SIZE + 2 * NUMBER_ROOM + 128,
};

struct times {
	uint64_t count;
	uint64_t buckets[BUCKETS];	/* longer latencies are in none */
	struct wide sum;			/* ns */
};

struct op_counts {
	uint64_t ios, bytes, errors, requests;
	struct times device, total;
};

/* a packet command is not a read, whatever its letters */
enum { PASSTHROUGH = IO_OPS, OPS };

struct disk {
	char name[NAME_SIZE];
	uint64_t open, oldest;	/* I/Os in flight; the highest age, ns */
	struct op_counts *ops[OPS];	/* NULL: none so far */
};

struct prometheus {
	struct disk **disks;	/* by name */
	uint32_t count;
	struct disk **by_id;	/* by their devices' numbers */
	uint32_t id_count;
	uint64_t dropped;
};

/* --- counting ------------------------------------------------------------- */

static void times_add(struct times *t, uint64_t ns)
{
	unsigned int bucket = 0;

	if (ns > UINT64_C(1) << FIRST_POWER)
		bucket = 64 - FIRST_POWER -
			 (unsigned int)__builtin_clzll(ns - 1);
	t->count++;
	wide_add(&t->sum, ns);
	if (LIKELY(bucket < BUCKETS))
		t->buckets[bucket]++;
}

static void count(struct op_counts *c, const struct io *io)
{
	if (filter_is_unit(false, io)) {
		c->ios++;
		c->bytes += io->bytes;
		c->errors += io->error != 0;
		times_add(&c->total, io->total);
	}
	if (!filter_is_request(io))
		return;
	c->requests++;
	if (io->has & 1u << IO_D2C)
		times_add(&c->device, io->phase[IO_D2C]);
}

/* --- disks ---------------------------------------------------------------- */

static int grow_ids(struct prometheus *p, uint32_t id)
{
	uint32_t size = id + 1 + id / 2;
	struct disk **by_id;

	if (id < p->id_count)
		return 0;
	by_id = realloc(p->by_id, size * sizeof(*by_id));
	if (!by_id)
		return -ENOMEM;
	memset(by_id + p->id_count, 0, (size - p->id_count) * sizeof(*by_id));
	p->by_id = by_id;
	p->id_count = size;
	return 0;
}

/* the index of a name, or where to insert it */
static uint32_t place_of(const struct prometheus *p, const char *name)
{
	uint32_t i = 0;

	while (i < p->count && strcmp(p->disks[i]->name, name) < 0)
		i++;
	return i;
}

static struct disk *insert(struct prometheus *p, uint32_t at, const char *name)
{
	struct disk **disks = realloc(p->disks, (p->count + 1) *
						sizeof(*disks));
	struct disk *d;

	if (!disks)
		return NULL;
	p->disks = disks;
	d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	strcpy(d->name, name);
	memmove(disks + at + 1, disks + at, (p->count - at) * sizeof(*disks));
	disks[at] = d;
	p->count++;
	return d;
}

static COLD struct disk *find_disk(struct prometheus *p,
				   const struct named_io *io)
{
	uint32_t id = io->io->disk->id, at;
	char name[NAME_SIZE];

	if (grow_ids(p, id))
		return NULL;
	name[utf8_clean(name, NAME_SIZE - 1, io->disk, strlen(io->disk))] = '\0';
	at = place_of(p, name);
	p->by_id[id] = at < p->count && !strcmp(p->disks[at]->name, name) ?
		       p->disks[at] : insert(p, at, name);
	return p->by_id[id];
}

static unsigned int op_of(const struct io *io)
{
	return io->kind == IO_PASS ? PASSTHROUGH : io->op;
}

/* NULL: no memory */
static inline struct disk *disk_of(struct prometheus *p,
				   const struct named_io *named)
{
	uint32_t id = named->io->disk->id;
	struct disk *d = LIKELY(id < p->id_count) ? p->by_id[id] : NULL;

	return LIKELY(d) ? d : find_disk(p, named);
}

void prometheus_none_open(struct prometheus *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		p->disks[i]->open = p->disks[i]->oldest = 0;
}

int prometheus_open(struct prometheus *p, const struct named_io *named,
		    uint64_t age)
{
	struct disk *d;

	if (!filter_is_unit(false, named->io))
		return 0;
	d = disk_of(p, named);
	if (!d)
		return -ENOMEM;
	d->open++;
	if (age > d->oldest)
		d->oldest = age;
	return 0;
}

int prometheus_io(struct prometheus *p, const struct named_io *named)
{
	const struct io *io = named->io;
	unsigned int op = op_of(io);
	struct disk *d;

	if (io->ended == IO_ENDED_OPEN)
		return prometheus_open(p, named, io->age);
	if (!io_completed(io))
		return 0;
	d = disk_of(p, named);
	if (UNLIKELY(d && !d->ops[op]))
		d->ops[op] = calloc(1, sizeof(**d->ops));
	if (UNLIKELY(!d || !d->ops[op]))
		return -ENOMEM;
	count(d->ops[op], io);
	return 0;
}

void prometheus_dropped(struct prometheus *p, uint64_t events)
{
	if (events > p->dropped)
		p->dropped = events;
}

/* --- text ----------------------------------------------------------------- */

static char *put(char *p, const char *text)
{
	size_t len = strlen(text);

	memcpy(p, text, len);
	return p + len;
}

/* A label's value: three bytes are escaped. */
static char *put_label(char *p, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' || *text == '"' || *text == '\n')
			*p++ = '\\';
		*p++ = *text == '\n' ? 'n' : *text;
	}
	return p;
}

/* an integer of 128 bits */
static char *put_wide(char *p, struct wide number)
{
	const uint64_t part = NS_PER_SECOND * NS_PER_SECOND;

	struct wide rest;

	if (wide_less(number, wide_of(part)))
		return num_u64(p, number.low);
	p = put_wide(p, wide_divide(number, wide_of(part), &rest));
	p = num_nine(p, (uint32_t)(rest.low / NS_PER_SECOND));
	return num_nine(p, (uint32_t)(rest.low % NS_PER_SECOND));
}

static char *put_seconds(char *p, struct wide ns)
{
	struct wide rest;

	p = put_wide(p, wide_divide(ns, wide_of(NS_PER_SECOND), &rest));
	*p++ = '.';
	return num_nine(p, (uint32_t)rest.low);
}

/* the labels of all its lines */
struct line {
	struct buf *b;
	const char *metric;
	const struct disk *disk;
	unsigned int op;
};

static const char *op_name(unsigned int op)
{
	return op == PASSTHROUGH ? "passthrough" : io_op_name(op);
}

static char *put_start(const struct line *at, const char *suffix, char *p)
{
	p = put(p, at->metric);
	p = put(p, suffix);
	p = put(p, "{disk=\"");
	p = put_label(p, at->disk->name);
	p = put(p, "\",op=\"");
	p = put(p, op_name(at->op));
	return put(p, "\"");
}

static void put_count(const struct line *at, const char *suffix, uint64_t n)
{
	char *p = buf_room(at->b, LINE_ROOM);

	if (!p)
		return;		/* the buffer has the error */
	p = num_u64(put(put_start(at, suffix, p), "} "), n);
	*p++ = '\n';
	buf_commit(at->b, p);
}

/* power 0: the line for all */
static void put_bucket(const struct line *at, unsigned int power, uint64_t n)
{
	char *p = buf_room(at->b, LINE_ROOM);

	if (!p)
		return;
	p = put(put_start(at, "_bucket", p), ",le=\"");
	p = power ? put_seconds(p, wide_of(UINT64_C(1) << power)) :
		    put(p, "+Inf");
	p = num_u64(put(p, "\"} "), n);
	*p++ = '\n';
	buf_commit(at->b, p);
}

static void put_sum(const struct line *at, const struct wide *sum)
{
	char *p = buf_room(at->b, LINE_ROOM);

	if (!p)
		return;
	p = put_seconds(put(put_start(at, "_sum", p), "} "), *sum);
	*p++ = '\n';
	buf_commit(at->b, p);
}

static void put_times(const struct line *at, const struct times *t)
{
	uint64_t sum = 0;

	if (!t->count)
		return;
	for (unsigned int i = 0; i < BUCKETS; i++) {
		sum += t->buckets[i];
		put_bucket(at, FIRST_POWER + i, sum);
	}
	put_bucket(at, 0, t->count);
	put_sum(at, &t->sum);
	put_count(at, "_count", t->count);
}

static void put_ios(const struct line *at, const struct op_counts *c)
{
	put_count(at, "", c->ios);
}

static void put_requests(const struct line *at, const struct op_counts *c)
{
	put_count(at, "", c->requests);
}

static void put_bytes(const struct line *at, const struct op_counts *c)
{
	put_count(at, "", c->bytes);
}

static void put_errors(const struct line *at, const struct op_counts *c)
{
	put_count(at, "", c->errors);
}

static void put_device(const struct line *at, const struct op_counts *c)
{
	put_times(at, &c->device);
}

static void put_total(const struct line *at, const struct op_counts *c)
{
	put_times(at, &c->total);
}

static const struct metric {
	const char *name, *type, *help;
	void (*put)(const struct line *at, const struct op_counts *c);
} metrics[] = {
	{ "blktrace_requests_total", "counter", "Requests completed.",
	  put_requests },
	{ "blktrace_ios_total", "counter", "I/Os completed.", put_ios },
	{ "blktrace_bytes_total", "counter", "Bytes of completed I/Os.",
	  put_bytes },
	{ "blktrace_errors_total", "counter", "I/Os that failed.",
	  put_errors },
	{ "blktrace_device_seconds", "histogram",
	  "Time from issue to completion.", put_device },
	{ "blktrace_total_seconds", "histogram",
	  "Time from queueing to completion.", put_total },
};

enum { METRICS = sizeof(metrics) / sizeof(*metrics) };

static void put_metric(const struct prometheus *p, struct buf *b,
		       const struct metric *m)
{
	struct line at = { .b = b, .metric = m->name };

	metric_head(b, m->name, m->type, m->help);
	for (uint32_t i = 0; i < p->count; i++) {
		at.disk = p->disks[i];
		for (at.op = 0; at.op < OPS; at.op++)
			if (at.disk->ops[at.op])
				m->put(&at, at.disk->ops[at.op]);
	}
}

/* --- in flight ------------------------------------------------------------ */

static void put_gauge(const struct prometheus *p, struct buf *b,
		      const char *name, const char *help, bool age)
{
	metric_head(b, name, "gauge", help);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct disk *d = p->disks[i];
		char *to = buf_room(b, LINE_ROOM);

		if (!to)
			return;
		to = put_label(put(put(to, name), "{disk=\""), d->name);
		to = put(to, "\"} ");
		to = age ? put_seconds(to, wide_of(d->oldest)) :
			   num_u64(to, d->open);
		*to++ = '\n';
		buf_commit(b, to);
	}
}

static void put_gauges(const struct prometheus *p, struct buf *b)
{
	put_gauge(p, b, "blktrace_in_flight", "I/Os in flight.", false);
	put_gauge(p, b, "blktrace_oldest_seconds",
		  "Age of the oldest I/O in flight.", true);
}

void prometheus_write(const struct prometheus *p, struct buf *b)
{
	static const char dropped[] = "blktrace_dropped_events_total";

	for (int i = 0; i < METRICS; i++)
		put_metric(p, b, &metrics[i]);
	put_gauges(p, b);
	metric_head(b, dropped, "counter", "Events the kernel dropped.");
	buf_printf(b, "%s %llu\n", dropped, (unsigned long long)p->dropped);
}

/* --- all metrics ---------------------------------------------------------- */

int prometheus_new(struct prometheus **p)
{
	*p = calloc(1, sizeof(**p));
	return *p ? 0 : -ENOMEM;
}

void prometheus_free(struct prometheus *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->count; i++) {
		for (int op = 0; op < OPS; op++)
			free(p->disks[i]->ops[op]);
		free(p->disks[i]);
	}
	free(p->disks);
	free(p->by_id);
	free(p);
}
