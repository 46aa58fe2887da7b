/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces as one run of events; see reader.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/time.h"
#include "base/unit.h"
#include "blktrace.h"
#include "file/hooks.h"
#include "file/location.h"
#include "machine/card.h"
#include "record/clock.h"
#include "record/payload.h"
#include "record/record.h"
#include "record/run_time.h"
#include "run/cards.h"
#include "run/cgroups.h"
#include "run/device.h"
#include "run/host.h"
#include "run/host_clocks.h"
#include "run/input.h"
#include "run/marks.h"
#include "run/names.h"
#include "run/reader.h"

/* a later end than this after the last record is not believed */
#define IDLE_MOST (31 * 24 * 3600 * NS_PER_SECOND)

enum { DEVICE_NAME = 128, HOST_MAX = 256 };

struct reader {
	struct reader_options o;
	uint64_t end;		/* of the window, at most RUN_TIME_MOST */
	uint64_t length;	/* of the window; 0 before the first event */
	struct hooks hooks;
	struct locations locations;
	char collected[HOST_MAX];	/* the host that a collector named, or
					 * "" */
	char **operands;	/* as they were added */
	int operand_count, bad;	/* bad: the one of an error, or -1 */
	struct input *in;
	struct names names;
	struct cgroups cgroups;
	struct marks marks;
	struct clock clock;
	struct host_clocks clocks;
	char why[CARD_WHY];	/* the unknown host of an error, or "" */
	uint64_t damages;
	bool untimely;		/* impossible times were reported */
	bool opened;
	int64_t shift;		/* ns, of a single machine */
	bool starved;		/* no memory for a name or a hole */
	bool started;		/* the first event has come */
	bool goes_on;		/* an event after the window has come */
	bool dump;		/* only its notes have the machine's clock */
	bool pipe_sealed;	/* a pipe or single file has seals */
	uint64_t pipe_begin, pipe_end;	/* the first and last, machine's time */
	uint64_t earliest;	/* note of a process before the first event */
	BETWEEN_THREADS(apart);
	struct lane *last;	/* of the last event; NULL: slow path */
	BETWEEN_THREADS(after);
};

static void remark(const struct reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void remark(const struct reader *r, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (r->o.remark)
		r->o.remark(r->o.ctx, text);
}

/* --- what reading reports ------------------------------------------------ */

/*
 * A dump's events start at 0, but its notes keep the machine's clock.  The
 * earliest note of a process is taken for the time of the first event, as the
 * kernel writes it when it first traces a process.
 */
static void fit_clock(struct reader *r)
{
	struct clock *c = &r->clock;
	uint64_t before = 0;

	if (c->note_time <= c->genesis)
		return;
	if (r->earliest > c->note_time)
		before = r->earliest - c->note_time;
	c->note_time = c->genesis - before;
}

static void before_change(const struct reader *r)
{
	if (r->o.change)
		r->o.change(r->o.ctx);
}

/* Each device has a note.  The latest time of day is used, so that the order of
 * devices does not matter. */
static void learn_clock(struct reader *r, const struct event *note)
{
	struct clock one = r->clock;

	if (r->dump && r->clock.known)
		return;
	clock_note(&one, note);
	if (r->clock.known && clock_epoch(&one) <= clock_epoch(&r->clock))
		return;
	before_change(r);
	r->clock = one;
	if (r->dump)
		fit_clock(r);
}

/* A pipe's capture has come as far as its newest seal. */
static void learn_pipe_end(struct reader *r, const struct event *note)
{
	struct blk_seal seal;

	if (note->lane || !payload_seal(note, &seal))
		return;
	if (!r->pipe_sealed || note->time < r->pipe_begin)
		r->pipe_begin = note->time;
	r->pipe_sealed = true;
	if (note->time > r->pipe_end)
		r->pipe_end = note->time;
	if (seal.end > r->pipe_end && seal.end - r->pipe_end <= IDLE_MOST)
		r->pipe_end = seal.end;
}

/* A process keeps its first name. */
static void learn_name(struct reader *r, const struct event *note)
{
	if (!names_get(&r->names, note->origin, note->pid))
		before_change(r);
	if (names_learn(&r->names, note->origin, note->pid,
			(const char *)note->payload, note->pdu_len) < 0)
		r->starved = true;
}

static void on_note(void *ctx, const struct event *note)
{
	struct reader *r = ctx;

	if (event_number(note) == BLK_TN_SEAL)
		learn_pipe_end(r, note);
	if (event_number(note) == BLK_TN_TIMESTAMP)
		learn_clock(r, note);
	if (event_number(note) != BLK_TN_PROCESS)
		return;
	learn_name(r, note);
	if (!r->started && (!r->earliest || note->time < r->earliest))
		r->earliest = note->time;
}

static void on_damage(void *ctx, const struct damage *d)
{
	struct reader *r = ctx;

	r->damages++;
	if (r->o.damage)
		r->o.damage(r->o.ctx, d);
}

static void on_idle(void *ctx)
{
	const struct reader *r = ctx;

	if (r->o.idle)
		r->o.idle(r->o.ctx);
}

/* --- opening ------------------------------------------------------------- */

int reader_open(struct reader **out, const struct reader_options *o)
{
	struct input_options io = { .directory = o->directory,
				    .quiet_ms = o->quiet_ms,
				    .wait_ms = o->wait_ms, .checked = true };
	struct reader *r = calloc(1, sizeof(*r));

	*out = r;
	if (!r)
		return -ENOMEM;
	r->o = *o;
	r->end = o->window.end < RUN_TIME_MOST ? o->window.end : RUN_TIME_MOST;
	r->bad = -1;
	r->hooks = (struct hooks){ r, on_note, on_damage, hooks_no_added,
				   on_idle };
	r->in = input_new(&io, &r->hooks);
	if (r->in)
		return 0;
	reader_close(r);
	*out = NULL;
	return -ENOMEM;
}

static int keep_operand(struct reader *r, const char *name)
{
	char **list = realloc(r->operands, (size_t)(r->operand_count + 1) *
						   sizeof(*list));

	if (!list)
		return -ENOMEM;
	r->operands = list;
	list[r->operand_count] = strdup(name);
	if (!list[r->operand_count])
		return -ENOMEM;
	r->operand_count++;
	return 0;
}

int reader_add(struct reader *r, const char *name)
{
	int err = keep_operand(r, name);

	if (!err)
		err = locations_add(&r->locations, r->o.directory, name);
	if (err == -ENOENT)
		err = locations_why_none(r->o.directory, name);
	r->bad = err ? r->operand_count - 1 : -1;
	return err;
}

const char *reader_why(const struct reader *r)
{
	return r->bad >= 0 ? r->operands[r->bad] : r->why;
}

/* --- gaps ----------------------------------------------------------------- */

/* whether a number does not follow the last one of its lane */
static inline bool leaves_gap(const struct lane *lane, uint32_t sequence)
{
	const struct holes *h = &lane->holes;

	return sequence != h->next && (h->begun || h->next) && !lane->filtered;
}

static inline bool is_after_gap(const struct event *ev)
{
	return leaves_gap(ev->lane, ev->sequence) && ev->version >= 6 &&
	       !event_is_note(ev);
}

static void report_gap(const struct reader *r, struct lane *lane, bool begins)
{
	lane->hole_ahead = begins;
	r->o.gap(r->o.ctx, lane->device->origin, lane->recorded, begins);
}

/* When another lane is next, the last one's next event is known. */
static void look_ahead(const struct reader *r, struct lane *lane)
{
	uint32_t next;

	if (!lane->hole_ahead && input_front(r->in, lane, &next) &&
	    leaves_gap(lane, next))
		report_gap(r, lane, true);
}

/* A gap ends before this event, and may be noticed only now. */
static void watch_rare(struct reader *r, const struct event *ev)
{
	struct lane *lane = ev->lane;

	/* a note's number means nothing: look at the next event */
	if (event_is_note(ev)) {
		if (lane->hole_ahead)
			r->last = NULL;
		return;
	}
	lane->recorded = ev->device;
	if (!lane->hole_ahead && is_after_gap(ev))
		report_gap(r, lane, true);
	if (lane->hole_ahead)
		report_gap(r, lane, false);
}

/* --- events -------------------------------------------------------------- */

/* The first event's time becomes 0. */
static void start(struct reader *r, const struct event *ev)
{
	r->clock.genesis = r->o.has_zero ? r->o.zero : ev->time;
	r->dump = ev->lane->filtered && !ev->lane->device->host;
	if (r->dump && r->clock.known)
		fit_clock(r);
	if (r->end >= r->o.window.start)
		r->length = r->end - r->o.window.start + 1;
	r->started = true;
}

/* Another lane is next.  Whether a gap before this event was reported, which
 * happens only for a lane that had to wait. */
static APART bool change_lane(struct reader *r, const struct event *ev)
{
	struct lane *lane = ev->lane;

	if (r->o.gap && r->last)
		look_ahead(r, r->last);
	if (r->o.gap && !event_is_note(ev))
		lane->recorded = ev->device;
	r->last = lane;
	return lane->hole_ahead;
}

/* The slow path of follow(). */
static COLD void follow_rare(struct reader *r, const struct event *ev)
{
	if (r->o.gap)
		watch_rare(r, ev);
	if (r->o.message && event_is_message(ev))
		r->o.message(r->o.ctx, ev);
	if (r->o.change && marks_want(&r->marks, ev))
		before_change(r);
	marks_take(&r->marks, ev, ev->time);
	device_follow(ev);
	if (ev->lane->holes.starved || ev->lane->device->holes.starved)
		r->starved = true;
}

/* Follows the numbers of all events, and reports gaps. */
static inline void follow(struct reader *r, const struct event *ev)
{
	struct lane *lane = ev->lane;

	if (UNLIKELY((lane != r->last && change_lane(r, ev)) ||
		     ev->sequence != lane->holes.next || event_is_note(ev)))
		follow_rare(r, ev);
	else
		lane->holes.next++;
}

/* From a pipe, an earlier event may follow one after the window. */
static bool is_over(const struct reader *r)
{
	uint64_t mark = input_watermark(r->in);

	return mark > r->clock.genesis && mark - r->clock.genesis > r->end;
}

/* The event is outside the window.  0: so are all that follow; or -ENOENT. */
static int leave_out(struct reader *r, const struct event *ev)
{
	bool after = ev->time > r->end;

	r->goes_on |= after;
	return after && is_over(r) ? 0 : -ENOENT;
}

/* An event of an impossible time counts as missing. */
static COLD void refuse(struct reader *r, const struct event *ev)
{
	struct lane *lane = ev->lane;
	char name[DEVICE_NAME];

	lane->device->untimely++;
	if (r->o.gap && !lane->hole_ahead) {
		report_gap(r, lane, true);
		report_gap(r, lane, false);
	}
	if (r->untimely)
		return;
	r->untimely = true;
	device_text(lane->device, name, sizeof(name));
	remark(r, "%s: events with impossible times are left out: years from"
	       " the trace's first event", name);
}

/* An event that may be outside the window.  1: it is inside; else as
 * leave_out(). */
static COLD int judge(struct reader *r, struct event *ev)
{
	bool can_be;

	if (!r->started)
		start(r, ev);
	can_be = run_time_of(r->clock.genesis, ev->time, &ev->time);
	follow(r, ev);
	if (!can_be) {
		refuse(r, ev);
		return -ENOENT;
	}
	if (ev->time - r->o.window.start < r->length)
		return 1;
	return leave_out(r, ev);
}

/* 1: *ev is in the window; 0: none that follows is; else -errno */
static int next_wanted(struct reader *r, struct event **ev)
{
	for (;;) {
		int got = input_next(r->in, ev);
		uint64_t time;

		if (UNLIKELY(got != 1 || r->starved))
			return r->starved ? -ENOMEM : got;
		time = (*ev)->time - r->clock.genesis;
		if (LIKELY(time - r->o.window.start < r->length)) {
			(*ev)->time = time;
			follow(r, *ev);
			return 1;
		}
		got = judge(r, *ev);
		if (got != -ENOENT)
			return got;
	}
}

/* --- machines ------------------------------------------------------------- */

static void on_unread(void *ctx, const char *path, const char *why)
{
	remark(ctx, "%s: %s; the trace is read without it", path, why);
}

static void remark_clock(const struct reader *r, unsigned int host)
{
	const struct host_clock *c = &r->clocks.list[host];
	const char *name = r->locations.hosts[host];
	char span[UNIT_MAX];

	if (c->foreign)
		remark(r, "%s: the card does not fit the trace: its clock is"
		       " not used", name);
	if (!c->step)
		return;
	unit_time(span, c->step < 0 ? 0 - (uint64_t)c->step :
				      (uint64_t)c->step);
	remark(r, "%s: its time of day was set %s by %s during the trace:"
	       " times use the clock of the start", name,
	       c->step < 0 ? "back" : "forward", span);
}

static void remark_clocks(const struct reader *r)
{
	for (unsigned int i = 0; i < r->clocks.count; i++)
		remark_clock(r, i);
	if (r->clocks.aligned || r->clocks.count < 2)
		return;
	for (unsigned int i = 0; i < r->clocks.count; i++)
		if (!r->clocks.list[i].known)
			remark(r, "%s: its clock is unknown: hosts are not"
			       " aligned in time", r->locations.hosts[i]);
}

/* A single machine's times stay, and its time of day is shifted. */
static void shift_alone(struct reader *r)
{
	const struct host_wishes *w = r->o.hosts;

	for (size_t i = 0; w && i < w->count && r->clocks.count == 1; i++)
		r->shift += w->shifts[i].ns;
}

static int find_clocks(struct reader *r)
{
	size_t which = 0;
	int err = host_clocks_find(&r->clocks, &r->locations, r->o.hosts,
				   &which);

	if (err == -ESRCH)
		snprintf(r->why, sizeof(r->why), "%s",
			 r->o.hosts->shifts[which].host);
	if (err)
		return err;
	shift_alone(r);
	remark_clocks(r);
	input_use_clocks(r->in, &r->clocks);
	return 0;
}

static int learn_cgroups(struct reader *r)
{
	const struct locations *l = &r->locations;
	int err = 0;

	for (size_t i = 0; !err && i < l->count; i++)
		err = cgroups_learn_card(&r->cgroups,
					 (uint16_t)l->list[i].host,
					 l->list[i].card);
	return err;
}

static COLD int find_host(struct reader *r)
{
	if (!r->operand_count)
		return 0;
	return host_of_collector(r->collected, sizeof(r->collected),
				 r->o.directory, r->operands[0]);
}

static COLD int open_all(struct reader *r)
{
	const struct cards_hooks hooks = { on_unread, r };
	int err;

	r->opened = true;
	err = locations_unpack(&r->locations, &r->bad);
	if (!err)
		err = cards_load(&r->locations, &hooks);
	if (!err)
		err = learn_cgroups(r);
	if (!err)
		err = find_clocks(r);
	if (!err)
		err = find_host(r);
	return err ? err : input_add_locations(r->in, &r->locations, &r->bad);
}

const char *reader_host(const struct reader *r, uint16_t origin)
{
	const char *name = devices_host(reader_devices(r), origin);

	if (!name)
		name = card_text(cards_of_host(&r->locations, origin), "host");
	return name || origin || !*r->collected ? name : r->collected;
}

uint64_t reader_zero(const struct reader *r)
{
	return r->clock.genesis;
}

const struct host_clock *reader_clock(const struct reader *r, uint16_t origin)
{
	return origin < r->clocks.count ? &r->clocks.list[origin] : NULL;
}

const struct card *reader_card(const struct reader *r, uint32_t device)
{
	const struct devices *d = input_devices(r->in);

	return device < d->count ? d->list[device]->card : NULL;
}

int reader_next(struct reader *r, const struct event **out)
{
	struct event *ev;
	int got = UNLIKELY(!r->opened) ? open_all(r) : 0;

	if (LIKELY(!got))
		got = next_wanted(r, &ev);
	*out = LIKELY(got == 1) ? ev : NULL;
	return got;
}

int reader_read_ahead(struct reader *r)
{
	return r->opened ? input_read_ahead(r->in, r->last) : -ENOTSUP;
}

bool reader_stop_ahead(struct reader *r)
{
	return input_stop_ahead(r->in);
}

int reader_continue(struct reader *r, const char *segment, unsigned int before)
{
	struct locations l = { 0 };
	int err = locations_add(&l, NULL, segment), bad;

	if (!err)
		err = locations_unpack(&l, &bad);
	if (!err)
		err = input_continue(r->in, &l, before);
	locations_free(&l);
	r->last = NULL;
	return err;
}

const char *reader_process(const struct reader *r, uint16_t origin,
			   uint32_t pid)
{
	return names_get(&r->names, origin, pid);
}

const struct cgroups *reader_cgroups(const struct reader *r)
{
	return &r->cgroups;
}

int reader_name_cgroup(struct reader *r, uint16_t origin, uint64_t id,
		       const char *path)
{
	return cgroups_learn(&r->cgroups, origin, id, path);
}

int reader_wall(const struct reader *r, uint64_t time, struct timespec *ts)
{
	uint64_t wall = r->clock.genesis + time;
	int64_t sec = (int64_t)(wall / NS_PER_SECOND);
	uint32_t nsec = (uint32_t)(wall % NS_PER_SECOND);
	bool known = r->clocks.count > 1 && r->clocks.aligned ?
		     r->clocks.wall : r->clock.known;

	if (!known)
		return -ENODATA;
	/* several machines' times are the time of day */
	if (r->clocks.count < 2 || !r->clocks.aligned)
		clock_wall(&r->clock, time + (uint64_t)r->shift, &sec, &nsec);
	*ts = (struct timespec){ .tv_sec = (time_t)sec, .tv_nsec = nsec };
	return 0;
}

/* The devices that an id means: from list[*first] to before list[*end]. */
static const struct devices *range_of(const struct reader *r, uint32_t device,
				      uint32_t *first, uint32_t *end)
{
	const struct devices *d = input_devices(r->in);
	bool all = device == READER_ALL;

	*first = all ? 0 : device;
	*end = all || device >= d->count ? d->count : device + 1;
	return d;
}

void reader_loss(const struct reader *r, uint32_t device, struct loss *l)
{
	uint32_t first, end;
	const struct devices *d = range_of(r, device, &first, &end);

	*l = (struct loss){ 0 };
	for (uint32_t i = first; i < end; i++) {
		uint64_t holes, missing;

		device_skips(d->list[i], &holes, &missing);
		l->holes += holes;
		l->missing += missing;
	}
	if (device == READER_ALL) {
		l->late = input_late(r->in);
		l->damages = r->damages;
	}
}

/* --- the end -------------------------------------------------------------- */

/* run: the run's time of a machine's; false: impossible, *run is 0. */
static bool run_time(const struct reader *r, uint16_t origin, uint64_t time,
		     uint64_t *run)
{
	if (r->clocks.count > 1 && r->clocks.aligned)
		time = host_clock_wall(&r->clocks.list[origin], time);
	return run_time_of(r->clock.genesis, time, run);
}

/* the machine's time of the end by the card */
static bool card_end(const struct reader *r, const struct device *dev,
		     uint64_t *time)
{
	const struct host_clock *c = reader_clock(r, dev->origin);

	return !(c && c->foreign) &&
	       (card_number(dev->card, "end.monotonic_ns", time) ||
		card_number(dev->card, "clock.end.monotonic_ns", time));
}

/* the same by the last seals, which a killed capture has, too */
static bool seal_end(const struct device *dev, uint64_t *time)
{
	*time = 0;
	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++) {
		const struct lane *lane = dev->lanes[cpu];

		if (!lane || !lane->end.sealed)
			continue;
		if (lane->end.at > *time)
			*time = lane->end.at;
		if (lane->end.seal.end > *time)
			*time = lane->end.seal.end;
	}
	return *time;
}

/* up to when the lane's records are complete: the last one or its seal */
static uint64_t lane_time(const struct lane_end *e)
{
	bool later = e->sealed && e->at > e->newest &&
		     e->at - e->newest <= IDLE_MOST;

	return later ? e->at : e->newest;
}

/* whether the time is possible as the end of a device's capture */
static bool may_end(const struct device *dev, uint64_t time)
{
	uint64_t newest = 0;

	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++)
		if (dev->lanes[cpu] && dev->lanes[cpu]->end.newest > newest)
			newest = dev->lanes[cpu]->end.newest;
	return !newest || time < newest || time - newest <= IDLE_MOST;
}

/* Whether the events have the machine's clock, as seals have, and do not start
 * at 0, as a dump's do: the first seal has the time of the next record. */
static bool pipe_has_clock(const struct reader *r)
{
	return r->pipe_sealed && r->pipe_begin <= r->clock.genesis;
}

static bool device_end(const struct reader *r, const struct device *dev,
		       uint64_t *time)
{
	if (dev->number && pipe_has_clock(r))
		*time = r->pipe_end;
	else if (!seal_end(dev, time) && !card_end(r, dev, time))
		return false;
	return may_end(dev, *time) && run_time(r, dev->origin, *time, time);
}

bool reader_end(const struct reader *r, uint32_t device, uint64_t *time)
{
	uint32_t first, end;
	const struct devices *d = range_of(r, device, &first, &end);
	bool known = false;

	*time = 0;
	for (uint32_t i = first; r->started && i < end; i++) {
		uint64_t its;

		if (!device_end(r, d->list[i], &its))
			continue;
		known = true;
		if (its > *time)
			*time = its;
	}
	return known;
}

/* The card's count of a CPU's records; false: it has none. */
static bool card_records(const struct card *c, uint32_t cpu, uint64_t *n)
{
	char key[CARD_KEY];

	if (!c)
		return false;
	snprintf(key, sizeof(key), "end.cpus.%u.events", cpu);
	return card_number(c, key, n);
}

/* A segment before the last has its end in its card, and no seal of it. */
static bool is_segment(const struct card *c)
{
	uint64_t end;

	return card_number(c, "clock.end.monotonic_ns", &end) &&
	       !card_text(c, "end.cause");
}

static bool ends_early(const struct device *dev, const struct lane *lane)
{
	uint64_t n;

	if (!lane->end.over)
		return false;
	if (lane->end.sealed && lane->end.seal.kind == BLK_SEAL_END)
		return false;
	if (lane->end.sealed && !is_segment(dev->card))
		return true;
	return lane->end.cut ||
	       (!lane->end.later && card_records(dev->card, lane->cpu, &n) &&
		lane->end.records < n);
}

/* whether a cut between two records would be noticed */
static bool is_proven(const struct reader *r, const struct device *dev,
		      const struct lane *lane)
{
	uint64_t n;

	if (dev->number)
		return r->pipe_sealed;
	return lane->end.sealed ||
	       (!lane->end.later && card_records(dev->card, lane->cpu, &n));
}

static void cut_at(struct reach *reach, const struct device *dev, uint32_t cpu,
		   uint64_t time)
{
	reach->cpus++;
	if (time >= reach->time)
		return;
	reach->time = time;
	reach->device = dev->id;
	reach->cpu = cpu;
}

/* last: the run's time of the newest record so far. */
static void reach_lane(const struct reader *r, const struct lane *lane,
		       struct reach *reach, uint64_t *last)
{
	const struct device *dev = lane->device;
	const struct lane_end *e = &lane->end;
	uint64_t time;

	run_time(r, dev->origin, lane_time(e), &time);
	reach->sealed |= e->sealed;
	reach->proven &= is_proven(r, dev, lane);
	reach->killed &= !(e->sealed && e->seal.kind == BLK_SEAL_END);
	if (lane->end.over && time > *last)
		*last = time;
	if (ends_early(dev, lane))
		cut_at(reach, dev, lane->cpu, time);
}

/* whether it is read from its first segment on */
static bool from_begin(const struct device *dev)
{
	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++)
		if (dev->lanes[cpu] && dev->lanes[cpu]->end.later)
			return false;
	return true;
}

/* CPUs that recorded events, by the card, but have no file. */
static void reach_missing(const struct device *dev, struct reach *reach)
{
	uint64_t n;

	for (uint32_t cpu = 0; card_records(dev->card, cpu, &n); cpu++) {
		if (!n || (cpu < dev->cpus && dev->lanes[cpu]))
			continue;
		reach->missing++;
		cut_at(reach, dev, cpu, 0);
	}
}

/* The same by seals, which have the number of CPUs that recorded events, unless
 * that is impossible. */
static void reach_uncounted(const struct device *dev, struct reach *reach)
{
	uint32_t streams = 0, there = 0;

	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++) {
		const struct lane *lane = dev->lanes[cpu];

		if (!lane || !lane->end.sealed)
			continue;
		there++;
		if (lane->end.seal.streams > streams)
			streams = lane->end.seal.streams;
	}
	if (streams <= there || streams > BLK_CPU_MAX)
		return;
	reach->missing += streams - there;
	reach->cpus += streams - there - 1;
	cut_at(reach, dev, READER_NO_CPU, 0);
}

static void reach_device(const struct reader *r, const struct device *dev,
			 struct reach *reach, uint64_t *last)
{
	unsigned int missing = reach->missing;

	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++)
		if (dev->lanes[cpu])
			reach_lane(r, dev->lanes[cpu], reach, last);
	if (dev->card && !dev->number && from_begin(dev))
		reach_missing(dev, reach);
	if (missing == reach->missing && !dev->number)
		reach_uncounted(dev, reach);
}

void reader_reach(const struct reader *r, uint32_t device, struct reach *reach)
{
	uint32_t first, end;
	const struct devices *d = range_of(r, device, &first, &end);
	uint64_t last = 0, known;

	*reach = (struct reach){ .time = UINT64_MAX, .cpu = READER_NO_CPU,
				 .killed = true, .proven = true };
	for (uint32_t i = first; i < end; i++)
		reach_device(r, d->list[i], reach, &last);
	if (reader_end(r, device, &known) && known > last)
		last = known;
	if (reach->cpus && last > reach->time)
		reach->before = last - reach->time;
	reach->killed &= reach->sealed && reach->cpus;
}

uint64_t reader_newest(const struct reader *r, uint32_t device, uint32_t cpu)
{
	const struct devices *d = input_devices(r->in);
	const struct device *dev = device < d->count ? d->list[device] : NULL;
	const struct lane *lane = dev && cpu < dev->cpus ? dev->lanes[cpu] :
							   NULL;
	uint64_t time;

	if (!lane || dev->number || !lane->end.over)
		return UINT64_MAX;
	run_time(r, dev->origin, lane_time(&lane->end), &time);
	return time;
}

bool reader_whole(const struct reader *r, uint32_t device)
{
	struct reach reach;
	struct loss loss;

	reader_loss(r, device, &loss);
	if (loss.missing)
		return false;
	reader_reach(r, device, &reach);
	return !reach.cpus;
}

const struct marks *reader_marks(const struct reader *r)
{
	return &r->marks;
}

bool reader_goes_on(const struct reader *r)
{
	return r->goes_on;
}

void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	input_progress(r->in, done, total);
}

const struct devices *reader_devices(const struct reader *r)
{
	return input_devices(r->in);
}

void reader_close(struct reader *r)
{
	if (!r)
		return;
	input_free(r->in);
	host_clocks_free(&r->clocks);
	names_free(&r->names);
	cgroups_free(&r->cgroups);
	marks_free(&r->marks);
	locations_free(&r->locations);
	for (int i = 0; i < r->operand_count; i++)
		free(r->operands[i]);
	free(r->operands);
	free(r);
}
