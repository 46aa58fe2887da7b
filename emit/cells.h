/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table cells for people: numbers with three digits and a unit.
 */
#ifndef EMIT_CELLS_H
#define EMIT_CELLS_H

#include <stdint.h>

#include "base/histogram.h"
#include "emit/table.h"
#include "stat/statistic.h"

void cell_count(struct table *t, uint64_t n);
void cell_time(struct table *t, uint64_t ns);
void cell_size(struct table *t, uint64_t bytes);
void cell_rate(struct table *t, uint64_t count, uint64_t ns);
void cell_mib(struct table *t, uint64_t bytes, uint64_t ns);
void cell_share(struct table *t, uint64_t part, uint64_t whole);
void cell_mean_size(struct table *t, uint64_t bytes, uint64_t count);

/* cell_share() of sums that may exceed 64 bits */
void cell_share_of(struct table *t, struct wide part, struct wide whole);

/* a column for each statistic on that side of the percentiles */
void cell_statistic_columns(struct table *t, enum statistic_table which,
			    enum statistic_side side, unsigned int width);

/* values of statistics_of() in those columns; "-" for STATISTIC_NONE */
void cell_statistics(struct table *t, enum statistic_side side,
		     const uint64_t values[STATISTICS]);

/* a percentile; "-" if it would only repeat the maximum */
void cell_percentile(struct table *t, const struct histogram *h, uint32_t p);

/* "p50", "p99.9", in text */
const char *cell_percentile_name(uint32_t p, char text[16]);

/* "p99_9" and end, for the name of a CSV column, in text */
const char *cell_percentile_column(uint32_t p, const char *end, char text[32]);

/* a measure's name in tables, "Q2C" */
const char *cell_measure_name(unsigned int measure, char text[16]);

#endif
