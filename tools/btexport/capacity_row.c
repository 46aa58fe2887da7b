/* SPDX-License-Identifier: GPL-2.0-only */
/* The table capacity; see capacity_row.h. */
#include <math.h>

#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/capacity_row.h"
#include "tools/btexport/row_table.h"

static const struct column columns[CAPACITY_COLUMNS] = {
	{ "host", COLUMN_TEXT, false, "", "as in ios" },
	{ "trace", COLUMN_TEXT, false, "", "as in ios" },
	{ "disk", COLUMN_TEXT, false, "", "as in ios" },
	{ "dev", COLUMN_TEXT, false, "", "as in ios" },
	{ "depth", COLUMN_INT32, false, "",
	  "I/Os at the device from Q to C, those merged into others not counted:"
	  " the least of the row" },
	{ "depth_to", COLUMN_INT32, false, "", "and the most" },
	{ "time_ns", COLUMN_INT64, false, "ns", "how long it had this depth" },
	{ "completed", COLUMN_INT64, false, "",
	  "I/Os that completed at it, an eighth of their latency before" },
	{ "completed_bytes", COLUMN_INT64, false, "bytes", "of these" },
	{ "came", COLUMN_INT64, false, "",
	  "I/Os that completed and had come to it, themselves included" },
	{ "p50_ns", COLUMN_INT64, true, "ns", "percentile 50 of their latency" },
	{ "p99_ns", COLUMN_INT64, true, "ns", "percentile 99" },
	{ "waiting_mean_ns", COLUMN_INT64, true, "ns",
	  "mean of their time before the device" },
	{ "device_mean_ns", COLUMN_INT64, true, "ns", "mean of that at it" },
	{ "state", COLUMN_TEXT, false, "",
	  "of the knee: found; above, below: it is beyond the depths that there"
	  " were; no_range; too_few; doubtful: I/Os never completed" },
	{ "knee_milli", COLUMN_INT64, true, "",
	  "the depth from which more I/Os only wait, in thousandths" },
	{ "knee_low_milli", COLUMN_INT64, true, "",
	  "it is less once in 40 times" },
	{ "knee_high_milli", COLUMN_INT64, true, "",
	  "it is more once in 40 times" },
	{ "capacity_milli", COLUMN_INT64, true, "",
	  "completed I/Os a second at the knee, in thousandths; not found: the"
	  " least that it is" },
	{ "capacity_low_milli", COLUMN_INT64, true, "", "as of the knee" },
	{ "capacity_high_milli", COLUMN_INT64, true, "", "as of the knee" },
	{ "misfit_ppm", COLUMN_INT64, true, "",
	  "how far throughput is off that of the knee, on average" },
	{ "used_milli", COLUMN_INT64, false, "",
	  "completed I/Os a second, of the whole trace, in thousandths" },
};

const struct row_table capacity_table_rows = {
	.name = "capacity",
	.words = "a depth of a device: throughput and latency, and its knee",
	.first = columns,
	.step = sizeof(*columns),
	.count = CAPACITY_COLUMNS,
	.sums = { "completed", "time_ns" },
};

static const struct cell null = { .null = true };

static struct cell maybe(bool known, uint64_t n)
{
	return known ? cell_number(n) : null;
}

/* in thousandths, if it is finite */
static struct cell milli(double value)
{
	return maybe(isfinite(value),
		     (uint64_t)llround(fmin(fmax(value, 0) * 1000, 1e18)));
}

static void put_range(struct cell cells[3], const struct knee_range *r,
		      bool known)
{
	cells[0] = known ? milli(r->is) : null;
	cells[1] = known ? milli(r->low) : null;
	cells[2] = known ? milli(r->high) : null;
}

/* what each row of the device has */
static void put_facts(struct capacity_row *r)
{
	const struct knee *k = &r->facts.knee;
	bool known = k->state != KNEE_NONE && k->state != KNEE_DOUBTFUL;

	r->cells[14] = cell_text(knee_state_name(k->state));
	put_range(&r->cells[15], &k->level, known);
	put_range(&r->cells[18], &k->rate, known);
	r->cells[21] = maybe(known, (uint64_t)llround(k->misfit * 1e6));
	r->cells[22] = milli(r->facts.headroom.now);
}

bool capacity_row_begin(struct capacity_row *r, const struct capacity *c,
		       const struct reader *reader, struct naming *n,
		       uint32_t device)
{
	const struct device *d;

	*r = (struct capacity_row){ .of = capacity_of(c, device) };
	if (!r->of)
		return false;
	r->facts = r->of->facts;
	d = reader_devices(reader)->list[device];
	r->cells[0] = *naming_host(n, d->origin);
	r->cells[1] = *naming_trace(n, d->origin);
	r->cells[2] = *naming_disk(n, d, r->of->number);
	r->cells[3] = (struct cell){ .text = r->dev,
				     .len = naming_dev(r->dev, r->of->number) };
	put_facts(r);
	return true;
}

static uint64_t percentile(const struct histogram *h, uint32_t p)
{
	return histogram_kth(h, histogram_rank(h->count, p));
}

const struct cell *capacity_row_make(struct capacity_row *r, unsigned int row)
{
	const struct level *l = levels_at(r->of->levels, row);
	uint64_t parts;

	if (!l)
		return NULL;
	parts = l->parted ? l->parted : 1;
	r->cells[4] = cell_number(levels_low(row));
	r->cells[5] = cell_number(levels_high(row));
	r->cells[6] = cell_number(level_sum(l->time));
	r->cells[7] = cell_number(level_sum(l->done));
	r->cells[8] = cell_number(l->bytes);
	r->cells[9] = cell_number(l->latency.count);
	r->cells[10] = maybe(l->latency.count,
			     percentile(&l->latency, 50 * HISTOGRAM_PERCENT));
	r->cells[11] = maybe(l->latency.count,
			     percentile(&l->latency, 99 * HISTOGRAM_PERCENT));
	r->cells[12] = maybe(l->parted, wide_over(l->waited, parts).low);
	r->cells[13] = maybe(l->parted, wide_over(l->served, parts).low);
	return r->cells;
}
