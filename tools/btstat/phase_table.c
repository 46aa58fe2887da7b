/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of phases; see phase_table.h. */
#include <stdio.h>

#include "emit/cells.h"
#include "stat/bounds.h"
#include "tools/btstat/phase_table.h"

static const char *const names[MEASURES] = {
	[MEASURE_Q2C] = "Q2C in all",
	[MEASURE_G2C] = "G2C await",
	[MEASURE_TOTAL] = "all of it seen",
	[MEASURE_Q2D] = "Q2D till issued",
	[IO_Q2A] = "Q2A till remap",
	[IO_LOWER] = "devices below",
	[IO_A2C] = "A2C after them",
	[IO_Q2X] = "Q2X till split",
	[IO_X2C] = "X2C its parts",
	[IO_Q2G] = "Q2G get request",
	[IO_Q2M] = "Q2M till merged",
	[IO_PREFLUSH] = "flush before",
	[IO_G2M] = "G2M till merged",
	[IO_G2I] = "G2I plugged",
	[IO_G2D] = "G2D till issued",
	[IO_I2D] = "I2D scheduler",
	[IO_M2D] = "M2D merged",
	[IO_REQUEUE] = "requeued",
	[IO_D2C] = "D2C device",
	[IO_POSTFLUSH] = "flush after",
	[IO_REST] = "not seen",
};

const unsigned int phase_table_order[MEASURES] = {
	MEASURE_Q2C, MEASURE_TOTAL, MEASURE_G2C, MEASURE_Q2D, IO_Q2A, IO_LOWER, IO_A2C,
	IO_Q2X, IO_X2C, IO_Q2G, IO_Q2M, IO_PREFLUSH, IO_G2M, IO_G2I, IO_G2D,
	IO_I2D, IO_M2D, IO_REQUEUE, IO_D2C, IO_POSTFLUSH, IO_REST,
};

static const struct percentile_list usual = { { 50000, 90000, 99000, 99900 },
					      4 };

void phase_table_init(struct phase_table *t, const char *heading,
		      const struct percentile_list *percentiles)
{
	*t = (struct phase_table){
		.percentiles = percentiles->count ? *percentiles : usual,
	};
	table_column(&t->table, (struct table_column){ heading, 17, true, 0 });
	table_column(&t->table, (struct table_column){ "count", 7, false, 5 });
	table_column(&t->table, (struct table_column){ "mean", 7, false, 4 });
	for (unsigned int i = 0; i < t->percentiles.count; i++) {
		cell_percentile_name(t->percentiles.list[i], t->names[i]);
		table_column(&t->table, (struct table_column){
			t->names[i], 7, false, 2 });
	}
	table_column(&t->table, (struct table_column){ "max", 7, false, 1 });
	table_column(&t->table, (struct table_column){ "time", 5, false, 3 });
}

void phase_table_row(struct phase_table *t, unsigned int measure,
		     const struct histogram *h, struct wide time)
{
	char name[32];

	snprintf(name, sizeof(name), "  %s", names[measure]);
	table_cell(&t->table, name);
	cell_count(&t->table, h->count);
	cell_mean(&t->table, h);
	for (unsigned int i = 0; i < t->percentiles.count; i++)
		cell_percentile(&t->table, h, t->percentiles.list[i]);
	if (h->count)
		cell_time(&t->table, h->max);
	else
		table_cell(&t->table, "-");
	cell_share_of(&t->table, h->sum, time);
}

/* --- what loss leaves of the numbers -------------------------------------- */

static void put_least(struct phase_table *t, const struct histogram *h,
		      struct doubt d)
{
	table_cell(&t->table, "    at least");
	table_cell(&t->table, "");
	cell_time(&t->table, bounds_mean(h, d));
	for (unsigned int i = 0; i < t->percentiles.count; i++) {
		uint64_t low = bounds_percentile(h, d,
						 t->percentiles.list[i]).low;

		if (low)
			cell_time(&t->table, low);
		else
			table_cell(&t->table, "0");
	}
	cell_time(&t->table, bounds_max(h, d));
	table_cell(&t->table, "");
}

static void put_most(struct phase_table *t, const struct histogram *h,
		     struct doubt d)
{
	table_cell(&t->table, "    at most");
	table_cell(&t->table, "");
	table_cell(&t->table, "?");
	for (unsigned int i = 0; i < t->percentiles.count; i++) {
		uint64_t high = bounds_percentile(h, d,
						  t->percentiles.list[i]).high;

		if (high == UINT64_MAX)
			table_cell(&t->table, "?");
		else
			cell_time(&t->table, high);
	}
	table_cell(&t->table, "?");
	table_cell(&t->table, "");
}

void phase_table_bounds(struct phase_table *t, const struct histogram *h,
			struct doubt d)
{
	put_least(t, h, d);
	put_most(t, h, d);
}
