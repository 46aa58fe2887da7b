/* SPDX-License-Identifier: GPL-2.0-only */
/* The slowest ios, a line each; see screen.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/look.h"
#include "base/time.h"
#include "emit/cells.h"
#include "stat/group_op.h"
#include "stat/measure.h"
#include "tools/btstat/options.h"
#include "tools/btstat/screen.h"
#include "tools/btstat/tally.h"

/* whether the table has a column more for what --order asks for */
static bool has_own_column(const struct screen *s)
{
	unsigned int m = (unsigned int)s->o->order;

	return m != MEASURE_Q2C && m != MEASURE_TOTAL && m != IO_I2D && m != IO_D2C;
}

static void add_columns(const struct screen *s, struct table *t,
			const char *order)
{
	table_column(t, (struct table_column){ "queued", 10, false, 0 });
	table_column(t, (struct table_column){ "device", 6, true, 0 });
	table_column(t, (struct table_column){ "op", 6, true, 0 });
	table_column(t, (struct table_column){ "sector", 8, false, 0 });
	table_column(t, (struct table_column){ "size", 6, false, 4 });
	if (has_own_column(s))
		table_column(t, (struct table_column){ order, 7, false, 0 });
	table_column(t, (struct table_column){ "Q2C", 7, false, 0 });
	table_column(t, (struct table_column){ "I2D", 7, false, 5 });
	table_column(t, (struct table_column){ "D2C", 7, false, 2 });
	table_column(t, (struct table_column){ "process", 7, true, 1 });
}

static void cell_span(struct table *t, uint64_t ns)
{
	if (ns == IO_NONE)
		table_cell(t, "-");
	else
		cell_time(t, ns);
}

static void cell_moment(struct table *t, uint64_t ns)
{
	uint64_t us = ns / NS_PER_US;
	char text[40];

	snprintf(text, sizeof(text), "%llu.%06us",
		 (unsigned long long)(us / 1000000),
		 (unsigned int)(us % 1000000));
	table_cell(t, text);
}

static void cell_process(const struct screen *s, struct table *t,
			 const struct top_io *io)
{
	const char *name = reader_process(s->facts->reader, io->origin,
					  (uint32_t)io->pid);
	char shown[64] = "?", text[128];

	if (name)
		escape_text(shown, sizeof(shown), name, strlen(name));
	snprintf(text, sizeof(text), "%s/%u", shown, (uint32_t)io->pid);
	if (io->open)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "  in flight");
	if (io->error)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "  error %u", io->error);
	table_cell(t, text);
}

static void put_io(const struct screen *s, struct table *t,
		   const struct top_io *io)
{
	char device[VALUE_MAX];

	cell_moment(t, io->time);
	value_device(&s->values, io->device, device);
	table_cell(t, device);
	table_cell(t, group_op_name(io->op));
	cell_count(t, io->sector);
	cell_size(t, io->bytes);
	if (has_own_column(s))
		cell_time(t, io->by);
	cell_span(t, io->q2c);
	cell_span(t, io->i2d);
	cell_span(t, io->d2c);
	cell_process(s, t, io);
}

int screen_top(const struct screen *s)
{
	const struct top *top = &s->tally->top;
	struct table t = { .text = NULL };
	char order[16];
	int err;

	add_columns(s, &t, cell_measure_name(top->measure, order));
	for (unsigned int i = 0; i < top->count; i++)
		put_io(s, &t, &top->list[i]);
	err = table_print(&t, s->b, s->look->width, true);
	table_free(&t);
	return err;
}
