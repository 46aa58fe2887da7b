/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests followed and processes named, event by event; see follow.h. */
#include <errno.h>
#include <string.h>

#include "base/hint.h"
#include "base/msg.h"
#include "emit/line.h"
#include "run/device.h"
#include "stats.h"
#include "tools/blkparse/follow.h"
#include "tools/blkparse/options.h"
#include "tools/blkparse/track.h"

/* --- the order of steps -------------------------------------------------- */

/*
 * Both following and counting meet processes without a name and call them
 * "unknown"; where -h counts by name, and in the line, it shows which of them
 * is first.  1.3.0: an action takes its steps in this order.
 */
struct steps {
	uint8_t always, with_t;
	bool named_last;	/* with -s: FOLLOW_NAME_LAST, not _NAME */
};

/* [1] is for packet commands, which are never followed */
static const struct steps steps[2][FOLLOW_ACTIONS] = {
	{
		[BLK_TA_QUEUE] = { .with_t = FOLLOW_FIRST },
		[BLK_TA_BACKMERGE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_FRONTMERGE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_GETRQ] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_INSERT] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_ISSUE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_COMPLETE] = { .with_t = FOLLOW_REQUEST },
		[BLK_TA_SPLIT] = { .always = FOLLOW_REQUEST | FOLLOW_SPLIT },
	},
	{
		[BLK_TA_QUEUE] = { .named_last = true },
		[BLK_TA_COMPLETE] = { .named_last = true },
	},
};

static uint8_t due_for(const struct options *o, const struct steps *s)
{
	uint8_t due = s->always;

	if (o->track)
		due |= s->with_t;
	if (o->sort)
		due |= s->named_last ? FOLLOW_NAME_LAST : FOLLOW_NAME;
	return due;
}

int follow_init(struct follow *f, const struct options *o,
		struct names *names, struct line *line, struct stats *stats)
{
	*f = (struct follow){ .o = o, .names = names, .line = line,
			      .stats = stats };
	for (int pc = 0; pc < 2; pc++)
		for (int nr = 0; nr < FOLLOW_ACTIONS; nr++)
			f->due[pc][nr] = due_for(o, &steps[pc][nr]);
	f->track = track_new();
	return f->track ? 0 : -ENOMEM;
}

void follow_free(struct follow *f)
{
	track_free(f->track);
}

uint64_t follow_left_out(const struct follow *f)
{
	return track_left_out(f->track);
}

/* --- names --------------------------------------------------------------- */

void follow_name(struct follow *f, const struct event *ev, const char *name,
		 size_t len)
{
	if (names_learn(f->names, ev->origin, ev->pid, name, len) > 0)
		line_forget_name(f->line, ev->origin, ev->pid);
}

/* 1.3.0: a process that has none is called "unknown" from now on. */
static void name_unknown(struct follow *f, const struct event *ev)
{
	follow_name(f, ev, "unknown", strlen("unknown"));
}

static void name_newcomer(struct follow *f, const struct event *ev)
{
	if (!f->stats->newcomer)
		return;
	name_unknown(f, ev);
	f->stats->newcomer = false;
}

/* --- requests ------------------------------------------------------------ */

static COLD void report(const struct event *ev, const struct tracked *t)
{
	static const char *const what[BLK_TA_COUNT] = {
		[BLK_TA_ISSUE] = "issue",
		[BLK_TA_COMPLETE] = "complete",
		[BLK_TA_FRONTMERGE] = "merge",
	};
	uint32_t nr = event_number(ev), n = ev->bytes >> 9;
	unsigned int major = BLK_MAJOR(ev->device);
	unsigned int minor = BLK_MINOR(ev->device);
	unsigned long long sector = ev->sector;

	if (t->missing)
		msg_warn("%s not found for (%u,%u): %llu", what[nr], major,
			 minor, nr == BLK_TA_FRONTMERGE ? sector + n : sector);
	if (t->alias)
		msg_warn("sector alias (%llu) on device %u,%u", sector, major,
			 minor);
	if (t->twice)
		msg_warn("(%u,%u) request %llu + %u: confused about %s time",
			 major, minor, sector, ev->bytes, t->twice);
}

static void keep_longest(struct waits *w, const struct tracked *t, int dir)
{
	uint64_t *longest[] = {
		[WAIT_ALLOCATION] = &w->allocation[dir],
		[WAIT_DISPATCH] = &w->dispatch[dir],
		[WAIT_COMPLETION] = &w->completion[dir],
	};

	if (t->elapsed > *longest[t->wait])
		*longest[t->wait] = t->elapsed;
}

/* Returns the latency to show, or LINE_NO_LATENCY. */
static uint64_t follow_request(struct follow *f, const struct event *ev)
{
	struct process_stats *p = NULL;
	struct tracked t;

	track_event(f->track, ev, &t);
	if (UNLIKELY(f->o->verbose))
		report(ev, &t);
	if (t.created)
		name_unknown(f, ev);
	if (!t.timed)
		return LINE_NO_LATENCY;
	if (f->stats->per_process)
		p = stats_process(f->stats, ev->origin, t.pid);
	if (p)
		keep_longest(&p->waits, &t,
			     event_is_write(ev) ? STATS_WRITE : STATS_READ);
	return t.elapsed;
}

/* --- an event's way ------------------------------------------------------ */

APART void follow_before_count(struct follow *f, struct event *ev,
			       unsigned int due)
{
	if (due & FOLLOW_WIDEN)
		track_widen(f->track, ev);
	if (due & FOLLOW_FIRST)
		follow_request(f, ev);
	if (due & FOLLOW_SPLIT)
		f->due[0][BLK_TA_COMPLETE] |= FOLLOW_WIDEN;
}

APART uint64_t follow_after_count(struct follow *f, const struct event *ev,
				  unsigned int due)
{
	if (due & FOLLOW_NAME)
		name_newcomer(f, ev);
	return due & FOLLOW_REQUEST ? follow_request(f, ev) : LINE_NO_LATENCY;
}

void follow_after_line(struct follow *f, const struct event *ev)
{
	name_newcomer(f, ev);
}
