/* SPDX-License-Identifier: GPL-2.0-only */
/* The I/Os of a trace; see ios.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/hint.h"
#include "record/record.h"
#include "request/ios.h"
#include "request/join_ahead.h"
#include "request/joiner.h"
#include "request/level_watcher.h"
#include "run/reader.h"

struct ios {
	struct reader *reader;
	struct joiner *joiner;
	void (*damage)(void *ctx, const struct damage *d);	/* or NULL */
	void (*idle)(void *ctx);	/* or NULL */
	void (*remark)(void *ctx, const char *text);
	void *ctx;
	uint64_t events, time;
	BETWEEN_THREADS(before);
	struct join_ahead *ahead;	/* the thread that joins, or NULL */
	const struct joined *shown;	/* the last that it has joined; or NULL */
	bool stopped;		/* reading ahead ends */
	BETWEEN_THREADS(after);
	uint64_t window_end;
	bool over;
	bool held;		/* its end is not the trace's */
	bool more;		/* events need more than joining: */
	bool rare;		/* one of the three below is in use */
	const struct ios_watcher *watcher;	/* or NULL */
	const struct ios_watcher *messages;	/* or NULL */
	struct level_watcher levels;	/* the caller's, with our clock */
	void (*ghost)(void *ctx, const struct event *ev);	/* or NULL */
	void *ghost_ctx;
	uint64_t ghosts;	/* before the current event */
	bool want_unmarked;	/* search for requests without FS */
	bool unmarked;		/* there are some */
	struct event marked;	/* copy of an event, with FS added */
	/* reports missing records, or NULL */
	void (*lost)(void *ctx, uint64_t from, uint64_t to);
	void *lost_ctx;
	uint64_t lost_from;
	uint32_t gaps;		/* open gaps */
	bool gap_ended;		/* report the gap at the next event */
	bool starved;		/* no memory for a device's gap */
};

/* Before something is to change that who takes I/Os may look at.  false: no more
 * are taken. */
static bool settle(const struct ios *s)
{
	return !s->ahead || join_ahead_settle(s->ahead);
}

static void on_change(void *ctx)
{
	settle(ctx);
}

static void on_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	struct ios *s = ctx;

	if (!settle(s))
		return;
	if (s->watcher)
		s->watcher->gap(s->watcher->ctx, origin, device, begins);
	if (s->messages)
		s->messages->gap(s->messages->ctx, origin, device, begins);
	if (joiner_gap(s->joiner, origin, device, begins))
		s->more = s->starved = true;
	if (begins && !s->gaps++ && !s->gap_ended)
		s->lost_from = s->time;
	else if (!begins && s->gaps && !--s->gaps)
		s->more = s->gap_ended = true;
}

static COLD void tell_lost(struct ios *s)
{
	s->gap_ended = false;
	if (settle(s) && s->lost)
		s->lost(s->lost_ctx, s->lost_from, s->time);
}

static void on_message(void *ctx, const struct event *ev)
{
	const struct ios *s = ctx;

	if (s->messages && s->ahead)
		join_ahead_message(s->ahead, ev);
	else if (s->messages)
		s->messages->event(s->messages->ctx, ev);
}

static void on_remark(void *ctx, const char *text)
{
	const struct ios *s = ctx;

	if (settle(s))
		s->remark(s->ctx, text);
}

static void on_idle(void *ctx)
{
	const struct ios *s = ctx;

	s->idle(s->ctx);
}

static void on_damage(void *ctx, const struct damage *d)
{
	const struct ios *s = ctx;

	if (settle(s))
		s->damage(s->ctx, d);
}

int ios_open(struct ios **out, const struct reader_options *o)
{
	const struct joiner_bounds bounds = JOINER_BOUNDS;
	struct ios *s = calloc(1, sizeof(*s));
	struct reader_options mine = *o;

	*out = s;
	if (!s)
		return -ENOMEM;
	s->damage = o->damage;
	s->idle = o->idle;
	s->remark = o->remark;
	s->ctx = o->ctx;
	mine.window.start = 0;
	s->window_end = o->window.end;
	mine.damage = o->damage ? on_damage : NULL;
	mine.idle = o->idle ? on_idle : NULL;
	mine.remark = o->remark ? on_remark : NULL;
	mine.gap = on_gap;
	mine.message = on_message;
	mine.change = on_change;
	mine.ctx = s;
	if (!joiner_new(&s->joiner, &bounds) && !reader_open(&s->reader, &mine))
		return 0;
	ios_close(s);
	*out = NULL;
	return -ENOMEM;
}

int ios_want_seeks(struct ios *s)
{
	return joiner_want_seeks(s->joiner);
}

int ios_watch_levels(struct ios *s, const struct level_watcher *w)
{
	s->levels = *w;
	s->levels.now = &s->time;
	return joiner_watch_levels(s->joiner, &s->levels);
}

void ios_want_unmarked(struct ios *s)
{
	s->more = s->rare = s->want_unmarked = true;
}

void ios_watch_events(struct ios *s, const struct ios_watcher *w)
{
	s->more = s->rare = true;
	s->watcher = w;
}

void ios_watch_messages(struct ios *s, const struct ios_watcher *w)
{
	s->messages = w;
}

void ios_watch_gaps(struct ios *s, void (*lost)(void *ctx, uint64_t from,
						uint64_t to), void *ctx)
{
	s->lost = lost;
	s->lost_ctx = ctx;
}

void ios_watch_ghosts(struct ios *s, void (*ghost)(void *ctx,
						   const struct event *ev),
		      void *ctx)
{
	s->more = s->rare = true;
	s->ghost = ghost;
	s->ghost_ctx = ctx;
}

struct reader *ios_reader(const struct ios *s)
{
	return s->reader;
}

/* The event with the category it should have. */
static COLD const struct event *mark(struct ios *s, const struct event *ev)
{
	const uint32_t kinds = BLK_TC_ACT(BLK_TC_FS) | BLK_TC_ACT(BLK_TC_PC);
	uint32_t number = event_number(ev);

	if (event_is_note(ev) || ev->action & kinds)
		return ev;
	if (number == BLK_TA_ISSUE)
		s->unmarked = true;
	if (number != BLK_TA_COMPLETE || !s->unmarked)
		return ev;
	s->marked = *ev;
	s->marked.action |= BLK_TC_ACT(BLK_TC_FS);
	return &s->marked;
}

static uint64_t ghosts_of(const struct ios *s)
{
	return joiner_counts(s->joiner)->leftovers[JOINER_GHOST_C];
}

/* What precedes joining: returns the event to join. */
static APART const struct event *before_joining(struct ios *s,
						const struct event *ev)
{
	if (s->gap_ended)
		tell_lost(s);
	s->ghosts = ghosts_of(s);
	if (s->watcher)
		s->watcher->event(s->watcher->ctx, ev);
	return s->want_unmarked ? mark(s, ev) : ev;
}

/* What follows joining; 0 or -ENOMEM. */
static APART int after_joining(struct ios *s, const struct event *ev)
{
	if (UNLIKELY(s->starved))
		return -ENOMEM;
	s->more = s->rare;
	if (s->ghost && ghosts_of(s) != s->ghosts)
		s->ghost(s->ghost_ctx, ev);
	return 0;
}

/* whether events, or only the capture, continue after the window */
static bool continues_after(const struct ios *s)
{
	uint64_t end;

	return reader_goes_on(s->reader) ||
	       (reader_end(s->reader, READER_ALL, &end) && end > s->window_end);
}

/* The next I/O; 0: nothing is left to read, or as reader_next(). */
static INLINED int join_on(struct ios *s, const struct io **io)
{
	const struct event *ev;
	int got;

	if (joiner_next(s->joiner, io))
		return 1;
	if (UNLIKELY(s->over))
		return 0;
	while ((got = reader_next(s->reader, &ev)) == 1) {
		s->events++;
		s->time = ev->time;
		if (UNLIKELY(s->more))
			ev = before_joining(s, ev);
		if (UNLIKELY(joiner_event(s->joiner, ev)))
			return -ENOMEM;
		if (UNLIKELY(s->more) && after_joining(s, ev))
			return -ENOMEM;
		if (joiner_next(s->joiner, io))
			return 1;
	}
	return got;
}

/* After the last event: those that are still open. */
static COLD int end_joining(struct ios *s, const struct io **io)
{
	if (s->held || s->over)
		return 0;
	ios_finish(s);
	return joiner_next(s->joiner, io);
}

/* --- a thread that joins ahead -------------------------------------------- */

static void join_at(void *ctx, struct joined *next)
{
	joiner_make_at(((struct ios *)ctx)->joiner, &next->io);
}

static int join_next(void *ctx, struct joined *next)
{
	struct ios *s = ctx;
	const struct io *io;
	int got = join_on(s, &io);

	if (LIKELY(got == 1)) {
		next->time = s->time;
		next->oldest = joiner_oldest(s->joiner);
	}
	return got;
}

static void take_message(void *ctx, const struct event *ev)
{
	const struct ios *s = ctx;

	s->messages->event(s->messages->ctx, ev);
}

static void progress(void *ctx, uint64_t *done, uint64_t *total)
{
	const struct ios *s = ctx;

	reader_progress(s->reader, done, total);
}

int ios_read_ahead(struct ios *s, unsigned int threads)
{
	const struct join_way way = { join_at, join_next, progress,
				      take_message, s };
	bool can = !s->rare && !s->levels.come && !s->held && !s->over &&
		   !s->ahead;
	int err;

	if (!can || threads < 2)
		return -ENOTSUP;
	if (threads > 2) {
		err = reader_read_ahead(s->reader);
		if (err)
			return err;
	}
	s->stopped = false;
	return join_ahead_new(&s->ahead, &way);
}

bool ios_stop_ahead(struct ios *s)
{
	s->stopped = true;
	if (!s->ahead)
		return reader_stop_ahead(s->reader);
	join_ahead_stop(s->ahead);
	return true;
}

static void end_ahead(struct ios *s)
{
	join_ahead_free(s->ahead);
	s->ahead = NULL;
	s->shown = NULL;
	joiner_make_at(s->joiner, NULL);
}

/* After the last I/O that it has joined: the thread met the trace's end or an
 * error, or it was stopped or gave up. */
static COLD int after_ahead(struct ios *s, int got, const struct io **io)
{
	end_ahead(s);
	if (got && got != -ECANCELED)
		return got;
	if (s->stopped)
		reader_stop_ahead(s->reader);
	return ios_next(s, io);
}

static int next_ahead(struct ios *s, const struct io **io)
{
	int got = join_ahead_next(s->ahead, &s->shown);

	if (UNLIKELY(got != 1))
		return after_ahead(s, got, io);
	*io = &s->shown->io;
	return 1;
}

void ios_hold_open(struct ios *s)
{
	s->held = true;
}

int ios_continue(struct ios *s, const char *segment, unsigned int before)
{
	return reader_continue(s->reader, segment, before);
}

void ios_finish(struct ios *s)
{
	s->over = true;
	joiner_end(s->joiner, ios_end(s), continues_after(s));
}

uint64_t ios_ids(const struct ios *s)
{
	return joiner_ids(s->joiner);
}

void ios_count_from(struct ios *s, uint64_t latest)
{
	joiner_count_from(s->joiner, latest);
}

IN_ONE int ios_next(struct ios *s, const struct io **io)
{
	int got;

	if (s->ahead)
		return next_ahead(s, io);
	got = join_on(s, io);
	return LIKELY(got) ? got : end_joining(s, io);
}

void ios_progress(const struct ios *s, uint64_t *done, uint64_t *total)
{
	if (s->ahead)
		join_ahead_progress(s->ahead, done, total);
	else
		reader_progress(s->reader, done, total);
}

uint64_t ios_events(const struct ios *s)
{
	return s->events;
}

uint64_t ios_time(const struct ios *s)
{
	return s->shown ? s->shown->time : s->time;
}

uint64_t ios_end(const struct ios *s)
{
	uint64_t end;

	if (!reader_end(s->reader, READER_ALL, &end) || end < s->time)
		end = s->time;
	return continues_after(s) || end > s->window_end ? s->window_end : end;
}

uint64_t ios_oldest(const struct ios *s)
{
	return s->shown ? s->shown->oldest : joiner_oldest(s->joiner);
}

uint64_t ios_settled(const struct ios *s)
{
	return joiner_settled(s->joiner);
}

bool ios_open_now(const struct ios *s, uint32_t *at, const struct io **io)
{
	return joiner_open(s->joiner, at, io);
}

const struct joiner_counts *ios_counts(const struct ios *s)
{
	return joiner_counts(s->joiner);
}

uint64_t ios_ghosts(const struct ios *s, const struct device *disk)
{
	return joiner_ghosts(s->joiner, disk);
}

void ios_close(struct ios *s)
{
	if (!s)
		return;
	join_ahead_free(s->ahead);
	reader_close(s->reader);
	joiner_free(s->joiner);
	free(s);
}
