/* SPDX-License-Identifier: GPL-2.0-only */
/* Aligns the clocks of machines; see host_clocks.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/time.h"
#include "blktrace.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/location.h"
#include "file/source.h"
#include "file/stream.h"
#include "machine/card.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/host_clocks.h"

/* --- by notes and cards --------------------------------------------------- */

/* the most by which NTP and the like slew a clock; more is a step */
#define DRIFT_MAX 500e-6
/* ns by which two readings of a pair may differ without a step */
#define READING (100 * 1000)
/* the most by which a card's pair and a trace's note are apart */
#define SAME_START NS_PER_SECOND
#define US_NS 1000

struct pair {
	uint64_t wall, time;
};

static bool find_pair(const struct card *c, const char *const keys[2],
		      struct pair *p)
{
	return card_number(c, keys[0], &p->wall) &&
	       card_number(c, keys[1], &p->time);
}

static int64_t epoch_of(const struct pair *p)
{
	return (int64_t)(p->wall - p->time);
}

/* A difference is drift, or if it is too large for that, a step. */
static void find_drift(struct host_clock *c, const struct pair *start,
		       const struct pair *end)
{
	int64_t moved = (int64_t)((uint64_t)epoch_of(end) -
				  (uint64_t)epoch_of(start));
	double span = (double)(end->time - start->time);

	if (end->time <= start->time)
		return;
	if (fabs((double)moved) <= DRIFT_MAX * span)
		c->drift = (double)moved / span;
	else if (fabs((double)moved) > DRIFT_MAX * span + READING)
		c->step = moved;
	c->from = start->time;
}

/* The larger error of start and end; unknown if not synchronised. */
static uint64_t find_error(const struct card *c)
{
	uint64_t us, worst = 0;

	if (!card_flag(c, "clock.start.synchronised") ||
	    !card_number(c, "clock.start.maxerror_us", &worst))
		return HOST_CLOCK_UNKNOWN;
	if (card_number(c, "clock.end.maxerror_us", &us) && us > worst)
		worst = us;
	return worst < UINT64_MAX / US_NS ? worst * US_NS :
					    HOST_CLOCK_UNKNOWN;
}

static bool is_near(int64_t a, int64_t b)
{
	uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b :
				 (uint64_t)b - (uint64_t)a;

	return apart <= SAME_START;
}

void host_clock_find(struct host_clock *c, bool noted, uint64_t epoch,
		     const struct card *card)
{
	static const char *const starts[] = { "clock.start.realtime_ns",
					      "clock.start.monotonic_ns" };
	static const char *const ends[] = { "clock.end.realtime_ns",
					    "clock.end.monotonic_ns" };
	struct pair start, end;

	*c = (struct host_clock){ .known = noted, .epoch = epoch,
				  .error = HOST_CLOCK_UNKNOWN };
	if (!find_pair(card, starts, &start))
		return;
	c->foreign = noted && !is_near(epoch_of(&start), (int64_t)epoch);
	if (c->foreign)
		return;
	c->known = true;
	c->epoch = (uint64_t)epoch_of(&start);
	c->error = find_error(card);
	if (find_pair(card, ends, &end))
		find_drift(c, &start, &end);
}

uint64_t host_clock_drifted(const struct host_clock *c, uint64_t time)
{
	double since = (double)(int64_t)(time - c->from);

	return time + c->epoch + (uint64_t)(int64_t)llrint(since * c->drift);
}

/* --- by the first events -------------------------------------------------- */

struct search {
	bool found;
	uint64_t wall, time;	/* of the note: time of day, and trace time */
};

uint64_t epoch_of_note(const struct event *note)
{
	uint32_t sec, nsec;

	if (event_number(note) != BLK_TN_TIMESTAMP ||
	    !payload_clock(note, &sec, &nsec))
		return 0;
	return (uint64_t)sec * NS_PER_SECOND + nsec;
}

static void on_note(void *ctx, const struct event *note)
{
	struct search *s = ctx;
	uint64_t wall = epoch_of_note(note);

	if (s->found || !wall)
		return;
	*s = (struct search){ true, wall, note->time };
}

/* Reads the first batch of src, and closes it; *first: the first event's time,
 * or UINT64_MAX. */
static int look_into(struct source *src, struct search *s, uint64_t *first)
{
	const struct hooks hooks = { s, on_note, hooks_no_damage,
				     hooks_no_added, hooks_no_idle };
	const struct stream_options o = { .name = "", .cpu = STREAM_ANY_CPU,
					  .batch = STREAM_BATCH };
	struct stream *in = stream_new(src, &o, &hooks);
	struct event *ev;
	int got;

	if (!in)
		return -ENOMEM;
	got = stream_next(in, &ev);
	*first = got == 1 ? ev->time : UINT64_MAX;
	stream_free(in);
	return got == -ENOMEM ? got : 0;
}

static int look_into_dump(const char *path, struct search *s, uint64_t *first)
{
	struct source *src;
	int err = location_is_pipe(path) ? -ENODATA : source_open(&src, path);

	return err ? err : look_into(src, s, first);
}

/* A file that cannot be opened counts as empty.  0 or -ENOMEM. */
static int look_into_file(const struct file_entry *e, struct search *s,
			  uint64_t *first)
{
	struct source *src;
	int err = files_is_empty(e) ? -ENODATA : files_open(e, &src);

	*first = UINT64_MAX;
	if (err)
		return err == -ENOMEM ? err : 0;
	return look_into(src, s, first);
}

/* first: the time of the earliest event of the files looked into: all, or up to
 * one with a time stamp; UINT64_MAX: no event. */
static int look_at(const struct location *at, bool all, struct search *s,
		   uint64_t *first)
{
	struct files files;
	uint64_t time;
	int err;

	*first = UINT64_MAX;
	if (at->path)
		return look_into_dump(at->path, s, first);
	err = location_files(at, &files);
	if (err)
		return err;
	for (size_t i = 0; !err && (all || !s->found) && i < files.count;
	     i++) {
		err = look_into_file(&files.list[i], s, &time);
		*first = time < *first ? time : *first;
	}
	files_free(&files);
	return err;
}

/*
 * The time of day, in ns since 1970, of time 0 of a location's events, by the
 * first time stamp found.  0; -ENODATA: none, or a pipe, which cannot be read
 * twice; or -errno.
 */
static int epoch_find(const struct location *at, uint64_t *ns)
{
	struct search s = { .found = false };
	uint64_t first;
	int err = look_at(at, false, &s, &first);

	/* a dump's events start at 0, but its notes keep the machine's clock */
	if (at->path && s.time > first)
		s.time = first;
	if (!err && !s.found)
		err = -ENODATA;
	if (!err)
		*ns = s.wall - s.time;
	return err;
}

/* The time of a location's first event, on the machine's clock; as
 * epoch_find(). */
static int epoch_first(const struct location *at, uint64_t *time)
{
	struct search s = { .found = false };
	int err = look_at(at, true, &s, time);

	return !err && *time == UINT64_MAX ? -ENODATA : err;
}

/* --- all hosts ------------------------------------------------------------ */

void host_clocks_free(struct host_clocks *c)
{
	free(c->list);
	*c = (struct host_clocks){ .list = NULL };
}

/* Takes a trace's clock if it is better. */
static int ask_trace(struct host_clock *c, const struct location *at)
{
	struct host_clock one;
	uint64_t epoch = 0;
	int err = epoch_find(at, &epoch);

	if (err == -ENOMEM)
		return err;
	host_clock_find(&one, !err, epoch, at->card);
	one.foreign |= c->foreign;
	if (!c->known || (at->card && one.known && !one.foreign))
		*c = one;
	return 0;
}

/* By the first trace with a card, or else with a note.  A single machine needs
 * only what cards have. */
static int find_clock(struct host_clock *c, const struct locations *l,
		      unsigned int host)
{
	bool alone = l->host_count < 2, best = false;
	int err = 0;

	*c = (struct host_clock){ .error = HOST_CLOCK_UNKNOWN };
	for (size_t i = 0; !err && !best && i < l->count; i++) {
		const struct location *at = &l->list[i];

		if (at->host != host || (!at->card && (c->known || alone)))
			continue;
		err = ask_trace(c, at);
		best = at->card && c->known && !c->foreign;
	}
	return err;
}

static int find_all(struct host_clocks *c, const struct locations *l)
{
	int err = 0;

	c->aligned = true;
	for (unsigned int i = 0; !err && i < c->count; i++) {
		err = find_clock(&c->list[i], l, i);
		c->aligned &= c->list[i].known;
	}
	c->wall = c->aligned;
	return err;
}

/* --- first events --------------------------------------------------------- */

/* 0, also if it has none: then it does not matter; or -ENOMEM */
static int find_first(const struct locations *l, unsigned int host,
		      uint64_t *first)
{
	uint64_t time;

	*first = UINT64_MAX;
	for (size_t i = 0; i < l->count; i++) {
		int err = l->list[i].host == host ?
			  epoch_first(&l->list[i], &time) : -ENODATA;

		if (err == -ENOMEM)
			return err;
		if (!err && time < *first)
			*first = time;
	}
	return 0;
}

/* The start that all are aligned to: the first known time of day, or else the
 * latest trace time. */
static uint64_t find_begin(struct host_clocks *c, const uint64_t *firsts)
{
	uint64_t latest = 0;

	for (unsigned int i = 0; i < c->count; i++) {
		c->wall = c->list[i].known && firsts[i] != UINT64_MAX;
		if (c->wall)
			return host_clock_wall(&c->list[i], firsts[i]);
		if (firsts[i] != UINT64_MAX && firsts[i] > latest)
			latest = firsts[i];
	}
	return latest;
}

static int align_start(struct host_clocks *c, const struct locations *l)
{
	uint64_t *firsts = calloc(c->count, sizeof(*firsts)), begin;
	int err = firsts ? 0 : -ENOMEM;

	for (unsigned int i = 0; !err && i < c->count; i++)
		err = find_first(l, i, &firsts[i]);
	if (!err) {
		begin = find_begin(c, firsts);
		for (unsigned int i = 0; i < c->count; i++) {
			struct host_clock *one = &c->list[i];

			if (firsts[i] != UINT64_MAX)
				one->epoch += begin -
					host_clock_wall(one, firsts[i]);
		}
		c->aligned = true;
	}
	free(firsts);
	return err;
}

/* --- shifts --------------------------------------------------------------- */

static int shift(struct host_clocks *c, const struct locations *l,
		 const struct host_wishes *w, size_t *which)
{
	for (size_t i = 0; i < w->count; i++) {
		unsigned int host = 0;

		while (host < c->count &&
		       strcmp(l->hosts[host], w->shifts[i].host))
			host++;
		if (host == c->count) {
			*which = i;
			return -ESRCH;
		}
		c->list[host].epoch += (uint64_t)w->shifts[i].ns;
	}
	return 0;
}

int host_clocks_find(struct host_clocks *c, const struct locations *l,
		     const struct host_wishes *w, size_t *which)
{
	int err;

	*c = (struct host_clocks){ .count = l->host_count };
	c->list = calloc(c->count + 1u, sizeof(*c->list));
	if (!c->list)
		return -ENOMEM;
	err = find_all(c, l);
	if (!err && w && w->align_start && c->count > 1)
		err = align_start(c, l);
	if (!err && w)
		err = shift(c, l, w, which);
	if (err)
		host_clocks_free(c);
	return err;
}
