/* SPDX-License-Identifier: GPL-2.0-only */
/* What is done about an event; see dispatch.h. */
#include <stdlib.h>

#include "base/hint.h"
#include "record/record.h"
#include "tools/btt/dispatch.h"
#include "tools/btt/events.h"
#include "tools/btt/options.h"
#include "tools/btt/select.h"
#include "tools/btt/state.h"

/* A device's first event, whatever becomes of it. */
static COLD struct disk *add_disk(struct state *s, const struct event *ev)
{
	uint64_t key = origin_key(ev->origin, ev->device);
	struct disk *d = disks_add(&s->disks, s->o, key);

	if (!d)
		return NULL;
	d->first = ev->time;
	d->remapper = remappers_has(&s->remappers, key);
	return d;
}

static inline void wake(struct disk *d, const struct event *ev)
{
	d->awake = true;
	if (UNLIKELY(ev->action & BLK_CGROUP_FLAG))
		d->grouped = true;
}

/* Does it, if the device is one that counts by now. */
static inline void act(struct state *s, const struct rule *rule,
		       const struct event *ev)
{
	struct disk *d = disks_find(&s->disks,
				    origin_key(ev->origin, ev->device));
	struct process *p = NULL;

	if (UNLIKELY(!d) && rule->admits)
		d = add_disk(s, ev);
	if (UNLIKELY(!d))
		return;
	if (rule->admits) {
		if (rule->wakes)
			wake(d, ev);
		else if (UNLIKELY(!d->awake))
			return;
		d->last = ev->time;
		p = processes_get(&s->processes, ev->origin, ev->pid);
	}
	rule->handle(s, d, p, ev);
}

/* A remap says which device is a remapper, also where remaps are ignored. */
static APART void learn_remapper(struct state *s, const struct event *ev)
{
	uint64_t key;
	struct disk *d;

	if (!remappers_add(&s->remappers, ev, &key))
		return;
	d = disks_find(&s->disks, key);
	if (d)
		d->remapper = true;
}

static COLD void write_iostat(struct state *s, uint64_t time)
{
	size_t count;
	struct disk **disks = select_disks(&s->disks, s->o->devices, &count);

	iostat_table(&s->iostat, &(struct iostat_rows){ disks, count }, time);
	free(disks);
}

/*
 * Where messages alone carry cgroup ids, as most kernels have it, 1.3.0 shows
 * none of those, and so it stays; where requests do, too, they count as these.
 */
static bool wants_message(struct state *s, const struct event *ev)
{
	const struct disk *d = disks_find(&s->disks,
					  origin_key(ev->origin, ev->device));

	return !(ev->action & BLK_CGROUP_FLAG) || (d && d->grouped);
}

/* A note has no time and is not counted.  What is to be done, or NULL. */
static APART const struct rule *take_note(struct state *s,
					  const struct event *note)
{
	if (event_number(note) == BLK_TN_PROCESS)
		processes_set_name(&s->processes, note);
	return event_is_message(note) && wants_message(s, note) ?
		&events_message : NULL;
}

/* Any other event, in the window.  What is to be done, or NULL. */
static inline const struct rule *take_event(struct state *s,
					    const struct event *ev)
{
	uint32_t nr = event_number(ev);

	s->events++;
	s->time = ev->time;
	if (UNLIKELY(iostat_is_due(&s->iostat, ev->time)))
		write_iostat(s, ev->time);
	if (nr >= BLK_TA_COUNT || (event_rules[nr].sized && !ev->bytes))
		return NULL;
	if (UNLIKELY(nr == BLK_TA_REMAP)) {
		learn_remapper(s, ev);
		if (s->o->no_remaps)
			return NULL;
	}
	return &event_rules[nr];
}

/* -1: before the window; 0: in it; 1: behind it */
static APART int place(const struct options *o, const struct event *ev)
{
	double time = seconds_of_time(ev->time);

	return time < o->start ? -1 : time > o->end;
}

enum dispatch_result dispatch_event(struct state *s, const struct event *ev)
{
	const struct rule *rule;

	if (UNLIKELY(event_is_note(ev))) {
		rule = take_note(s, ev);
	} else if (event_is_pc(ev)) {
		return DISPATCH_ON;
	} else {
		int where = s->windowed ? place(s->o, ev) : 0;

		if (UNLIKELY(where > 0))
			return DISPATCH_STOP;
		if (UNLIKELY(where < 0)) {
			learn_remapper(s, ev);
			return DISPATCH_ON;
		}
		rule = take_event(s, ev);
	}
	if (rule && rule->handle)
		act(s, rule, ev);
	return DISPATCH_ON;
}

