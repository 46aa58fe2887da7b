/* What is done about an event; see machine.h. */
#include <stdlib.h>

#include "base/hint.h"
#include "tools/btt/life.h"
#include "tools/btt/machine.h"
#include "tools/btt/options.h"
#include "tools/btt/select.h"
#include "tools/btt/state.h"
#include "trace/record.h"

/* A device's first event, whatever becomes of it. */
static COLD struct disk *meet(struct state *s, const struct event *ev)
{
	struct disk *d = disks_meet(&s->disks, s->o,
				    disk_key(ev->origin, ev->device));

	if (!d)
		return NULL;
	d->first = ev->time;
	d->remapper = remappers_has(&s->remappers, d->number);
	return d;
}

static inline void wake(struct disk *d, const struct event *ev)
{
	d->awake = true;
	if (UNLIKELY(ev->action & BLK_CGROUP_FLAG))
		d->grouped = true;
}

/* Does it, if the device is one that counts by now. */
static inline void act(struct state *s, const struct deed *deed,
		       const struct event *ev)
{
	struct disk *d = disks_find(&s->disks,
				    disk_key(ev->origin, ev->device));
	struct process *p = NULL;

	if (UNLIKELY(!d) && deed->admits)
		d = meet(s, ev);
	if (UNLIKELY(!d))
		return;
	if (deed->admits) {
		if (deed->wakes)
			wake(d, ev);
		else if (UNLIKELY(!d->awake))
			return;
		d->last = ev->time;
		p = processes_get(&s->processes, ev->origin, ev->pid);
	}
	deed->handle(s, d, p, ev);
}

/* Unless remaps are ignored: one may tell that a device is a remapper. */
static APART bool wants_remap(struct state *s, const struct event *ev)
{
	struct disk *d;
	uint32_t number;

	if (s->o->no_remaps)
		return false;
	if (!remappers_learn(&s->remappers, ev, &number))
		return true;
	d = disks_find(&s->disks, disk_key(ev->origin, number));
	if (d)
		d->remapper = true;
	return true;
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
					  disk_key(ev->origin, ev->device));

	return !(ev->action & BLK_CGROUP_FLAG) || (d && d->grouped);
}

/* A note has no time and is not counted.  What is to be done, or NULL. */
static APART const struct deed *take_note(struct state *s,
					  const struct event *note)
{
	if (event_number(note) == BLK_TN_PROCESS)
		processes_learn(&s->processes, note);
	return event_is_message(note) && wants_message(s, note) ?
		&life_message : NULL;
}

/* Any other event, in the window.  What is to be done, or NULL. */
static inline const struct deed *take_event(struct state *s,
					    const struct event *ev)
{
	uint32_t nr = event_number(ev);

	s->events++;
	s->time = ev->time;
	if (UNLIKELY(iostat_is_due(&s->iostat, ev->time)))
		write_iostat(s, ev->time);
	if (nr >= BLK_TA_COUNT || (life_deeds[nr].sized && !ev->bytes))
		return NULL;
	if (UNLIKELY(nr == BLK_TA_REMAP) && !wants_remap(s, ev))
		return NULL;
	return &life_deeds[nr];
}

/* -1: before the window; 0: in it; 1: behind it */
static APART int place(const struct options *o, const struct event *ev)
{
	double time = seconds_of_time(ev->time);

	return time < o->start ? -1 : time > o->end;
}

enum machine_result machine_event(struct state *s, const struct event *ev)
{
	const struct deed *deed;

	if (UNLIKELY(event_is_note(ev))) {
		deed = take_note(s, ev);
	} else if (event_is_pc(ev)) {
		return MACHINE_ON;
	} else {
		int where = s->windowed ? place(s->o, ev) : 0;

		if (UNLIKELY(where))
			return where < 0 ? MACHINE_ON : MACHINE_STOP;
		deed = take_event(s, ev);
	}
	if (deed && deed->handle)
		act(s, deed, ev);
	return MACHINE_ON;
}

