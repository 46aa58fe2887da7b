/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a ring in the order of their times; see ordered.h. */
#include <errno.h>
#include <stdlib.h>

#include "capture/to/chunk_reader.h"
#include "capture/to/chunks.h"
#include "tools/blktrace/ordered.h"

enum { ACTION_8 = 32 };		/* where version 8 has it */

struct ordered_lane {
	struct chunk_reader from;
	const uint8_t *at;	/* its front */
	size_t len;		/* bytes from there on; 0: there is none */
	uint32_t sequence;	/* of the last event */
	bool begun;		/* which there was */
	bool gap;		/* before its front */
};

int ordered_init(struct ordered *o, struct chunks *c, uint64_t begin)
{
	*o = (struct ordered){
		.chunks = c,
		.forms = { record_layout(BLK_VERSION_7, 0),
			   record_layout(BLK_VERSION_8, 0) },
	};
	o->lanes = calloc(c->lane_count + 1, sizeof(*o->lanes));
	if (!o->lanes || bracket_init(&o->bracket, c->lane_count))
		return -ENOMEM;
	for (unsigned int i = 0; i < c->lane_count; i++) {
		o->lanes[i].from = (struct chunk_reader){
			.chunks = c, .lane = c->lanes[i], .last = begin,
			.along = true };
		bracket_set(&o->bracket, i, 0, i);
	}
	return 0;
}

void ordered_free(struct ordered *o)
{
	for (unsigned int i = 0; o->lanes && i < o->chunks->lane_count; i++)
		chunk_reader_end(&o->lanes[i].from);
	free(o->lanes);
	bracket_free(&o->bracket);
}

/* Chunks have gone unread. */
static void note_skip(struct ordered *o, struct ordered_lane *l)
{
	if (l->from.skipped_to > l->from.skipped_from)
		o->blind += l->from.skipped_to - l->from.skipped_from;
	l->from.skipped = false;
	l->gap = true;
}

/* Notes have no say in the order: they are given at once. */
static uint64_t front_time(const struct ordered_lane *l)
{
	bool is_8 = get32(l->at) == (BLK_MAGIC | BLK_VERSION_8);
	uint32_t action = get32(is_8 ? l->at + ACTION_8 :
				       FIELD(l->at, action));

	return action & BLK_TC_ACT(BLK_TC_NOTIFY) ? 0 :
	       get64(FIELD(l->at, time));
}

/*
 * What the lane can say now.  It is asked until when all has come before it is
 * looked at: what came between the two is seen.
 */
static void look_again(struct ordered *o, uint32_t n)
{
	struct ordered_lane *l = &o->lanes[n];
	uint64_t time = atomic_load_explicit(&l->from.lane->drained,
					     memory_order_acquire);

	if (!l->len)
		l->len = chunk_reader_look(&l->from, &l->at);
	if (l->from.skipped)
		note_skip(o, l);
	if (l->len)
		time = front_time(l);
	bracket_set(&o->bracket, n, time, n);
}

static const struct event *give(struct ordered *o, struct ordered_lane *l)
{
	bool is_8 = get32(l->at) == (BLK_MAGIC | BLK_VERSION_8);
	const struct layout *form = o->forms[is_8];
	struct event *ev = &o->event;

	record_decode(form, false, l->at, ev);
	ev->payload = l->at + form->size;
	ev->lane = NULL;
	ev->origin = 0;
	o->lane = l->from.lane;
	o->given = true;
	o->gap = false;
	if (event_is_note(ev))
		return ev;
	o->gap = l->gap || (l->begun && ev->sequence != l->sequence + 1);
	l->sequence = ev->sequence;
	l->begun = true;
	l->gap = false;
	return ev;
}

/* The front that was given has been used. */
static void leave_behind(struct ordered *o)
{
	uint32_t n = bracket_winner(&o->bracket);
	struct ordered_lane *l = &o->lanes[n];
	size_t size = (size_t)(o->event.payload - l->at) + o->event.pdu_len;

	chunk_reader_take(&l->from, size);
	l->at += size;
	l->len -= size;
	o->given = false;
	look_again(o, n);
}

const struct event *ordered_next(struct ordered *o)
{
	if (o->given)
		leave_behind(o);
	for (;;) {
		uint32_t n = bracket_winner(&o->bracket);
		uint64_t time = o->bracket.times[n];

		if (o->lanes[n].len)
			return give(o, &o->lanes[n]);
		look_again(o, n);
		if (!o->lanes[n].len && o->bracket.times[n] == time)
			return NULL;
	}
}

uint64_t ordered_time(const struct ordered *o)
{
	return o->bracket.times[bracket_winner(&o->bracket)];
}
