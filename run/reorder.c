/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live order; see reorder.h.  Copies of events are held, each lane a source.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hold.h"
#include "base/time.h"
#include "file/hooks.h"
#include "file/source.h"
#include "file/stream.h"
#include "record/kept.h"
#include "record/record.h"
#include "run/device.h"
#include "run/reorder.h"

struct held {
	struct kept kept;
	uint64_t stamp;		/* falls with arrival */
};

struct reorder {
	struct stream *in;
	struct source *src;	/* the stream's, to wait on */
	struct devices *devices;
	const struct hooks *hooks;
	const char *name;
	bool filtered;
	uint32_t player;
	int quiet_ms;		/* before -EAGAIN */
	int wait_ms;		/* before -EINTR, or INT_MAX */
	int64_t heard_ms;	/* time of the last event or -EAGAIN */
	uint64_t heard;		/* the stamp then */

	struct hold held;
	uint32_t bound;		/* of how many are held */
	size_t payloads;	/* bytes held outside of their copies */
	uint64_t stamp;

	struct held *shown;	/* handed out last, or NULL */
	uint64_t hold;		/* ns of trace time that events are held */
	uint64_t newest;	/* latest time read */
	uint64_t released;	/* latest time shown */
	uint64_t opened;	/* all before this time are released */
	bool ended;
	bool crowded;		/* too many lanes: reported once */
	uint64_t late;
};

/* By time, device, number; among equals the last one read. */
static inline struct order order_of(const struct event *ev, uint64_t stamp)
{
	return (struct order){
		ev->time, (uint64_t)ev->device << 32 | ev->sequence, stamp,
	};
}

static struct order key_of(const void *item)
{
	const struct held *s = item;

	return order_of(&s->kept.ev, s->stamp);
}

struct reorder *reorder_new(struct source *src, struct devices *devices,
			    const struct reorder_options *o,
			    const struct hooks *hooks)
{
	struct reorder *l = calloc(1, sizeof(*l));
	struct stream_options so = {
		.name = o->name,
		.origin = o->origin,
		.timed = o->timed,
		.cpu = STREAM_ANY_CPU,
		.batch = o->events && o->events < STREAM_BATCH ? o->events :
								 STREAM_BATCH,
	};

	if (!l) {
		source_close(src);
		return NULL;
	}
	l->src = src;
	l->hold = source_is_live(src) ? REORDER_HOLD : UINT64_MAX;
	l->devices = devices;
	l->hooks = hooks;
	l->filtered = o->filtered;
	l->player = o->player;
	l->quiet_ms = o->quiet_ms ? o->quiet_ms : REORDER_SILENCE;
	l->wait_ms = o->wait_ms ? o->wait_ms : INT_MAX;
	l->bound = o->events ? o->events : REORDER_EVENTS;
	hold_init(&l->held, sizeof(struct held));
	l->stamp = UINT64_MAX;
	l->name = o->name;
	l->in = stream_new(src, &so, hooks);
	if (!l->in) {
		reorder_free(l);
		return NULL;
	}
	return l;
}

/* --- holding ------------------------------------------------------------ */

static void report_crowd(struct reorder *l)
{
	if (!l->crowded)
		l->hooks->damage(l->hooks->ctx, &(struct damage){
			.file = l->name, .what = "too many devices or CPUs;"
				" those beyond are left out" });
	l->crowded = true;
}

/* Holds a copy of *ev. */
static int hold(struct reorder *l, const struct event *ev)
{
	struct lane *lane = device_lane(l->devices, ev);
	const struct order key = order_of(ev, l->stamp);
	struct held *s;
	int err;

	if (!lane && errno == ENOMEM)
		return -ENOMEM;
	if (!lane) {
		report_crowd(l);
		return 0;
	}
	s = hold_add(&l->held, lane->id, &key);
	if (!s)
		return -ENOMEM;
	err = event_keep(&s->kept, ev);
	if (err)
		return err;
	l->payloads += kept_allocated(&s->kept);
	/* another thread may look at them */
	if (UNLIKELY(lane->filtered != l->filtered))
		lane->filtered = l->filtered;
	if (UNLIKELY(lane->player != l->player))
		lane->player = l->player;
	s->kept.ev.lane = lane;
	s->stamp = l->stamp--;
	if (ev->time > l->newest)
		l->newest = ev->time;
	return 0;
}

/* --- releasing ------------------------------------------------------------ */

/* ns of trace time that events are held; a packed stream's blocks are late by
 * what they span */
static uint64_t held_for(const struct reorder *l)
{
	uint64_t span = source_span(l->src);

	return span < UINT64_MAX - l->hold ? l->hold + span : UINT64_MAX;
}

static bool releasable(const struct reorder *l)
{
	const struct order *least = hold_least(&l->held);

	if (!least)
		return false;
	return l->ended || l->newest - least->time >= held_for(l) ||
	       least->time < l->opened || least->time < l->released ||
	       hold_count(&l->held) > l->bound ||
	       l->payloads > REORDER_PAYLOADS;
}

static void release(struct reorder *l, struct event **ev)
{
	l->shown = hold_take(&l->held, key_of);
	*ev = kept_event(&l->shown->kept);
	if ((*ev)->time < l->released)
		l->late++;
	else
		l->released = (*ev)->time;
}

/* Frees what the event handed out last has. */
static void forget_shown(struct reorder *l)
{
	if (!l->shown)
		return;
	l->payloads -= kept_allocated(&l->shown->kept);
	kept_free(&l->shown->kept);
	l->shown = NULL;
}

/* ms left until no event is silence; notes do not count, as each CPU writes a
 * seal once a second. */
static int wait_most(struct reorder *l)
{
	int64_t now = time_now_ms(), over;

	if (l->heard != l->stamp)
		l->heard_ms = now;
	l->heard = l->stamp;
	over = l->heard_ms + (hold_count(&l->held) ?
				      REORDER_SILENCE : l->quiet_ms);
	return over > now ? (int)(over - now) : 0;
}

/*
 * Flushes output and waits for input.  A signal just before the wait is only
 * noticed after it, so a wait is no longer than REORDER_SILENCE.
 */
static int wait(struct reorder *l)
{
	int got, ms;

	l->hooks->idle(l->hooks->ctx);
	ms = wait_most(l);
	got = source_wait(l->src, ms < l->wait_ms ? ms : l->wait_ms);
	if (got < 0)
		return got;
	if (got == 0 && ms > l->wait_ms)
		return -EINTR;
	if (got == 0)
		l->heard_ms = time_now_ms();
	if (got == 0 && !hold_count(&l->held))
		return -EAGAIN;
	if (got == 0)
		l->opened = l->newest + 1;
	return 0;
}

/* Reads an event or the end, or waits. */
static int read_one(struct reorder *l)
{
	struct event *ev;
	int got = stream_next(l->in, &ev);

	if (got == 1)
		return hold(l, ev);
	if (got == -EAGAIN)
		return wait(l);
	if (got == -EINTR)
		return got;
	l->ended = true;
	return got;
}

int reorder_next(struct reorder *l, struct event **ev)
{
	forget_shown(l);
	/* compare all events that the stream has read ahead */
	while (!releasable(l) || stream_waiting(l->in)) {
		int err;

		if (l->ended)
			return 0;
		err = read_one(l);
		if (err < 0)
			return err;
	}
	release(l, ev);
	return 1;
}

const struct event *reorder_front(const struct reorder *l,
				  const struct lane *lane)
{
	const struct held *s = hold_front(&l->held, lane->id);

	return s ? &s->kept.ev : NULL;
}

uint64_t reorder_watermark(const struct reorder *l)
{
	uint64_t hold = held_for(l);

	return l->newest > hold ? l->newest - hold : l->released;
}

uint64_t reorder_late(const struct reorder *l)
{
	return l->late;
}

void reorder_stop(struct reorder *l)
{
	stream_stop(l->in);
}

void reorder_progress(const struct reorder *l, uint64_t *done,
		      uint64_t *total)
{
	stream_progress(l->in, done, total);
}

void reorder_free(struct reorder *l)
{
	struct held *s;

	if (!l)
		return;
	for (uint32_t n = 0; (s = hold_any(&l->held, n)); n++)
		kept_free(&s->kept);
	stream_free(l->in);
	hold_free(&l->held);
	free(l);
}
