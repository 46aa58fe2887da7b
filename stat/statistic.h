/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics of a histogram of times, in one table. */
#ifndef STAT_STATISTIC_H
#define STAT_STATISTIC_H

#include <stdint.h>

#include "base/histogram.h"
#include "stat/bounds.h"

/*
 * A new statistic is a row here, a line in the manual of btstat, and a test.
 *
 *	X(NAME, word, side, value, low, phases, keys, interval, top)
 *
 * word		heading in tables; with _ns the column of files
 * side		of the percentiles in tables: BEFORE them or AFTER; all BEFORE
 *		come first
 * value	of a histogram that is not empty, in ns, or STATISTIC_NONE
 * low		what it is at least where records were lost, or NULL: unknown
 * phases, keys, interval, top
 *		columns of btstat's tables of phases, by keys, and by interval,
 *		and of blktop's: a narrow screen leaves out the highest number
 *		first; from 20 on a column only takes room to spare
 */
#define STATISTIC_ROWS(X)						\
	X(MIN, "min", BEFORE, statistic_min, NULL, 22, 22, 9, 22)	\
	X(MEAN, "mean", BEFORE, statistic_mean, bounds_mean, 4, 20, 7, 20) \
	/* of the sample, from two values on; within 0.4 % */		\
	X(STDEV, "stdev", BEFORE, statistic_stdev, NULL, 21, 21, 8, 21) \
	X(MAX, "max", AFTER, statistic_max, bounds_max, 1, 2, 3, 8)

enum statistic_side {
	STATISTIC_BEFORE,
	STATISTIC_AFTER
};

enum statistic {
#define STATISTIC_NUMBER(name, ...) STATISTIC_##name,
	STATISTIC_ROWS(STATISTIC_NUMBER)
#undef STATISTIC_NUMBER
	STATISTICS
};

/* tables on the terminal */
enum statistic_table {
	STATISTIC_PHASES,
	STATISTIC_KEYS,
	STATISTIC_INTERVAL,
	STATISTIC_TOP,
	STATISTIC_TABLES
};

/* the value is unknown */
#define STATISTIC_NONE UINT64_MAX

struct statistic_row {
	const char *word;
	enum statistic_side side;
	uint64_t (*value)(const struct histogram *h);
	uint64_t (*low)(const struct histogram *h, struct doubt d);
	unsigned int leave[STATISTIC_TABLES];	/* as struct table_column */
};

const struct statistic_row *statistic_row(enum statistic s);

/* in ns; STATISTIC_NONE: h does not have it */
uint64_t statistic_of(const struct histogram *h, enum statistic s);

/* all of them, alike */
void statistics_of(const struct histogram *h, uint64_t values[STATISTICS]);

#endif
