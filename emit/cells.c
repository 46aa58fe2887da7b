/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells of tables; see cells.h. */
#include <stdio.h>

#include "base/unit.h"
#include "emit/cells.h"
#include "stat/measure.h"

void cell_count(struct table *t, uint64_t n)
{
	char text[UNIT_MAX + 8];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	table_cell(t, text);
}

void cell_time(struct table *t, uint64_t ns)
{
	char text[UNIT_MAX];

	unit_time(text, ns);
	table_cell(t, text);
}

void cell_size(struct table *t, uint64_t bytes)
{
	char text[UNIT_MAX];

	unit_size(text, bytes);
	table_cell(t, bytes ? text : "-");
}

void cell_mean_size(struct table *t, uint64_t bytes, uint64_t count)
{
	cell_size(t, count ? bytes / count : 0);
}

void cell_rate(struct table *t, uint64_t count, uint64_t ns)
{
	char text[UNIT_MAX];

	unit_rate(text, count, ns);
	table_cell(t, text);
}

void cell_mib(struct table *t, uint64_t bytes, uint64_t ns)
{
	char text[UNIT_MAX];

	unit_rate_mib(text, bytes, ns);
	table_cell(t, bytes ? text : "-");
}

void cell_share(struct table *t, uint64_t part, uint64_t whole)
{
	char text[UNIT_MAX];

	unit_share(text, part, whole);
	table_cell(t, text);
}

void cell_share_of(struct table *t, struct wide part, struct wide whole)
{
	for (; whole.high || part.high; whole = wide_over(whole, 2))
		part = wide_over(part, 2);
	cell_share(t, part.low, whole.low);
}

void cell_statistic_columns(struct table *t, enum statistic_table which,
			    enum statistic_side side, unsigned int width)
{
	for (unsigned int s = 0; s < STATISTICS; s++) {
		const struct statistic_row *row = statistic_row(s);

		if (row->side == side)
			table_column(t, (struct table_column){
				row->word, width, false, row->leave[which] });
	}
}

void cell_statistics(struct table *t, enum statistic_side side,
		     const uint64_t values[STATISTICS])
{
	for (unsigned int s = 0; s < STATISTICS; s++) {
		if (statistic_row(s)->side != side)
			continue;
		if (values[s] == STATISTIC_NONE)
			table_cell(t, "-");
		else
			cell_time(t, values[s]);
	}
}

void cell_percentile(struct table *t, const struct histogram *h, uint32_t p)
{
	if (histogram_above(h->count, p))
		cell_time(t, histogram_kth(h, histogram_rank(h->count, p)));
	else
		table_cell(t, "-");
}

const char *cell_percentile_name(uint32_t p, char text[16])
{
	uint32_t whole = p / HISTOGRAM_PERCENT, part = p % HISTOGRAM_PERCENT;
	int len = snprintf(text, 16, "p%u", whole);

	if (!part)
		return text;
	len += snprintf(text + len, (size_t)(16 - len), ".%03u", part);
	while (text[len - 1] == '0')
		text[--len] = '\0';
	return text;
}

const char *cell_percentile_column(uint32_t p, const char *end, char text[32])
{
	char name[16];

	snprintf(text, 32, "%s%s", cell_percentile_name(p, name), end);
	for (char *c = text; *c; c++)
		if (*c == '.')
			*c = '_';
	return text;
}

const char *cell_measure_name(unsigned int measure, char text[16])
{
	snprintf(text, 16, "%s", measure_name(measure));
	for (char *c = text; *c; c++)
		if (*c >= 'a' && *c <= 'z')
			*c -= 'a' - 'A';
	return text;
}
