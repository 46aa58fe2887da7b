/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a call; see parts.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "commit/parts.h"
#include "commit/writes.h"

enum { FIRST = 64 };		/* edges at first */

/* What may be under way; the first one that is decides. */
enum layer {
	OWN_DATA,
	OWN_JOURNAL,
	OWN_FLUSH,
	OWN_BLOCKED,		/* its flush waits until another one is over */
	SERVING_JOURNAL,
	SERVING_FLUSH,
	SERVING_BLOCKED,
	SERVING,		/* it has begun, and nothing of it is written */
	OTHER_COMMIT,
	WRITEBACK,
	LAYERS
};

static const enum commit_part parts_of[LAYERS + 1] = {
	[OWN_DATA] = COMMIT_DATA,
	[OWN_JOURNAL] = COMMIT_JOURNAL,
	[OWN_FLUSH] = COMMIT_FLUSH,
	[OWN_BLOCKED] = COMMIT_OTHER,
	[SERVING_JOURNAL] = COMMIT_JOURNAL,
	[SERVING_FLUSH] = COMMIT_FLUSH,
	[SERVING_BLOCKED] = COMMIT_OTHER,
	[SERVING] = COMMIT_IDLE,
	[OTHER_COMMIT] = COMMIT_OTHER,
	[WRITEBACK] = COMMIT_WRITEBACK,
	[LAYERS] = COMMIT_IDLE,
};

/* where something begins, or ends */
struct edge {
	uint64_t time;
	int8_t step;		/* 1 or -1 */
	uint8_t layer;
};

/* a call that is looked at */
struct look {
	struct parts *p;
	const struct writes *w;
	struct commit *c;
	uint64_t end;
	uint64_t serving;	/* number of the journal commit, or 0 */
	uint64_t longest;	/* ns of the longest other one */
};

/* --- edges ---------------------------------------------------------------- */

static int add_edge(struct parts *p, uint64_t time, int step, enum layer layer)
{
	struct edge *edges = array_reserve(p->edges, p->count, &p->size, FIRST,
					   sizeof(*edges));

	if (!edges)
		return -ENOMEM;
	p->edges = edges;
	edges[p->count++] = (struct edge){ time, (int8_t)step, (uint8_t)layer };
	return 0;
}

/* adds what is within the call */
static int add_span(struct look *l, enum layer layer, uint64_t from,
		    uint64_t to)
{
	int err;

	if (from < l->c->time)
		from = l->c->time;
	if (to > l->end)
		to = l->end;
	if (from >= to)
		return 0;
	err = add_edge(l->p, from, 1, layer);
	return err ? err : add_edge(l->p, to, -1, layer);
}

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* --- what a write is for the call ----------------------------------------- */

static bool is_there(const struct look *l, const struct write *w)
{
	return w->origin == l->c->origin && w->device == l->c->device;
}

static bool is_own(const struct look *l, const struct write *w)
{
	return w->thread == l->c->thread && w->origin == l->c->origin &&
	       w->kind != WRITE_FLUSHER;
}

/* whether it was over before the call began; then all before it were */
static bool is_before(const struct look *l, const struct write *w)
{
	return w->to <= l->c->time;
}

/*
 * The kernel has one flush under way at a time: until when the one that had been
 * issued when the write was queued was.
 */
static uint64_t blocked_until(const struct look *l, const struct write *write)
{
	uint64_t until = write->from;
	const struct write *w;

	for (uint64_t n = 0; (w = writes_get(l->w, n)); n++) {
		if (w->to <= write->from)
			break;
		if (w->kind == WRITE_FLUSHER && w->from < write->from &&
		    w->to > until && w->device == write->device &&
		    w->origin == write->origin)
			until = w->to;
	}
	return until;
}

/* its flush before data, itself, and its flush after */
static int add_write(struct look *l, const struct write *w, enum layer body,
		     enum layer flush, enum layer blocked)
{
	uint64_t free = w->flushed > w->from ? blocked_until(l, w) : w->from;
	int err;

	if (free > w->flushed)
		free = w->flushed;
	err = add_span(l, blocked, w->from, free);
	err |= add_span(l, flush, free, w->flushed);
	err |= add_span(l, body, w->flushed, w->written);
	err |= add_span(l, flush, w->written, w->to);
	l->c->unsure |= w->unsure;
	return err ? -ENOMEM : 0;
}

/* whether it had ended when the call returned, which else has not waited for it */
static bool is_over(const struct look *l, const struct unit *u)
{
	return u && u->ended && u->to <= l->end;
}

/* A journal commit before the one that served the call, as a whole. */
static int add_other(struct look *l, const struct write *last)
{
	const struct unit *u = writes_unit(l->w, last->unit);
	uint64_t from;

	if (!last->ends_unit || !is_over(l, u))
		return 0;
	from = u->from > l->c->time ? u->from : l->c->time;
	l->c->other_bytes += u->bytes;
	if (u->to - from > l->longest) {
		l->longest = u->to - from;
		l->c->other = u->thread;
	}
	return add_span(l, OTHER_COMMIT, u->from, u->to);
}

static int add_journal(struct look *l, const struct write *w)
{
	if (!w->unit)
		return add_write(l, w, SERVING_JOURNAL, SERVING_FLUSH,
				 SERVING_BLOCKED);
	if (w->unit != l->serving)
		return add_other(l, w);
	return add_write(l, w, SERVING_JOURNAL, SERVING_FLUSH,
			 SERVING_BLOCKED);
}

static int add_one(struct look *l, const struct write *w)
{
	if (is_own(l, w))
		return add_write(l, w, w->kind == WRITE_JOURNAL ? OWN_JOURNAL :
								  OWN_DATA,
				 OWN_FLUSH, OWN_BLOCKED);
	if (!is_there(l, w))
		return 0;
	if (w->kind == WRITE_JOURNAL)
		return add_journal(l, w);
	return w->kind == WRITE_BACK ?
		       add_span(l, WRITEBACK, w->from, w->to) : 0;
}

/*
 * The journal commit that served the call ended last before it returned; unless
 * the caller has written to the journal itself later.
 */
static void find_serving(struct look *l)
{
	const struct write *w;
	const struct unit *u;

	l->serving = 0;
	for (uint64_t n = 0; (w = writes_get(l->w, n)); n++) {
		if (is_before(l, w))
			return;
		if (w->to > l->end || w->kind != WRITE_JOURNAL ||
		    !is_there(l, w))
			continue;
		if (is_own(l, w))
			return;
		u = writes_unit(l->w, w->unit);
		if (w->ends_unit && is_over(l, u)) {
			l->serving = w->unit;
			return;
		}
	}
}

/* Writes that have been forgotten may have been waited for. */
static int add_all(struct look *l)
{
	const struct unit *u = writes_unit(l->w, l->serving);
	const struct write *w;
	int err = u ? add_span(l, SERVING, u->from, u->to) : 0;

	for (uint64_t n = 0; !err; n++) {
		w = writes_get(l->w, n);
		if (!w)
			l->c->unsure |= n == WRITES_MAX;
		if (!w || is_before(l, w))
			break;
		if (w->to <= l->end)
			err = add_one(l, w);
	}
	return err;
}

/* --- dividing ------------------------------------------------------------- */

static enum commit_part part_now(const int under_way[LAYERS])
{
	enum layer layer = OWN_DATA;

	while (layer < LAYERS && !under_way[layer])
		layer++;
	return parts_of[layer];
}

static void sum_up(const struct parts *p, struct commit *c)
{
	int under_way[LAYERS] = { 0 };
	uint64_t now = c->time;

	for (size_t i = 0; i < p->count; i++) {
		const struct edge *e = &p->edges[i];

		c->parts[part_now(under_way)] += e->time - now;
		under_way[e->layer] += e->step;
		now = e->time;
	}
	c->parts[COMMIT_IDLE] += c->time + c->duration - now;
}

int parts_divide(struct parts *p, const struct writes *w, struct commit *c)
{
	struct look l = { .p = p, .w = w, .c = c,
			  .end = c->time + c->duration };
	int err;

	p->count = 0;
	find_serving(&l);
	err = add_all(&l);
	if (err)
		return err;
	if (p->count)
		qsort(p->edges, p->count, sizeof(*p->edges), by_time);
	sum_up(p, c);
	return 0;
}

void parts_free(struct parts *p)
{
	free(p->edges);
	*p = (struct parts){ .edges = NULL };
}
