/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened in one interval of time, as plain numbers that stay when the
 * ios are gone: sums, and for each key a table with a row for each value.
 *
 * Times are ns since the trace's first event, spans ns; IO_NONE is a span that
 * is not there.
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
 * I/Os in flight at a moment, by device: how many there are, and the oldest.
 * A device that answers nothing completes nothing, so it is in no table; its
 * oldest I/O tells.
 */

struct buf;			/* base/buf.h */
struct reader;			/* run/reader.h */

enum {
	OUTSTANDING_DEVICES = 128,	/* any others share the last */
	OUTSTANDING_LATE = 8,	/* that are named */
	OUTSTANDING_NAME = 64,
};

/* from this age of its oldest I/O on a device is late, ns */
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

/* one of them, with names that stay when the reader is gone */
struct late_device {
	char device[OUTSTANDING_NAME];
	char process[OUTSTANDING_NAME];	/* "": not known */
	uint64_t count, age, sector;
	enum io_op op;
};

/* the devices that are late, the oldest I/O first */
struct late {
	uint64_t in_flight;	/* I/Os, also of devices that are not late */
	unsigned int count;
	struct late_device list[OUTSTANDING_LATE];
};

/*
 * An io that is open at now.  Parts are in their whole, and the kernel's own
 * flush requests only count where queue events are not traced (any_q: they
 * are); what may have completed unseen, as events were lost, is left out.
 */
void outstanding_add(struct outstanding *o, const struct io *io, uint64_t now,
		     bool any_q);

/* *late from *o, whose order changes */
void outstanding_late(struct outstanding *o, const struct reader *reader,
		      struct late *late);

/* a line for each device: "sda: in flight 4, oldest 4.2 s (write, ...)" */
void late_text(const struct late *late, struct buf *b, unsigned int width);

/* --- sample --------------------------------------------------------------- */

struct histogram;		/* base/histogram.h */
struct values;			/* emit/values.h */

enum {
	/* a distribution: six steps a decade, 10 us to 1 s; what is beyond is
	 * in the first or the last cell */
	SAMPLE_CELLS = 30,
	/* steps of STEPS_6 below 10 us */
	SAMPLE_FIRST_STEP = 24,
};

/* how long ios took */
struct sample_times {
	uint64_t count;		/* measured ios */
	uint64_t sum;
	uint64_t values[STATISTICS];	/* of statistics_of() */
	uint64_t p50, p99;	/* IO_NONE when nothing would be above */
	uint32_t cells[SAMPLE_CELLS];	/* UINT32_MAX: that many or more */
};

struct sample_row {
	size_t name;		/* where it begins in the table's text */
	uint64_t value;		/* of the key, as stat/group has it */
	uint64_t ios, bytes, errors;	/* bytes: read and written; of an
					 * operation all that its ios cover */
	uint64_t sized;		/* ios that have these bytes */
	struct sample_times times;
	bool other;		/* all values without a row of their own */
};

struct sample_table {
	enum group_key key;
	bool number;		/* its values are, not names */
	struct sample_row *rows;
	unsigned int count;
	char *text;		/* the rows' names, each with its NUL */
	size_t text_len;
};

/* a kind of operations; discards and zeroes move no data: 0 bytes */
struct sample_sum {
	uint64_t ios, bytes;
};

enum { SAMPLE_TABLES = 6 };

struct sample {
	uint64_t number;	/* of the interval, from 0 */
	struct depth_row depth;	/* of requests; and when the interval is */
	struct late late;	/* I/Os in flight at its end, or if it is live
				 * when it was made */
	struct sample_sum read, write, rest;
	uint64_t errors;
	struct sample_times times;	/* of all ios */
	uint64_t lost;		/* records that are known to be missing up to
				 * here, and how many of them are news */
	uint64_t newly_lost;
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

/* NULL is fine */
void sample_free(struct sample *s);

/* what a histogram says; times are of none before */
void sample_times(struct sample_times *t, const struct histogram *h);

/*
 * One more table, of the rows of g that count something, by their only key;
 * there is room for SAMPLE_TABLES.  names makes their texts, and may go.  0 or
 * -ENOMEM.
 */
int sample_add_table(struct sample *s, const struct group *g,
		     enum group_key key, const struct values *names);

/* the table of a key, or NULL */
struct sample_table *sample_table(struct sample *s, enum group_key key);

/* good as long as the table */
const char *sample_name(const struct sample_table *t,
			const struct sample_row *row);

/* puts the rows in this order, most first, the one of all others last */
void sample_sort(struct sample_table *t, enum sample_order order);

#endif
