/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that a thread reads ahead; see read_ahead.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/conveyor.h"
#include "base/hint.h"
#include "base/past.h"
#include "file/batch.h"
#include "file/hooks.h"
#include "file/stream.h"
#include "run/read_ahead.h"

enum {
	PARCELS = 6,
	EVENTS = 2048,
	PAYLOAD_MOST = UINT16_MAX,
	PAYLOADS = PAYLOAD_MOST + 64 * 1024,
	SOON = 12,		/* slots until one is fetched */
};

/* Settling costs as much as hundreds of events: after 64, more than one in 2,048
 * events is no gain. */
enum { SETTLES_LEAST = 64, SETTLE_EVENTS = 2048 };

enum ahead_what { EVENT, NOTE, ACCOUNT };

struct parcel {
	struct ahead_slot slots[EVENTS];
	unsigned int count;
	size_t used;		/* bytes of payloads */
	uint64_t done, total;	/* progress */
	uint8_t payloads[PAYLOADS];
};

struct account {
	struct lane_end *to;
	struct lane_end now;
};

struct read_ahead {
	struct conveyor *conveyor;
	struct ahead_way way;
	const struct hooks *hooks;
	int result;		/* why the thread has ended */

	BETWEEN_THREADS(before);
	/* the thread's */
	struct parcel *filling;	/* NULL: the reader takes no more */
	const struct lane *lane;	/* of the last event */
	uint64_t events;
	unsigned int settles;

	BETWEEN_THREADS(after);
	/* the reader's */
	struct ahead_slot *at, *end;
	uint64_t done, total;	/* progress, of its parcel */
};

/* --- the thread ----------------------------------------------------------- */

static void begin_parcel(struct read_ahead *a)
{
	a->filling = conveyor_fill(a->conveyor);
	if (!a->filling)
		return;
	a->filling->count = 0;
	a->filling->used = 0;
}

static APART void send_parcel(struct read_ahead *a)
{
	struct parcel *p = a->filling;

	if (p && p->count) {
		a->events += p->count;
		a->way.progress(a->way.ctx, &p->done, &p->total);
		past_end();
		conveyor_send(a->conveyor);
		begin_parcel(a);
	}
}

static inline bool is_full(const struct parcel *p)
{
	return p->count == EVENTS || p->used > PAYLOADS - PAYLOAD_MOST;
}

/* Makes room for another slot.  false: the reader takes no more. */
static inline bool has_room(struct read_ahead *a)
{
	if (LIKELY(a->filling) && UNLIKELY(is_full(a->filling)))
		send_parcel(a);
	return a->filling;
}

/* copies bytes, at most PAYLOAD_MOST, to the parcel */
static const uint8_t *keep(struct parcel *p, const void *bytes, size_t len)
{
	uint8_t *to = p->payloads + p->used;

	memcpy(to, bytes, len);
	p->used += (len + 7) & ~(size_t)7;
	return to;
}

static inline void put(struct parcel *p, struct ahead_slot *s)
{
	if (UNLIKELY(s->ev.pdu_len))
		s->ev.payload = keep(p, s->ev.payload, s->ev.pdu_len);
	past_copy(&p->slots[p->count++], s, sizeof(*s));
}

void read_ahead_note(struct read_ahead *a, const struct event *note)
{
	struct ahead_slot s = { .ev = *note, .what = NOTE };

	if (has_room(a))
		put(a->filling, &s);
}

void read_ahead_account(struct read_ahead *a, struct lane_end *to,
			const struct lane_end *now)
{
	struct account account = { to, *now };
	struct ahead_slot s = {
		.ev = { .payload = (const uint8_t *)&account,
			.pdu_len = sizeof(account) },
		.what = ACCOUNT,
	};

	if (has_room(a))
		put(a->filling, &s);
}

bool read_ahead_settle(struct read_ahead *a)
{
	send_parcel(a);
	a->settles++;
	return a->filling && conveyor_settle(a->conveyor);
}

static bool settles_too_often(const struct read_ahead *a)
{
	return a->settles > SETTLES_LEAST &&
	       a->events / SETTLE_EVENTS < a->settles;
}

/* What the lane of the last event has next, which the reader looks at before an
 * event of another lane. */
static APART void look_back(struct read_ahead *a, const struct lane *lane,
			    struct ahead_slot *s)
{
	s->counts = a->lane &&
		    a->way.front(a->way.ctx, a->lane, &s->sequence);
	a->lane = lane;
}

/* Puts an event and those that follow in the same lane. */
static inline void put_series(struct read_ahead *a, struct event *ev)
{
	struct batch *b = a->way.batch(a->way.ctx);
	struct ahead_slot s;

	s.what = EVENT;
	s.counts = false;
	s.sequence = 0;
	if (ev->lane != a->lane)
		look_back(a, ev->lane, &s);
	do {
		if (UNLIKELY(!has_room(a)))
			return;
		s.ev = *ev;
		put(a->filling, &s);
	} while (batch_follow(b, &ev));
}

/* whether it goes on */
static bool read_some(struct read_ahead *a)
{
	struct event *ev;
	int got = a->way.next(a->way.ctx, &ev);

	if (UNLIKELY(got == -EINTR))
		return true;
	if (UNLIKELY(got != 1)) {
		a->result = got;
		return false;
	}
	put_series(a, ev);
	return a->filling;
}

static void *run(void *arg)
{
	struct read_ahead *a = arg;

	begin_parcel(a);
	while (!conveyor_stopped(a->conveyor) && !settles_too_often(a) &&
	       read_some(a))
		;
	send_parcel(a);
	conveyor_end(a->conveyor);
	return NULL;
}

/* --- the reader ----------------------------------------------------------- */

int read_ahead_new(struct read_ahead **out, const struct ahead_way *way,
		   const struct hooks *hooks)
{
	struct read_ahead *a = calloc(1, sizeof(*a));
	int err;

	*out = NULL;
	if (!a)
		return -ENOMEM;
	a->way = *way;
	a->hooks = hooks;
	a->lane = way->last;
	a->result = -ECANCELED;
	err = conveyor_new(&a->conveyor, PARCELS, sizeof(struct parcel));
	*out = a;
	if (!err)
		err = conveyor_start(a->conveyor, run, a);
	if (!err)
		return 0;
	conveyor_free(a->conveyor);
	free(a);
	*out = NULL;
	return err;
}

static bool next_parcel(struct read_ahead *a)
{
	struct parcel *p = conveyor_take(a->conveyor);

	if (!p)
		return false;
	a->at = p->slots;
	a->end = p->slots + p->count;
	a->done = p->done;
	a->total = p->total;
	return true;
}

/* What stands between events takes effect. */
static COLD void act(const struct read_ahead *a, const struct ahead_slot *s)
{
	struct account account;

	if (s->what == NOTE) {
		a->hooks->note(a->hooks->ctx, &s->ev);
		return;
	}
	memcpy(&account, s->ev.payload, sizeof(account));
	*account.to = account.now;
}

int read_ahead_next(struct read_ahead *a, struct ahead_slot **slot)
{
	for (;;) {
		struct ahead_slot *s = a->at;

		if (UNLIKELY(s == a->end)) {
			if (!next_parcel(a))
				return a->result;
			continue;
		}
		a->at = s + 1;
		__builtin_prefetch(s + SOON);
		if (LIKELY(s->what == EVENT)) {
			*slot = s;
			return 1;
		}
		act(a, s);
	}
}

void read_ahead_progress(const struct read_ahead *a, uint64_t *done,
			 uint64_t *total)
{
	*done = a->done;
	*total = a->total;
}

void read_ahead_stop(struct read_ahead *a)
{
	conveyor_stop(a->conveyor);
}

void read_ahead_free(struct read_ahead *a)
{
	if (!a)
		return;
	conveyor_free(a->conveyor);
	free(a);
}
