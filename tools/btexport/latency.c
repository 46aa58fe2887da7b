/* SPDX-License-Identifier: GPL-2.0-only */
/* The table latency; see latency.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/histogram.h"
#include "base/time.h"
#include "base/wide.h"
#include "expr/filter.h"
#include "request/io.h"
#include "run/device.h"
#include "stat/group_op.h"
#include "stat/measure.h"
#include "tools/btexport/latency.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/row_table.h"

#define MINUTE ((int64_t)(60 * NS_PER_SECOND))

/* as words, in the order of rows */
enum phase { D2C, Q2C, TOTAL, PHASES };

static const char *const phases[PHASES] = { "d2c", "q2c", "total" };

/* A key is, from the top: disk, op, class, phase, cell. */
enum { CELL_BITS = 13, PHASE_BITS = 2, CLASS_BITS = 8, OP_BITS = 4 };

_Static_assert(HISTOGRAM_CELLS <= 1 << CELL_BITS, "cells do not fit");
_Static_assert((int)NAMING_CLASSES <= 1 << CLASS_BITS, "classes do not fit");
_Static_assert((int)GROUP_OPS <= 1 << OP_BITS, "operations do not fit");

struct latency_cell {
	uint64_t key, count, sum, bytes, min, max;
	const char *class;	/* its name, or NULL */
};

static const struct column columns[LATENCY_COLUMNS] = {
	{ "host", COLUMN_TEXT, false, "",
	  "the machine: its directory's name, or its own" },
	{ "disk", COLUMN_TEXT, false, "",
	  "the device's name, or its dev" },
	{ "op", COLUMN_TEXT, false, "",
	  "as btstat names it: read, write, flush, discard, zero, zone,"
	  " passthrough, other" },
	{ "phase", COLUMN_TEXT, false, "",
	  "the time measured: q2c, from Q to the end; total, the same of an I/O"
	  " whose Q was not seen, from its first event; d2c" },
	{ "low_ns", COLUMN_INT64, false, "ns", "the least that counts here" },
	{ "high_ns", COLUMN_INT64, false, "ns", "the most that counts here" },
	{ "count", COLUMN_INT64, false, "", "how many were in between" },
	{ "trace", COLUMN_TEXT, false, "", "as in ios" },
	{ "dev", COLUMN_TEXT, false, "", "as in ios" },
	{ "minute_unix_ns", COLUMN_INT64, true, "ns",
	  "start of the minute in which they ended, since 1970, UTC" },
	{ "class", COLUMN_TEXT, true, "",
	  "of their process: its name up to a slash or colon, else without a"
	  " number at its end; other: more than 62 names" },
	{ "sum_ns", COLUMN_INT64, false, "ns", "the sum of their times" },
	{ "sum_bytes", COLUMN_INT64, false, "bytes", "the sum of their sizes" },
	{ "min_ns", COLUMN_INT64, false, "ns", "the shortest" },
	{ "max_ns", COLUMN_INT64, false, "ns", "the longest" },
	{ "segment", COLUMN_INT32, false, "", "as in ios" },
};

const struct row_table latency_table = {
	.name = "latency",
	.words = "I/Os by time: a row for each cell of a histogram",
	.first = columns,
	.step = sizeof(*columns),
	.count = LATENCY_COLUMNS,
	.sums = { "count", "sum_ns" },
};

/* --- counting ------------------------------------------------------------- */

static int grow(struct latency *l, uint32_t id)
{
	uint32_t count = id + 1 + id / 2;
	struct latency_disk *disks = array_resize(l->disks, count,
						  sizeof(*disks));

	if (!disks)
		return -ENOMEM;
	memset(disks + l->disk_count, 0,
	       (count - l->disk_count) * sizeof(*disks));
	l->disks = disks;
	l->disk_count = count;
	return 0;
}

static int find_disk(struct latency *l, const struct io *io)
{
	uint32_t id = io->disk->id;

	if (UNLIKELY(id >= l->disk_count) && grow(l, id))
		return -ENOMEM;
	if (UNLIKELY(!l->disks[id].device))
		l->disks[id] = (struct latency_disk){ io->disk, io->device };
	return 0;
}

/* NULL: no memory */
static APART struct latency_cell *new_cell(struct latency_minute *m,
					   uint64_t key, const char *class)
{
	struct latency_cell *list = array_reserve(m->list, m->count, &m->size,
						  256, sizeof(*list));

	if (!list)
		return NULL;
	m->list = list;
	if (hash_put_number(&m->by_key, key, (uint32_t)m->count))
		return NULL;
	list[m->count] = (struct latency_cell){ .key = key, .class = class,
						.min = UINT64_MAX };
	return &list[m->count++];
}

static int count(struct latency_minute *m, uint64_t series, uint64_t ns,
		 const struct io *io, const char *class)
{
	uint64_t key = series << CELL_BITS | histogram_cell(ns);
	int64_t at = hash_get_number(&m->by_key, key);
	struct latency_cell *c = LIKELY(at >= 0) ? &m->list[at] :
						   new_cell(m, key, class);

	if (UNLIKELY(!c))
		return -ENOMEM;
	c->count++;
	/* hostile times and sizes may exceed 64 bits */
	c->sum = wide_clamped_sum(c->sum, ns);
	c->bytes = wide_clamped_sum(c->bytes, io->bytes);
	c->min = ns < c->min ? ns : c->min;
	c->max = ns > c->max ? ns : c->max;
	return 0;
}

int64_t latency_minute_of(int64_t ended)
{
	return ended - (ended % MINUTE + MINUTE) % MINUTE;
}

/* A new minute; rows of the older one were made. */
static COLD void turn(struct latency *l, int64_t start)
{
	struct latency_minute made = l->minutes[0];

	l->minutes[0] = l->minutes[1];
	l->minutes[1] = made;
	l->minutes[1].start = start;
	l->begun = true;
}

/* The minute in which an I/O counts. */
static inline struct latency_minute *place(struct latency *l, int64_t start)
{
	if (UNLIKELY(!l->begun || start > l->minutes[1].start))
		turn(l, start);
	if (LIKELY(start == l->minutes[1].start))
		return &l->minutes[1];
	if (!l->minutes[0].count)
		l->minutes[0].start = start;
	return &l->minutes[0];
}

int latency_add(struct latency *l, const struct io *io,
		struct naming_class class, int64_t minute)
{
	struct latency_minute *m;
	uint64_t series, ns;
	int err;

	if (!io_completed(io) || io->gap || !filter_is_unit(false, io))
		return 0;
	m = place(l, minute);
	err = find_disk(l, io);
	series = (((uint64_t)io->disk->id << OP_BITS | group_op_of(io))
		   << CLASS_BITS |
		  class.number) << PHASE_BITS;
	if (!err)
		err = count(m, series | (io->birth == 'Q' ? Q2C : TOTAL),
			    io->total, io, class.name);
	if (!err && measure_get(io, IO_D2C, &ns))
		err = count(m, series | D2C, ns, io, class.name);
	return err;
}

/* --- rows ----------------------------------------------------------------- */

static uint64_t take_bits(uint64_t *key, unsigned int bits)
{
	uint64_t got = *key & ((1ull << bits) - 1);

	*key >>= bits;
	return got;
}

static void put_minute(struct cell *c, int64_t start)
{
	*c = (struct cell){ .number = start,
			    .null = start == LATENCY_NO_MINUTE };
}

static void put_row(struct latency *l, struct naming *n,
		    const struct latency_minute *m,
		    const struct latency_cell *from,
		    struct cell cells[LATENCY_COLUMNS])
{
	uint64_t key = from->key;
	unsigned int cell = (unsigned int)take_bits(&key, CELL_BITS);
	unsigned int phase = (unsigned int)take_bits(&key, PHASE_BITS);
	const struct latency_disk *d;

	take_bits(&key, CLASS_BITS);
	cells[2] = cell_text(group_op_name(
			(enum group_op)take_bits(&key, OP_BITS)));
	d = &l->disks[key];
	cells[0] = *naming_host(n, d->device->origin);
	cells[1] = *naming_disk(n, d->device, d->number);
	cells[3] = cell_text(phases[phase]);
	cells[4] = cell_number(histogram_cell_low(cell));
	cells[5] = cell_number(histogram_cell_high(cell));
	cells[6] = cell_number(from->count);
	cells[7] = *naming_trace(n, d->device->origin);
	cells[8] = (struct cell){ .text = l->dev,
				  .len = naming_dev(l->dev, d->number) };
	put_minute(&cells[9], m->start);
	cells[10] = cell_text(from->class);
	cells[11] = cell_number(from->sum);
	cells[12] = cell_number(from->bytes);
	cells[13] = cell_number(from->min);
	cells[14] = cell_number(from->max);
	cells[15] = (struct cell){ .number = l->segment };
}

/* Classes by name, as their numbers depend on what was read before. */
static int by_key(const void *a, const void *b)
{
	const unsigned int low = CELL_BITS + PHASE_BITS;
	const struct latency_cell *x = a, *y = b;
	uint64_t xs = x->key >> (low + CLASS_BITS);
	uint64_t ys = y->key >> (low + CLASS_BITS);
	int differ;

	if (xs != ys)
		return xs < ys ? -1 : 1;
	differ = strcmp(x->class ? x->class : "", y->class ? y->class : "");
	if (differ)
		return differ;
	return x->key < y->key ? -1 : x->key > y->key;
}

static void empty(struct latency_minute *m)
{
	hash_free(&m->by_key);
	m->by_key = (struct hash){ 0 };
	m->count = m->next = 0;
}

bool latency_oldest(const struct latency *l, int64_t *minute)
{
	for (int i = 0; i < 2; i++) {
		*minute = l->minutes[i].start;
		if (l->minutes[i].count)
			return true;
	}
	return false;
}

bool latency_over(const struct latency *l, int64_t now)
{
	int64_t minute;

	return latency_oldest(l, &minute) && minute != LATENCY_NO_MINUTE &&
	       now - minute >= 2 * MINUTE;
}

void latency_drop(struct latency *l, bool all)
{
	empty(&l->minutes[0]);
	if (all)
		empty(&l->minutes[1]);
}

bool latency_next(struct latency *l, struct naming *n, bool all,
		  struct cell cells[LATENCY_COLUMNS])
{
	for (int i = 0; i < (all ? 2 : 1); i++) {
		struct latency_minute *m = &l->minutes[i];

		if (!m->next && m->count)
			qsort(m->list, m->count, sizeof(*m->list), by_key);
		if (m->next < m->count) {
			put_row(l, n, m, &m->list[m->next++], cells);
			return true;
		}
		empty(m);
	}
	return false;
}

void latency_free(struct latency *l)
{
	for (int i = 0; i < 2; i++) {
		hash_free(&l->minutes[i].by_key);
		free(l->minutes[i].list);
	}
	free(l->disks);
	*l = (struct latency){ 0 };
}
