/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of an io or an event; see feed.h. */
#include <stddef.h>

#include "base/hint.h"
#include "base/msg.h"
#include "emit/row.h"
#include "record/record.h"
#include "run/host.h"
#include "tools/btexport/event_row.h"
#include "tools/btexport/feed.h"
#include "tools/btexport/io_row.h"
#include "tools/btexport/meta.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/operands.h"
#include "tools/btexport/options.h"
#include "tools/btexport/outputs.h"

enum { HOST_MAX = 256 };

static int make_rows(struct feed *f, bool events)
{
	enum table_kind kind = events ? TABLE_EVENTS : TABLE_IOS;
	const struct fields *fields = &f->o->out.fields[kind];

	if (!export_wants(f->o, kind) || !f->o->out.format->row)
		return 0;
	if (events)
		return event_row_new(&f->event_row, f->reader, f->naming,
				     fields->numbers, fields->shape.count);
	return io_row_new(&f->io_row, f->reader, f->naming, fields->numbers,
			  fields->shape.count);
}

int feed_init(struct feed *f, const struct export_options *o,
	      const struct reader *r, const struct operands *operands,
	      bool events)
{
	char host[HOST_MAX];
	int err;

	*f = (struct feed){ .o = o, .reader = r, .operands = operands };
	filter_init(&f->filter, o->mask, o->where, r);
	err = host_of_run(host, sizeof(host), o->directory,
			  operands->names[0]);
	if (!err)
		err = naming_new(&f->naming, r, host);
	if (!err)
		err = meta_new(&f->meta);
	if (!err)
		err = make_rows(f, events);
	if (err)
		feed_free(f);
	return err;
}

static COLD bool no_memory(void)
{
	msg_warn("out of memory");
	return false;
}

static bool feed_named(struct feed *f, struct output *out, const struct io *io)
{
	struct named_io named;

	naming_io(f->naming, io, &named);
	named.has_start = wall_at(&f->wall, f->reader, 0, &named.start);
	return output_io(out, &named);
}

/* io is not wanted */
static inline bool pass_over(struct output *out, const struct io *io)
{
	return !out || output_leave_out(out, io);
}

bool feed_io(struct feed *f, struct outputs *s, const struct io *io,
	     uint64_t now)
{
	struct output *out = s->of[TABLE_IOS];

	if (!io_in_window(io, &f->o->window))
		return pass_over(out, io);
	if (meta_add(f->meta, io))
		return no_memory();
	if (!filter_passes(&f->filter, io, now))
		return pass_over(out, io);
	if (s->of[TABLE_LATENCY] && latency_add(&f->latency, io))
		return no_memory();
	if (f->io_row)
		return output_row(out, TABLE_IOS, io_row_make(f->io_row, io));
	return !out || feed_named(f, out, io);
}

/* by -w, and by -a and -A as blkparse has them */
static bool is_wanted(const struct export_options *o, const struct event *ev)
{
	if (ev->time < o->window.start)
		return false;
	return o->mask == UINT32_MAX ||
	       (ev->action & o->mask << 16) | (ev->zone & o->mask >> 16);
}

bool feed_event(struct feed *f, struct outputs *s, const struct event *ev)
{
	if (!is_wanted(f->o, ev)) {
		event_row_skip(f->event_row);
		return true;
	}
	return output_row(s->of[TABLE_EVENTS], TABLE_EVENTS,
			  event_row_make(f->event_row, ev));
}

/* --- the end -------------------------------------------------------------- */

/* of a row of all columns those that are wanted */
static bool put_picked(struct output *out, enum table_kind kind,
		       const struct cell *all)
{
	const struct fields *fields = &out->o->fields[kind];
	struct cell picked[ROW_COLUMNS];

	for (unsigned int i = 0; i < fields->shape.count; i++)
		picked[i] = all[fields->numbers[i]];
	return output_row(out, kind, picked);
}

static bool put_latency(struct feed *f, struct output *out)
{
	struct cell cells[LATENCY_COLUMNS];
	struct latency_place at = { 0 };

	while (latency_next(&f->latency, f->naming, &at, cells))
		if (!put_picked(out, TABLE_LATENCY, cells))
			return false;
	return true;
}

static bool put_meta(struct feed *f, struct output *out,
		     const struct facts *facts)
{
	if (meta_end(f->meta, facts, f->naming, f->operands))
		return no_memory();
	for (unsigned int i = 0; i < meta_count(f->meta); i++)
		if (!put_picked(out, TABLE_META, meta_row(f->meta, i)))
			return false;
	return true;
}

bool feed_end(struct feed *f, struct outputs *s, const struct facts *facts)
{
	if (s->of[TABLE_LATENCY] && !put_latency(f, s->of[TABLE_LATENCY]))
		return false;
	return !s->of[TABLE_META] || put_meta(f, s->of[TABLE_META], facts);
}

void feed_free(struct feed *f)
{
	latency_free(&f->latency);
	io_row_free(f->io_row);
	event_row_free(f->event_row);
	meta_free(f->meta);
	naming_free(f->naming);
	*f = (struct feed){ .o = NULL };
}
