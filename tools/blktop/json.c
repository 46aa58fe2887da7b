/* SPDX-License-Identifier: GPL-2.0-only */
/* A sample for programs; see json.h. */
#include "base/buf.h"
#include "emit/sink.h"
#include "emit/values.h"
#include "request/io.h"
#include "tools/blktop/json.h"
#include "tools/blktop/sample.h"

static void put_span(struct sink *k, const char *name, uint64_t ns)
{
	sink_maybe(k, name, ns != IO_NONE, ns);
}

static void put_times(struct sink *k, const struct sample_times *t)
{
	sink_number(k, "measured", t->count);
	sink_number(k, "sum_ns", t->sum);
	put_span(k, "mean_ns", t->mean);
	put_span(k, "p50_ns", t->p50);
	put_span(k, "p99_ns", t->p99);
	put_span(k, "max_ns", t->max);
}

static void begin_line(struct sink *k, const char *row, const struct sample *s)
{
	k->begun = false;
	sink_row(k);
	sink_text(k, "row", row);
	sink_number(k, "time_ns", s->depth.from);
	sink_number(k, "length_ns", s->depth.to - s->depth.from);
}

static void end_line(struct sink *k)
{
	sink_row_end(k);
	buf_append(k->b, "\n", 1);
}

/* devices that are late, the oldest I/O first */
static void put_late(struct sink *k, const struct sample *s)
{
	for (unsigned int i = 0; i < s->late.count; i++) {
		const struct late_device *d = &s->late.list[i];

		begin_line(k, "late", s);
		sink_text(k, "disk", d->device);
		sink_number(k, "in_flight", d->count);
		sink_number(k, "oldest_ns", d->age);
		sink_text(k, "op", io_op_name(d->op));
		sink_maybe(k, "sector", d->sector != IO_NONE, d->sector);
		if (*d->process)
			sink_text(k, "process", d->process);
		else
			sink_none(k, "process");
		end_line(k);
	}
}

static void put_interval(struct sink *k, const struct sample *s)
{
	begin_line(k, "interval", s);
	sink_number(k, "ios", s->read.ios + s->write.ios + s->rest.ios);
	sink_number(k, "bytes", s->read.bytes + s->write.bytes +
				s->rest.bytes);
	sink_number(k, "errors", s->errors);
	sink_number(k, "read_ios", s->read.ios);
	sink_number(k, "read_bytes", s->read.bytes);
	sink_number(k, "write_ios", s->write.ios);
	sink_number(k, "write_bytes", s->write.bytes);
	put_times(k, &s->times);
	sink_wide(k, "depth_ns", s->depth.integral);
	sink_number(k, "depth_most", s->depth.most);
	sink_number(k, "busy_ns", s->depth.busy);
	sink_flag(k, "depth_exact", s->depth.exact);
	sink_number(k, "in_flight", s->late.in_flight);
	sink_number(k, "lost_records", s->lost);
	end_line(k);
}

static void put_row(struct sink *k, const struct sample *s,
		    const struct sample_table *t, const struct sample_row *row)
{
	const char *key = value_column(t->key), *name = sample_name(t, row);

	begin_line(k, key, s);
	if (!t->number)
		sink_text(k, key, name);
	else if (row->other)
		sink_none(k, key);
	else
		sink_number(k, key, t->key == GROUP_PID ?
				    (uint32_t)row->value : row->value);
	sink_flag(k, "other", row->other);
	sink_number(k, "ios", row->ios);
	sink_number(k, "bytes", row->bytes);
	sink_number(k, "errors", row->errors);
	put_times(k, &row->times);
	end_line(k);
}

void json_late(struct buf *b, const struct sample *s)
{
	struct sink k = { .b = b, .json = true, .one_line = true };

	put_late(&k, s);
}

void json_sample(struct buf *b, const struct sample *s,
		 const struct sample_table *table)
{
	struct sink k = { .b = b, .json = true, .one_line = true };

	put_late(&k, s);
	put_interval(&k, s);
	for (unsigned int i = 0; table && i < table->count; i++)
		put_row(&k, s, table, &table->rows[i]);
}
