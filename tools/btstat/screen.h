/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btstat's text for people: what is known of the run, and tables.
 */
#ifndef TOOLS_BTSTAT_SCREEN_H
#define TOOLS_BTSTAT_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "emit/table.h"
#include "emit/values.h"
#include "stat/bounds.h"
#include "stat/facts.h"
#include "stat/group.h"
#include "stat/measure.h"
#include "tools/btstat/lists.h"

/* --- screen --------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct look;			/* base/look.h */
struct stat_options;		/* tools/btstat/options.h */
struct tally;			/* tools/btstat/tally.h */

struct screen {
	struct buf *b;
	const struct look *look;
	const struct stat_options *o;
	const struct tally *tally;
	const struct facts *facts;
	struct values values;
	struct group_row **rows;	/* in the order of the screen */
	unsigned int row_count;
};

/* the parts of a screen; each returns 0, or -ENOMEM */

/* trace, ios, what was in flight at the end, lost */
int screen_head(const struct screen *s);

/* what is in flight: a line for each device whose oldest is so old, ns */
void screen_in_flight(const struct screen *s, const struct coverages *c,
		      uint64_t least);

/* a row for each row of the tally: counts, rates, depth */
int screen_sums(const struct screen *s);

/* a table of phases for each row */
int screen_phases(const struct screen *s);

/* a row for each row: counts and percentiles of the whole time */
int screen_keys(const struct screen *s);

/* shares of ios under some times */
int screen_under(const struct screen *s);

/* in place of the tables of phases: bars, or a map of time */
int screen_histograms(const struct screen *s);
int screen_maps(const struct screen *s);

/* the slowest ios */
int screen_top(const struct screen *s);

/* the name of a row: its values, with blanks between */
void screen_row_name(const struct screen *s, const struct group_row *row,
		     char *text, size_t size);

/* the device that a row is about, by its id, or READER_ALL */
uint32_t screen_device(const struct screen *s, const struct group_row *row);

/* the depth of a row that has one, as measured, and what integral and busy time
 * are at least: the same if d->exact.  0 or -ENOMEM */
int screen_depth(const struct screen *s, const struct group_row *row,
		 struct depth_row *d, struct depth_row *least);

/* lines of at most the look's width, cut at blanks; those behind the first are
 * indented by ten columns */
void screen_lines(const struct screen *s, const char *text);

/* --- phase table ---------------------------------------------------------- */

/*
 * The table of phases: a row for each, with mean, percentiles, greatest, and
 * the share of the time; and rows of what lost records leave of these.
 */

struct phase_table {
	struct table table;
	struct percentile_list percentiles;
	char names[PERCENTILES_MAX][16];	/* of their columns */
};

/* the measures in the order of rows: the whole first, then its parts */
extern const unsigned int phase_table_order[MEASURES];

/* an empty table with this heading, which stays the caller's; percentiles:
 * count 0: the usual ones */
void phase_table_init(struct phase_table *t, const char *heading,
		      const struct percentile_list *percentiles);

/* time: the sum that its share is of */
void phase_table_row(struct phase_table *t, unsigned int measure,
		     const struct histogram *h, struct wide time);

/* two rows: the least and greatest values when ios are in doubt */
void phase_table_bounds(struct phase_table *t, const struct histogram *h,
			struct doubt d);

#endif
