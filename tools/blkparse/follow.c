/* Requests followed and processes named, event by event; see follow.h. */
#include <errno.h>
#include <string.h>

#include "base/hint.h"
#include "base/msg.h"
#include "emit/line.h"
#include "stats.h"
#include "tools/blkparse/follow.h"
#include "tools/blkparse/options.h"
#include "tools/blkparse/track.h"
#include "trace/device.h"

/* --- the order of steps -------------------------------------------------- */

/* when an event's request is followed */
enum when { NEVER, BEFORE_COUNT, AFTER_COUNT };

/*
 * Both following and counting meet processes without a name and call them
 * "unknown"; where -h counts by name, and in the line, it shows which of them
 * is first.  1.3.0: an event takes the steps in this order.
 */
struct steps {
	enum when follow;
	bool untimed;		/* it is followed without -t, too */
	bool widen;		/* it may end a split request */
	bool named_last;	/* counting it names a process after its line */
};

/* [1] is for packet commands, which are never followed */
static const struct steps steps[2][BLK_TA_COUNT] = {
	{
		[BLK_TA_QUEUE] = { .follow = BEFORE_COUNT },
		[BLK_TA_GETRQ] = { .follow = AFTER_COUNT },
		[BLK_TA_INSERT] = { .follow = AFTER_COUNT },
		[BLK_TA_ISSUE] = { .follow = AFTER_COUNT },
		[BLK_TA_COMPLETE] = { .follow = AFTER_COUNT, .widen = true },
		[BLK_TA_FRONTMERGE] = { .follow = AFTER_COUNT },
		[BLK_TA_SPLIT] = { .follow = AFTER_COUNT, .untimed = true },
	},
	{
		[BLK_TA_QUEUE] = { .named_last = true },
		[BLK_TA_COMPLETE] = { .named_last = true },
	},
};

static const struct steps *steps_of(const struct event *ev)
{
	static const struct steps none = { .follow = NEVER };
	uint32_t nr = event_number(ev);

	if (event_is_note(ev) || nr >= BLK_TA_COUNT)
		return &none;
	return &steps[event_is_pc(ev)][nr];
}

/* Bits of the actions that take more steps than counting and a line. */
static uint32_t actions_due(const struct options *o)
{
	uint32_t actions = 0;

	if (o->sort)	/* any action may be a process's first */
		return UINT32_MAX;
	for (uint32_t nr = 0; nr < BLK_TA_COUNT; nr++)
		if (steps[0][nr].follow && (o->track || steps[0][nr].untimed))
			actions |= 1u << nr;
	return actions;
}

int follow_init(struct follow *f, const struct options *o,
		struct names *names, struct line *line, struct stats *stats)
{
	*f = (struct follow){ .o = o, .names = names, .line = line,
			      .stats = stats, .actions = actions_due(o) };
	f->track = track_new(o->track);
	return f->track ? 0 : -ENOMEM;
}

void follow_free(struct follow *f)
{
	track_free(f->track);
}

/* --- names --------------------------------------------------------------- */

void follow_name(struct follow *f, const struct event *ev, const char *name,
		 size_t len)
{
	if (names_learn(f->names, ev->origin, ev->pid, name, len))
		line_forget_names(f->line);
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
	if (f->o->verbose)
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

APART void follow_before_count(struct follow *f, struct event *ev)
{
	const struct steps *s = steps_of(ev);

	if (s->widen)
		track_widen(f->track, ev);
	if (s->follow == BEFORE_COUNT && f->o->track)
		follow_request(f, ev);
	if (s->untimed)		/* its completion is to be found */
		f->actions |= 1u << BLK_TA_COMPLETE;
}

APART uint64_t follow_after_count(struct follow *f, const struct event *ev)
{
	const struct steps *s = steps_of(ev);

	if (!s->named_last)
		name_newcomer(f, ev);
	if (s->follow == AFTER_COUNT && (f->o->track || s->untimed))
		return follow_request(f, ev);
	return LINE_NO_LATENCY;
}

void follow_after_line(struct follow *f, const struct event *ev)
{
	name_newcomer(f, ev);
}
