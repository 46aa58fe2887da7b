/* SPDX-License-Identifier: GPL-2.0-only */
/* The table latency; see latency.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "expr/filter.h"
#include "request/io.h"
#include "run/device.h"
#include "tools/btexport/latency.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/row_table.h"

enum phase { D2C, TOTAL, PHASES };

/* all phases of each operation, in the order of rows */
enum { SERIES = (int)IO_OPS * PHASES };

struct latency_disk {
	const struct device *disk;
	uint32_t number;	/* of its first I/O */
	struct histogram series[SERIES];
};

static const struct column columns[LATENCY_COLUMNS] = {
	{ "host", COLUMN_TEXT, false, "",
	  "the machine: its directory's name, or its own" },
	{ "disk", COLUMN_TEXT, false, "",
	  "the device's name, or its dev" },
	{ "op", COLUMN_TEXT, false, "", "as in ios" },
	{ "phase", COLUMN_TEXT, false, "",
	  "the time measured: total or d2c" },
	{ "low_ns", COLUMN_INT64, false, "ns", "the least that counts here" },
	{ "high_ns", COLUMN_INT64, false, "ns", "the most that counts here" },
	{ "count", COLUMN_INT64, false, "", "how many were in between" },
	{ "trace", COLUMN_TEXT, false, "", "as in ios" },
};

const struct row_table latency_table = {
	.name = "latency",
	.words = "I/Os by time: a row for each cell of a histogram",
	.first = columns,
	.step = sizeof(*columns),
	.count = LATENCY_COLUMNS,
};

/* --- counting ------------------------------------------------------------- */

static int grow(struct latency *l, uint32_t id)
{
	uint32_t count = id + 1 + id / 2;
	struct latency_disk **disks;

	if (id < l->count)
		return 0;
	disks = realloc(l->disks, count * sizeof(*disks));
	if (!disks)
		return -ENOMEM;
	memset(disks + l->count, 0, (count - l->count) * sizeof(*disks));
	l->disks = disks;
	l->count = count;
	return 0;
}

static int add_disk(struct latency *l, const struct io *io)
{
	int err = grow(l, io->disk->id);
	struct latency_disk *d = err ? NULL : calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->disk = io->disk;
	d->number = io->device;
	l->disks[io->disk->id] = d;
	return 0;
}

int latency_add(struct latency *l, const struct io *io)
{
	uint32_t id = io->disk->id;
	struct histogram *series;
	int err = 0;

	if (!filter_is_unit(false, io))
		return 0;
	if (id >= l->count || !l->disks[id])
		err = add_disk(l, io);
	if (err)
		return err;
	series = &l->disks[id]->series[io->op * PHASES];
	if (io->total != IO_NONE)
		err = histogram_add(&series[TOTAL], io->total);
	if (!err && io->has & 1u << IO_D2C)
		err = histogram_add(&series[D2C], io->phase[IO_D2C]);
	return err;
}

/* --- rows ----------------------------------------------------------------- */

static void put_text(struct cell *c, const char *text)
{
	*c = (struct cell){ .text = text, .len = (uint32_t)strlen(text) };
}

/* only hostile times exceed a column's type */
static int64_t limit(uint64_t v)
{
	return v <= INT64_MAX ? (int64_t)v : INT64_MAX;
}

static void put_row(const struct latency_disk *d, struct naming *n,
		    const struct latency_place *at, uint64_t count,
		    struct cell cells[LATENCY_COLUMNS])
{
	unsigned int cell = (unsigned int)at->cell - 1;

	cells[0] = *naming_host(n, d->disk->origin);
	cells[1] = *naming_disk(n, d->disk, d->number);
	put_text(&cells[2], io_op_name(at->series / PHASES));
	put_text(&cells[3], at->series % PHASES == TOTAL ? "total" : "d2c");
	cells[4] = (struct cell){ .number = limit(histogram_cell_low(cell)) };
	cells[5] = (struct cell){ .number = limit(histogram_cell_high(cell)) };
	cells[6] = (struct cell){ .number = limit(count) };
	cells[7] = *naming_trace(n, d->disk->origin);
}

/* the device's next cell that is not empty; false: no more */
static bool next_of(const struct latency_disk *d, struct latency_place *at,
		    uint64_t *count)
{
	for (; at->series < SERIES; at->series++, at->cell = 0) {
		int cell = at->cell - 1;

		if (histogram_next(&d->series[at->series], &cell, count)) {
			at->cell = cell + 1;
			return true;
		}
	}
	return false;
}

bool latency_next(const struct latency *l, struct naming *n,
		  struct latency_place *at, struct cell cells[LATENCY_COLUMNS])
{
	for (; at->disk < l->count; at->disk++) {
		const struct latency_disk *d = l->disks[at->disk];
		uint64_t count;

		if (d && next_of(d, at, &count)) {
			put_row(d, n, at, count, cells);
			return true;
		}
		at->series = 0;
		at->cell = 0;
	}
	return false;
}

void latency_free(struct latency *l)
{
	for (uint32_t i = 0; i < l->count; i++) {
		for (int s = 0; l->disks[i] && s < SERIES; s++)
			histogram_free(&l->disks[i]->series[s]);
		free(l->disks[i]);
	}
	free(l->disks);
	*l = (struct latency){ 0 };
}
