/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btstat's text: a head about the run, and tables.
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

/* the parts of a screen; each returns 0 or -ENOMEM */

/* trace, I/Os, those in flight at the end, lost */
int screen_head(const struct screen *s);

/* a line per device whose oldest I/O in flight is at least this old, ns */
void screen_in_flight(const struct screen *s, const struct coverages *c,
		      uint64_t least);

/* counts, rates and depth of each row of the tally */
int screen_sums(const struct screen *s);

/* a table of phases for each row */
int screen_phases(const struct screen *s);

/* counts and percentiles of Q2C of each row */
int screen_keys(const struct screen *s);

/* --under: shares of I/Os faster than some times */
int screen_under(const struct screen *s);

/* instead of tables of phases: bars, or heat maps */
int screen_histograms(const struct screen *s);
int screen_maps(const struct screen *s);

/* the slowest I/Os */
int screen_top(const struct screen *s);

/* the name of a row: its values, separated by blanks */
void screen_row_name(const struct screen *s, const struct group_row *row,
		     char *text, size_t size);

/* the id of a row's device, or READER_ALL */
uint32_t screen_device(const struct screen *s, const struct group_row *row);

/* The depth of a row with depth, as measured, and with the lower bounds of
 * integral and busy time (equal if d->exact).  0 or -ENOMEM. */
int screen_depth(const struct screen *s, const struct group_row *row,
		 struct depth_row *d, struct depth_row *least);

/* lines of at most the look's width, cut at blanks; all but the first are
 * indented by ten columns */
void screen_lines(const struct screen *s, const char *text);

/* --- phase table ---------------------------------------------------------- */

/* The table of phases: mean, percentiles, maximum and share of the time of
 * each, and their bounds where records were lost. */

struct phase_table {
	struct table table;
	struct percentile_list percentiles;
	char names[PERCENTILES_MAX][16];	/* of their columns */
};

/* the measures in the order of rows: Q2C and the like, then phases */
extern const unsigned int phase_table_order[MEASURES];

/* what a row is called: "D2C device"; short */
const char *phase_table_name(unsigned int measure);

/* An empty table; the caller keeps heading.  Without percentiles: the usual. */
void phase_table_init(struct phase_table *t, const char *heading,
		      const struct percentile_list *percentiles);

/* time: 100% of its share */
void phase_table_row(struct phase_table *t, unsigned int measure,
		     const struct histogram *h, struct wide time);

/* two rows: lower and upper bounds when I/Os are in doubt */
void phase_table_bounds(struct phase_table *t, const struct histogram *h,
			struct doubt d);

#endif
