/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stretches of time of which all rows are kept though there is no room for those
 * of the rest: around the slowest ios, the first that failed, and the first that
 * ended behind a hole in the trace.
 *
 * Rows come in the order in which they end; the last ones are remembered, so
 * that a stretch has as many before its slow one as behind it.
 */
#ifndef REPORT_STRETCHES_H
#define REPORT_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "report/row.h"

/* --- slowest -------------------------------------------------------------- */

/*
 * The rows that took longest, by one of the latencies; of as long ones those
 * that came first.
 */

/* enough that 150 are left when stacked devices are left out */
enum { REPORT_SLOWEST = 640 };

struct report_slow {
	uint64_t ns;
	struct report_row row;
};

/* an all-zero one is empty; of the first REPORT_SLOWEST a heap, the least
 * first */
struct report_slowest {
	unsigned int count;
	struct report_slow list[REPORT_SLOWEST];
};

/* slow path of report_slowest_add() */
void report_slowest_put(struct report_slowest *s, const struct report_row *row,
			uint64_t ns);

static inline void report_slowest_add(struct report_slowest *s,
				      const struct report_row *row,
				      uint64_t ns)
{
	if (UNLIKELY(s->count < REPORT_SLOWEST || ns > s->list[0].ns))
		report_slowest_put(s, row, ns);
}

/* The longest first, from now on. */
void report_slowest_sort(struct report_slowest *s);

/* --- rows ----------------------------------------------------------------- */

/* Rows that are kept, each of an io. */

struct report_rows {
	struct report_row *list;
	size_t count, size;
};

/* an all-zero struct report_rows has none; 0 or -ENOMEM */
int report_rows_add(struct report_rows *r, const struct report_row *row);

/*
 * Rows get the numbers that map has for their streams; those without one are
 * left out.
 */
void report_rows_map(struct report_rows *r, const uint32_t *map);

/* Puts them in order: of time, then of the trace.  0 or -ENOMEM. */
int report_rows_sort(struct report_rows *r);

/*
 * Their numbers in the order in which they ended; one that did not counts as
 * it began.  The caller frees them; NULL: no memory.
 */
uint32_t *report_rows_by_end(const struct report_rows *r);

void report_rows_free(struct report_rows *r);

/* --- stretches ------------------------------------------------------------ */

enum { REPORT_STRETCHES = 6 };

/* rows from first up to end are all that ended in this time */
struct report_stretch {
	uint64_t from, to;
	size_t first, end;
};

/* one that is being gathered */
struct report_stretch_rows {
	uint64_t ns;		/* of its slowest; UINT64_MAX: it stays */
	struct report_rows rows;
};

struct report_stretches {
	/* behind the end: in order of time, and rows in that of each one */
	uint32_t count;
	struct report_stretch list[REPORT_STRETCHES];
	struct report_rows rows;

	/* stretches.c's */
	size_t half;		/* rows before and behind; 0: there are none */
	struct report_row *last;	/* these, in a ring, */
	size_t last_count, last_next;
	bool holed;		/* a hole was told of */
	uint32_t used;
	struct report_stretch_rows of[REPORT_STRETCHES];
	struct report_stretch_rows *open;	/* which takes more, or NULL */
	size_t left;		/* so many */
	bool failed;		/* there is one for an error */
	uint64_t hole;		/* the next row that ends from then on begins
				 * one; or UINT64_MAX */
};

/* of so many rows in all, about; 0 or -ENOMEM, as all of these */
int report_stretches_init(struct report_stretches *s, size_t rows);
void report_stretches_free(struct report_stretches *s);

/* records are missing up to then; only the first time counts */
void report_stretches_hole(struct report_stretches *s, uint64_t time);

/* a row that ended */
int report_stretches_add(struct report_stretches *s,
			 const struct report_row *row);

/* no more; map as for report_rows_map() */
int report_stretches_end(struct report_stretches *s, const uint32_t *map);

/* behind the end: streams are others once more */
void report_stretches_map(struct report_stretches *s, const uint32_t *map);

#endif
