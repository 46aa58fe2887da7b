/* SPDX-License-Identifier: GPL-2.0-only */
/* The table segments; see covered.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wide.h"
#include "expr/filter.h"
#include "machine/card.h"
#include "request/io.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/covered.h"

static const struct column columns[COVERED_COLUMNS] = {
	{ "host", COLUMN_TEXT, false, "", "as in ios" },
	{ "trace", COLUMN_TEXT, false, "", "as in ios" },
	{ "segment", COLUMN_INT32, false, "", "as in ios" },
	{ "disk", COLUMN_TEXT, true, "", "as in ios" },
	{ "dev", COLUMN_TEXT, true, "", "as in ios; null: it had no I/O" },
	{ "boot", COLUMN_TEXT, true, "",
	  "id of the machine's boot, by the trace's card" },
	{ "from_unix_ns", COLUMN_INT64, true, "ns",
	  "start of what is covered, since 1970, UTC" },
	{ "to_unix_ns", COLUMN_INT64, true, "ns", "and its end" },
	{ "io_rows", COLUMN_INT64, false, "", "rows in the table ios" },
	{ "ios", COLUMN_INT64, false, "", "of these I/Os as btstat counts" },
	{ "sum_bytes", COLUMN_INT64, false, "bytes", "the sum of their bytes" },
	{ "sum_total_ns", COLUMN_INT64, false, "ns",
	  "the sum of their total_ns" },
	{ "errors", COLUMN_INT64, false, "", "how many of them failed" },
	{ "in_flight", COLUMN_INT64, false, "", "I/Os in flight at the end" },
	{ "oldest_ns", COLUMN_INT64, true, "ns", "age of the oldest of these" },
	{ "dropped", COLUMN_INT64, false, "", "events dropped by the kernel" },
	{ "missing", COLUMN_INT64, false, "", "events missing by their numbers" },
};

const struct row_table covered_table = {
	.name = "segments",
	.words = "a device in a trace or segment: what is covered, and sums",
	.first = columns,
	.step = sizeof(*columns),
	.count = COVERED_COLUMNS,
	.sums = { "ios", "sum_bytes" },
};

/* --- counting ------------------------------------------------------------- */

/* to count devices; 0 or -ENOMEM */
static int grow(struct covered *s, uint32_t count)
{
	struct covered_device *list;

	if (count <= s->count)
		return 0;
	list = array_resize(s->list, count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	memset(list + s->count, 0, (count - s->count) * sizeof(*list));
	s->list = list;
	s->count = count;
	return 0;
}

int covered_add_open(struct covered *s, const struct io *io, uint64_t age)
{
	struct covered_device *d;

	if (grow(s, io->disk->id + 1))
		return -ENOMEM;
	if (!filter_is_unit(false, io))
		return 0;
	d = &s->list[io->disk->id];
	d->number = io->device;
	d->open++;
	d->oldest = age > d->oldest ? age : d->oldest;
	return 0;
}

int covered_add(struct covered *s, const struct io *io)
{
	struct covered_device *d;

	if (grow(s, io->disk->id + 1))
		return -ENOMEM;
	d = &s->list[io->disk->id];
	d->number = io->device;
	d->rows++;
	if (!filter_is_unit(false, io))
		return 0;
	d->ios++;
	d->bytes = wide_clamped_sum(d->bytes, io->bytes);
	d->errors += io->error != 0;
	if (io->total != IO_NONE && !io_is_untimed(io))
		d->total = wide_clamped_sum(d->total, io->total);
	if (io->ended == IO_ENDED_OPEN)
		return covered_add_open(s, io, io->age);
	return 0;
}

/* missing of a device, so far */
static uint64_t missing_of(const struct reader *r, uint32_t device)
{
	struct loss loss;

	reader_loss(r, device, &loss);
	return loss.missing;
}

int covered_next(struct covered *s, const struct reader *r)
{
	const struct devices *d = reader_devices(r);

	if (grow(s, d->count))
		return -ENOMEM;
	for (uint32_t i = 0; i < d->count; i++)
		s->list[i] = (struct covered_device){
			.number = s->list[i].number,
			.dropped = d->list[i]->dropped,
			.missing = missing_of(r, i) };
	return 0;
}

void covered_free(struct covered *s)
{
	free(s->list);
	*s = (struct covered){ 0 };
}

/* --- rows ----------------------------------------------------------------- */

static struct cell moment(const struct covered_span *span, int64_t ns)
{
	return (struct cell){ .number = ns, .null = !span->known };
}

/* what has come on top; a late number may have closed a hole */
static struct cell more(uint64_t now, uint64_t before)
{
	return cell_number(now > before ? now - before : 0);
}

static const struct cell null = { .null = true };

static void put_names(struct covered *s, const struct device *dev,
		      struct naming *n, uint32_t number,
		      struct cell cells[COVERED_COLUMNS])
{
	cells[0] = *naming_host(n, dev->origin);
	cells[1] = *naming_trace(n, dev->origin);
	cells[3] = cells[4] = null;
	if (dev->label || number)
		cells[3] = *naming_disk(n, dev, number);
	if (number)
		cells[4] = (struct cell){ .text = s->dev,
					  .len = naming_dev(s->dev, number) };
	cells[5] = cell_text(card_text(dev->card, "boot_id"));
}

static void put_sums(const struct covered_device *of,
		     struct cell cells[COVERED_COLUMNS])
{
	cells[8] = cell_number(of->rows);
	cells[9] = cell_number(of->ios);
	cells[10] = cell_number(of->bytes);
	cells[11] = cell_number(of->total);
	cells[12] = cell_number(of->errors);
	cells[13] = cell_number(of->open);
	cells[14] = of->open ? cell_number(of->oldest) : null;
}

bool covered_row(struct covered *s, const struct reader *r, struct naming *n,
		  uint32_t device, const struct covered_span *span,
		  struct cell cells[COVERED_COLUMNS])
{
	const struct devices *d = reader_devices(r);
	struct covered_device of = { 0 };
	const struct device *dev;

	if (device >= d->count)
		return false;
	dev = d->list[device];
	if (device < s->count)
		of = s->list[device];
	put_names(s, dev, n, dev->number ? dev->number : of.number, cells);
	cells[2] = (struct cell){ .number = span->segment };
	cells[6] = moment(span, span->from);
	cells[7] = moment(span, span->to);
	put_sums(&of, cells);
	cells[15] = more(dev->dropped, of.dropped);
	cells[16] = more(missing_of(r, device), of.missing);
	return true;
}
