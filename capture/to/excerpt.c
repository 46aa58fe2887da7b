/* SPDX-License-Identifier: GPL-2.0-only */
/* A window of time of what a ring has, as a trace; see excerpt.h. */
#include <errno.h>
#include <stdlib.h>

#include "capture/passage.h"
#include "capture/sink.h"
#include "capture/to/chunk_reader.h"
#include "capture/to/chunks.h"
#include "capture/to/excerpt.h"
#include "capture/to/notebook.h"
#include "capture/to/sink_ring.h"

static int no_take(void *ctx, const uint8_t *note)
{
	(void)ctx, (void)note;
	return 0;
}

/* Bytes before the first event of that time or later. */
static size_t before(const uint8_t *records, size_t len, uint64_t time)
{
	return passage_of(records, len, time, no_take, NULL).len;
}

static int write_head(const struct excerpt *e, struct sink *files,
		      struct sink_lane *l)
{
	const struct notebook_head h = {
		.device = l->device, .cpu = l->cpu,
		.border = e->window->from, .now = e->now,
	};
	size_t len;
	uint8_t *head = notebook_write(sink_ring_notes(e->ring), &h, &len);
	int err = head ? files->ops->write(files, l, head, len) : -ENOMEM;

	free(head);
	return err;
}

struct writing {		/* a lane */
	struct excerpt *e;
	struct sink *files;
	struct sink_lane *lane;
	struct chunk_reader from;
	bool begun;		/* an event of the window has been met */
	bool over;		/* one behind it has, or there are no more */
};

/* What one look brings. */
static int write_some(struct writing *w)
{
	const struct chunk_window *win = w->e->window;
	const uint8_t *records;
	size_t len = chunk_reader_look(&w->from, &records), skip = 0, cut;

	if (!w->begun && len)
		skip = before(records, len, win->from);
	w->begun |= skip < len;
	cut = skip + before(records + skip, len - skip, win->to + 1);
	chunk_reader_take(&w->from, len);
	w->over = !len || cut < len;
	if (w->from.error)
		return w->from.error;
	return cut > skip ? w->files->ops->write(w->files, w->lane,
						 records + skip,
						 cut - skip) : 0;
}

/* A piece of which nothing is cut off goes as it is. */
static int write_next(struct writing *w)
{
	struct piece p;

	if (!w->begun || !w->e->files.level ||
	    !chunk_reader_piece(&w->from, &p) ||
	    p.newest > w->e->window->to)
		return write_some(w);
	chunk_reader_pass(&w->from, &p);
	return sink_file_member(w->files, w->lane, p.member, p.len);
}

static int write_records(struct writing *w)
{
	struct excerpt *e = w->e;
	struct chunk_reader *r = &w->from;
	int err = 0;

	while (!err && !w->over) {
		uint64_t whole = chunks_wrote(r->chunks, e->window,
					      r->lane->number, r->serial);

		e->whole = whole > e->whole ? whole : e->whole;
		err = e->is_over && e->is_over(e->ctx) ? -ECANCELED :
							 write_next(w);
	}
	chunk_reader_end(r);
	return err;
}

static int write_lane(struct excerpt *e, struct sink *files,
		      struct chunk_lane *from)
{
	struct sink_lane l = { .name = from->name, .device = from->device,
			       .cpu = from->cpu };
	struct writing w = {
		.e = e, .files = files, .lane = &l,
		.from = { .chunks = sink_ring_chunks(e->ring), .lane = from,
			  .from = e->window->from },
	};
	int err = files->ops->open(files, &l), closed;

	if (err)
		return err;
	err = write_head(e, files, &l);
	if (!err)
		err = write_records(&w);
	closed = files->ops->close(files, &l, 0);
	return err ? err : closed;
}

static int write_lanes(struct excerpt *e, struct sink *files)
{
	struct chunks *c = sink_ring_chunks(e->ring);
	const struct sink_ring_idle *i = sink_ring_idle(e->ring);
	int err = 0;

	for (; !err && i; i = i->next)
		err = files->ops->touch(files, i->name, i->cpu);
	for (unsigned int n = 0; !err && n < c->lane_count; n++)
		err = write_lane(e, files, c->lanes[n]);
	return err;
}

int excerpt_write(struct excerpt *e)
{
	struct sink *files;
	int err = sink_file_new(&files, &e->files);

	e->whole = e->window->from;
	if (err)
		return err;
	err = write_lanes(e, files);
	files->ops->free(files);
	return err;
}
