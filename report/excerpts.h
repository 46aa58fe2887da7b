/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Excerpts: times with all their rows, when there is no room for all rows of
 * the trace: around the slowest ios, the first error, and the first end after a
 * hole in the trace.
 *
 * Rows come in the order of their ends; the last ones are kept, so that an
 * excerpt has as many before its slow row as after it.
 */
#ifndef REPORT_EXCERPTS_H
#define REPORT_EXCERPTS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hint.h"
#include "report/row.h"

/* --- slowest -------------------------------------------------------------- */

/*
 * The slowest rows by one of the latencies; of equal ones the first.
 */

/* enough for 150 without stacked devices */
enum { REPORT_SLOWEST = 640 };

struct report_slow {
	uint64_t ns;
	struct report_row row;
};

/* an all-zero one is empty; a heap, the least first */
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

/* from now on the slowest first */
void report_slowest_sort(struct report_slowest *s);

/* --- rows ----------------------------------------------------------------- */

/* kept rows, one per io */

struct report_rows {
	struct report_row *list;
	size_t count, size;
};

/* slow path of report_rows_add() */
int report_rows_grow(struct report_rows *r);

/* an all-zero struct report_rows has none; 0 or -ENOMEM */
static inline int report_rows_add(struct report_rows *r,
				  const struct report_row *row)
{
	if (UNLIKELY(r->count == r->size) && report_rows_grow(r))
		return -ENOMEM;
	r->list[r->count++] = *row;
	return 0;
}

/*
 * Renumbers the streams of rows by map; rows without a number are left out.
 */
void report_rows_map(struct report_rows *r, const uint32_t *map);

/* sorts them by time, then in the trace's order; 0 or -ENOMEM */
int report_rows_sort(struct report_rows *r);

/*
 * Their numbers in the order of their ends, or starts without one.  The caller
 * frees them; NULL: no memory.
 */
uint32_t *report_rows_by_end(const struct report_rows *r);

void report_rows_free(struct report_rows *r);

/* --- excerpts ------------------------------------------------------------ */

enum { REPORT_EXCERPTS = 6 };

/* all rows that ended in this time: from first up to end */
struct report_excerpt {
	uint64_t from, to;
	size_t first, end;
};

/* a growing one */
struct report_excerpt_rows {
	uint64_t ns;		/* of its slowest; UINT64_MAX: it stays */
	struct report_rows rows;
};

struct report_excerpts {
	/* after the end: in order of time, as are the rows of each */
	uint32_t count;
	struct report_excerpt list[REPORT_EXCERPTS];
	struct report_rows rows;

	/* excerpts.c's */
	size_t half;		/* rows before and after; 0: none are kept */
	struct report_row *last;	/* these, in a ring, */
	size_t last_count, last_next;
	bool holed;		/* a hole was seen */
	uint32_t used;
	struct report_excerpt_rows of[REPORT_EXCERPTS];
	uint64_t bar;		/* what takes as long begins one */
	struct report_excerpt_rows *open;	/* takes more rows, or NULL */
	size_t left;		/* their number */
	bool failed;		/* one has an error */
	uint64_t hole;		/* the next end from here starts one; or
				 * UINT64_MAX */
};

/* rows: about how many in total; 0 or -ENOMEM, as all of these */
int report_excerpts_init(struct report_excerpts *s, size_t rows);
void report_excerpts_free(struct report_excerpts *s);

/* records are missing up to this time; only the first call counts */
void report_excerpts_hole(struct report_excerpts *s, uint64_t time);

/* a row that ended, and when */
int report_excerpts_add(struct report_excerpts *s,
			const struct report_row *row, uint64_t end);

/* no more rows; map as for report_rows_map() */
int report_excerpts_end(struct report_excerpts *s, const uint32_t *map);

/* after the end: streams have new numbers again */
void report_excerpts_map(struct report_excerpts *s, const uint32_t *map);

#endif
