/* SPDX-License-Identifier: GPL-2.0-only */
/* The sink to memory; see sink_ring.h. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/time.h"
#include "capture/notes.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/span.h"
#include "capture/to/chunk_reader.h"
#include "capture/to/chunks.h"
#include "capture/to/notebook.h"
#include "capture/to/piece.h"
#include "capture/to/sink_file.h"
#include "capture/to/sink_ring.h"
#include "record/record.h"

/* --- packer --------------------------------------------------------------- */

/*
 * Packs chunks in a thread of lower priority, which looks ten times a second
 * for chunks that readers have passed.  Recording threads do not wait for it:
 * if it is late, chunks go unpacked, and the ring is shorter.
 */

struct packer;

#define PAUSE (100 * NS_PER_MS)

enum { NICE = 10 };

struct packer {
	struct chunks *chunks;
	pthread_t thread;
	pthread_mutex_t lock;	/* of end */
	pthread_cond_t changed;
	bool end;
	struct piece_packer *pieces;
	uint8_t *piece;		/* room for one of a chunk */
};

/* Packs all it can of a lane. */
static void pack_lane(struct packer *p, struct chunk_lane *l)
{
	struct chunks *c = p->chunks;
	struct chunk *k;

	while ((k = chunks_to_pack(c, l))) {
		size_t len = piece_pack(p->pieces, k->bytes,
					atomic_load(&k->used),
					atomic_load(&k->last), p->piece,
					c->each);

		chunks_packed(c, l, k, p->piece, len);
	}
}

/* Lanes are only added. */
static unsigned int lanes_of(struct chunks *c)
{
	unsigned int count;

	pthread_mutex_lock(&c->lock);
	count = c->lane_count;
	pthread_mutex_unlock(&c->lock);
	return count;
}

/* Waits; false: stop. */
static bool pause_packing(struct packer *p)
{
	struct timespec until;
	bool end;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until = time_to_timespec(time_of_timespec(&until) + PAUSE);
	pthread_mutex_lock(&p->lock);
	if (!p->end)
		pthread_cond_timedwait(&p->changed, &p->lock, &until);
	end = p->end;
	pthread_mutex_unlock(&p->lock);
	return !end;
}

static void *pack(void *arg)
{
	struct packer *p = arg;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	do
		for (unsigned int i = lanes_of(p->chunks); i--;)
			pack_lane(p, p->chunks->lanes[i]);
	while (pause_packing(p));
	return NULL;
}

/* --- life ----------------------------------------------------------------- */

static void packer_free(struct packer *p)
{
	piece_packer_free(p->pieces);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	free(p->piece);
	free(p);
}

/* level: of gzip, 1 to 9, or 0: blocks; c must outlive the packer.  0 and *p,
 * or -errno. */
static int packer_start(struct packer **out, struct chunks *c, int level)
{
	struct packer *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	p->chunks = c;
	pthread_mutex_init(&p->lock, NULL);
	thread_cond_init(&p->changed);
	p->piece = malloc(c->each);
	p->pieces = piece_packer_new(level);
	err = p->piece && p->pieces ? thread_start(&p->thread, pack, p) :
				      -ENOMEM;
	if (err)
		packer_free(p);
	else
		*out = p;
	return err;
}

/* p may be NULL. */
static void packer_end(struct packer *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->end = true;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	packer_free(p);
}

/* --- sink ring ------------------------------------------------------------ */

/* longest from an event to its record, once its CPU has been read */
#define LATE (10 * NS_PER_MS)

struct ring {
	struct sink sink;
	struct sink_ring_options o;
	struct chunks *chunks;
	struct packer *packer;	/* or NULL */
	struct notebook notes;
	struct sink_ring_idle *idle;
};

/* --- records -------------------------------------------------------------- */

/* Bytes of whole records that fit into room. */
static size_t fitting(const uint8_t *records, size_t len, size_t room)
{
	size_t at = 0;

	if (len <= room)
		return len;
	while (at < len) {
		size_t next = at + span_record_len(records + at);

		if (next > room)
			break;
		at = next;
	}
	return at;
}

struct taking {			/* notes of a lane */
	struct ring *r;
	const struct chunk_lane *lane;
};

static int take_note(void *ctx, const uint8_t *note)
{
	const struct taking *t = ctx;

	return notebook_take(&t->r->notes, t->lane->device, t->lane->cpu,
			     note);
}

/* Puts records as long as they fit; *done: their bytes. */
static int put_some(struct ring *r, struct chunk_lane *l,
		    const uint8_t *records, size_t len, size_t *done)
{
	struct taking t = { r, l };
	struct passage p;

	*done = fitting(records, len, chunks_room(r->chunks, l));
	if (!*done)
		return 0;
	p = passage_of(records, *done, PASSAGE_NO_BORDER, take_note, &t);
	if (!p.error)
		chunks_put(l, records, *done, p.newest);
	return p.error;
}

/* Counts records without room, or larger than a chunk. */
static int ring_write(struct sink *base, struct sink_lane *sl,
		      const void *bytes, size_t len)
{
	struct ring *r = (struct ring *)base;
	struct chunk_lane *l = sl->out;
	const uint8_t *records = bytes, *end = records + len;
	int err = 0;

	while (records < end && !err) {
		size_t done;

		err = put_some(r, l, records, (size_t)(end - records), &done);
		records += done;
		if (err || done)
			continue;
		if (span_record_len(records) > r->chunks->each ||
		    !chunks_open(r->chunks, l)) {
			l->left_out++;
			records += span_record_len(records);
		}
	}
	return err;
}

/* --- as a sink ------------------------------------------------------------ */

static int ring_open(struct sink *base, struct sink_lane *l)
{
	struct ring *r = (struct ring *)base;

	l->out = chunks_add(r->chunks, &(struct chunk_lane){
		.name = l->name, .device = l->device, .cpu = l->cpu });
	return l->out ? 0 : -ENOMEM;
}

/* Closes a chunk old enough that it may have to go. */
static void let_old_go(struct ring *r, struct chunk_lane *l, uint64_t now)
{
	uint64_t gone = atomic_load(&r->chunks->gone);

	if (l->open && l->time < gone)
		chunks_close(r->chunks, l);
	if (r->o.time && now > r->o.time)
		chunks_expire(r->chunks, l, now - r->o.time);
}

/* The CPU's buffer was empty at the last flush, and is now: all events before
 * the last one have come. */
static int ring_flush(struct sink *base, struct sink_lane *sl)
{
	struct ring *r = (struct ring *)base;
	struct chunk_lane *l = sl->out;
	uint64_t now = r->o.now().time;

	if (l->looked > LATE)
		atomic_store_explicit(&l->drained, l->looked - LATE,
				      memory_order_release);
	l->looked = now;
	let_old_go(r, l, now);
	return 0;
}

static int ring_close(struct sink *base, struct sink_lane *sl, uint64_t drops)
{
	struct chunk_lane *l = sl->out;

	(void)base, (void)drops;
	atomic_store(&l->drained, UINT64_MAX);
	sl->out = NULL;
	return 0;
}

static void ring_free(struct sink *base)
{
	struct ring *r = (struct ring *)base;

	while (r->idle) {
		struct sink_ring_idle *i = r->idle;

		r->idle = i->next;
		free(i->name);
		free(i);
	}
	packer_end(r->packer);
	chunks_free(r->chunks);
	notebook_free(&r->notes);
	free(r);
}

static int ring_touch(struct sink *base, const char *name, uint32_t cpu)
{
	struct ring *r = (struct ring *)base;
	struct sink_ring_idle *i = calloc(1, sizeof(*i));

	if (!i)
		return -ENOMEM;
	i->name = strdup(name);
	if (!i->name) {
		free(i);
		return -ENOMEM;
	}
	i->cpu = cpu;
	i->next = r->idle;
	r->idle = i;
	return 0;
}

static const struct sink_ops ring_ops = {
	.open = ring_open,
	.write = ring_write,
	.flush = ring_flush,
	.close = ring_close,
	.free = ring_free,
	.touch = ring_touch,
};

/* --- the whole ------------------------------------------------------------ */

static int start_packer(struct ring *r)
{
	int err = 0;

	if (r->o.level || r->o.pack)
		err = packer_start(&r->packer, r->chunks, r->o.level);
	if (!err)
		return 0;
	reporter_write(r->o.reporter, "the ring cannot be packed: %s",
		       strerror(-err));
	ring_free(&r->sink);
	return err;
}

int sink_ring_new(struct sink **s, const struct sink_ring_options *o)
{
	struct ring *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	err = chunks_new(&r->chunks, o->size, o->lanes);
	if (err) {
		if (err == -ENOMEM)
			reporter_write(o->reporter, "no memory for a ring of"
				       " %zu KiB", o->size >> 10);
		else
			reporter_write(o->reporter, "the ring needs %zu KiB for"
				       " these devices on these CPUs",
				       chunks_least(o->lanes) >> 10);
		free(r);
		return err;
	}
	r->sink.ops = &ring_ops;
	r->o = *o;
	notebook_init(&r->notes);
	*s = &r->sink;
	return start_packer(r);
}

struct chunks *sink_ring_chunks(struct sink *s)
{
	return ((struct ring *)s)->chunks;
}

static struct notebook *sink_ring_notes(struct sink *s)
{
	return &((struct ring *)s)->notes;
}

const struct sink_ring_idle *sink_ring_idle(const struct sink *s)
{
	return ((const struct ring *)s)->idle;
}

/* --- excerpt -------------------------------------------------------------- */

/* Bytes before the first event of that time or later. */
static size_t before(const uint8_t *records, size_t len, uint64_t time)
{
	return passage_of(records, len, time, NULL, NULL).len;
}

static int write_head(const struct excerpt *e, struct sink_lane *l)
{
	struct sink *files = e->files;
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
	struct sink_lane *lane;
	struct chunk_reader from;
	bool begun;		/* had an event of the window */
	bool over;		/* had a later one, or has no more */
};

/* Writes the records of one look. */
static int write_some(struct writing *w)
{
	const struct chunk_window *win = w->e->window;
	struct sink *files = w->e->files;
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
	return cut > skip ? files->ops->write(files, w->lane, records + skip,
					      cut - skip) : 0;
}

/* Writes a piece unchanged if it is not cut. */
static int write_next(struct writing *w)
{
	struct piece p;

	if (!w->begun || !w->e->gzip ||
	    !chunk_reader_piece(&w->from, &p) ||
	    p.newest > w->e->window->to)
		return write_some(w);
	chunk_reader_pass(&w->from, &p);
	return sink_file_member(w->e->files, w->lane, p.member, p.len);
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

static int write_lane(struct excerpt *e, struct chunk_lane *from)
{
	struct sink *files = e->files;
	struct sink_lane l = { .name = from->name, .device = from->device,
			       .cpu = from->cpu };
	struct writing w = {
		.e = e, .lane = &l,
		.from = { .chunks = sink_ring_chunks(e->ring), .lane = from,
			  .from = e->window->from },
	};
	int err = files->ops->open(files, &l), closed;

	if (err)
		return err;
	err = write_head(e, &l);
	if (!err)
		err = write_records(&w);
	closed = files->ops->close(files, &l, 0);
	return err ? err : closed;
}

int excerpt_write(struct excerpt *e)
{
	struct chunks *c = sink_ring_chunks(e->ring);
	const struct sink_ring_idle *i = sink_ring_idle(e->ring);
	int err = 0;

	e->whole = e->window->from;
	for (; !err && i; i = i->next)
		err = e->files->ops->touch(e->files, i->name, i->cpu);
	for (unsigned int n = 0; !err && n < c->lane_count; n++)
		err = write_lane(e, c->lanes[n]);
	return err;
}
