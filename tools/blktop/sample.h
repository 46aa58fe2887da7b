/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of one interval: sums, and a table per key with a row per value.
 *
 * Times are ns since the trace's first event, durations ns; IO_NONE: unknown.
 */
#ifndef TOOLS_BLKTOP_SAMPLE_H
#define TOOLS_BLKTOP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "request/io.h"
#include "stat/depth.h"
#include "stat/group.h"
#include "stat/statistic.h"

/* --- outstanding ---------------------------------------------------------- */

/*
 * I/Os in flight at a moment, by device: their number, and the oldest.  A stuck
 * device has no completions and is in no table; the age of its oldest I/O is
 * the only sign of it.
 */

struct buf;			/* base/buf.h */
struct reader;			/* run/reader.h */

enum {
	OUTSTANDING_DEVICES = 128,	/* further ones share the last */
	OUTSTANDING_LATE = 8,	/* named devices */
	OUTSTANDING_NAME = 64,
};

/* a device whose oldest I/O has this age is late, ns */
#define OUTSTANDING_AGE NS_PER_SECOND

struct outstanding_device {
	const struct device *disk;
	uint64_t count;
	/* of the oldest */
	uint64_t age, sector;
	uint32_t pid;
	uint16_t origin;
	enum io_op op;
};

/* all zeros: none */
struct outstanding {
	uint64_t ios;		/* of all devices */
	unsigned int count;
	struct outstanding_device list[OUTSTANDING_DEVICES];
};

/* a late device; its names outlive the reader */
struct late_device {
	char device[OUTSTANDING_NAME];
	char process[OUTSTANDING_NAME];	/* "": unknown */
	uint64_t count, age, sector;
	enum io_op op;
};

/* late devices, the oldest I/O first */
struct late {
	uint64_t in_flight;	/* I/Os of all devices */
	struct late_device oldest;	/* the one with the oldest, if any */
	unsigned int count;
	struct late_device list[OUTSTANDING_LATE];
};

/*
 * Adds an I/O open at now.  Ignored are parts, as their parent counts; the
 * kernel's own flush requests, if queue events are traced (any_q); and I/Os
 * whose completion may have been lost.
 */
void outstanding_add(struct outstanding *o, const struct io *io, uint64_t now,
		     bool any_q);

/* sets *late from *o, which it sorts */
void outstanding_late(struct outstanding *o, const struct reader *reader,
		      struct late *late);

/* a line per device: "sda: in flight 4, oldest 4.2 s (write, ...)" */
void late_text(const struct late *late, struct buf *b, unsigned int width);

/* a line on all devices: "in flight 4, oldest 12.3ms (write, ...)"; without the
 * parentheses where they do not fit */
void oldest_text(const struct late *late, struct buf *b, unsigned int width);

/* --- sample --------------------------------------------------------------- */

struct histogram;		/* base/histogram.h */
struct values;			/* emit/values.h */

enum {
	/* a distribution: six steps a decade, 10us to 1s; the first and last
	 * cell also have all times below and above */
	SAMPLE_CELLS = 30,
	/* steps of STEPS_6 below 10us */
	SAMPLE_FIRST_STEP = 24,
};

/* latencies of I/Os */
struct sample_times {
	uint64_t count;		/* measured I/Os */
	uint64_t sum;
	uint64_t values[STATISTICS];	/* of statistics_of() */
	uint64_t p50, p99;	/* IO_NONE: none would be above */
	uint32_t cells[SAMPLE_CELLS];	/* UINT32_MAX: or more */
};

struct sample_row {
	size_t name;		/* its offset in the table's text */
	uint64_t value;		/* of the key, as in stat/group */
	uint64_t ios, bytes, errors;	/* bytes: read and written; in rows by
					 * operation, all that I/Os cover */
	uint64_t sized;		/* I/Os with these bytes */
	struct sample_times times;
	bool other;		/* all values without a row */
};

struct sample_table {
	enum group_key key;
	bool number;		/* its values are numbers */
	struct sample_row *rows;
	unsigned int count;
	char *text;		/* the rows' names, NUL-terminated */
	size_t text_len;
};

/* bytes: 0 for discards and zeroes, which move no data */
struct sample_sum {
	uint64_t ios, bytes;
};

/* flushes and their times; those with lost records have no time */
struct sample_flush {
	uint64_t count, measured, time;
};

enum { SAMPLE_TABLES = 6 };

struct sample {
	uint64_t number;	/* of the interval, from 0 */
	struct depth_row depth;	/* of requests; and the interval's times */
	struct late late;	/* I/Os in flight at its end, or, live, when the
				 * sample was made */
	struct sample_sum read, write, rest;
	/* I/Os, and the kernel's own requests, which are no I/Os */
	struct sample_flush flush_ios, flush_requests;
	uint64_t errors;
	struct sample_times times;	/* of all I/Os */
	uint64_t lost;		/* records known to be missing so far, */
	uint64_t newly_lost;	/* and since the sample before */
	struct sample_table tables[SAMPLE_TABLES];
	unsigned int table_count;
};

enum sample_order {
	SAMPLE_BY_TIME,
	SAMPLE_BY_IOS,
	SAMPLE_BY_BYTES,
	SAMPLE_BY_P99,
	SAMPLE_BY_ERRORS,
	SAMPLE_ORDERS
};

/* all zeros, without tables; NULL: no memory */
struct sample *sample_new(void);

/* accepts NULL */
void sample_free(struct sample *s);

/* the flushes that devices did: requests, or I/Os where there are none */
const struct sample_flush *sample_flush(const struct sample *s);

/* fills all-zero times from a histogram */
void sample_times(struct sample_times *t, const struct histogram *h);

/* Adds a table (of at most SAMPLE_TABLES) of g's rows that are not empty, by
 * their only key.  names is used only during the call.  0 or -ENOMEM. */
int sample_add_table(struct sample *s, const struct group *g,
		     enum group_key key, const struct values *names);

/* the table of a key, or NULL */
struct sample_table *sample_table(struct sample *s, enum group_key key);

/* valid as long as the table */
const char *sample_name(const struct sample_table *t,
			const struct sample_row *row);

/* sorts the rows, most first, the one of all others last */
void sample_sort(struct sample_table *t, enum sample_order order);

#endif
