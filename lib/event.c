/* SPDX-License-Identifier: GPL-2.0-only */
/* Events, handed out; see blktrace-reader.h. */
#include <errno.h>
#include <string.h>

#include "lib/blktrace-reader.h"
#include "lib/impl.h"
#include "trace/action.h"
#include "trace/device.h"
#include "trace/payload.h"
#include "trace/reader.h"
#include "trace/record.h"
#include "trace/rwbs.h"

/* --- how both are laid out ------------------------------------------------- */

/* The first part is the same, and copied as it is. */
enum { SAME = offsetof(struct event, zone) };

#define SAME_PLACE(theirs, ours) \
	_Static_assert(offsetof(struct blkt_event, theirs) == \
		       offsetof(struct event, ours), #theirs " has moved")

SAME_PLACE(size, magic);
SAME_PLACE(sequence, sequence);
SAME_PLACE(time, time);
SAME_PLACE(sector, sector);
SAME_PLACE(bytes, bytes);
SAME_PLACE(action, action);
SAME_PLACE(pid, pid);
SAME_PLACE(device, device);
SAME_PLACE(cpu, cpu);
SAME_PLACE(error, error);
SAME_PLACE(payload_size, pdu_len);
_Static_assert(offsetof(struct blkt_event, categories) == SAME, "a gap");

/* numbers that both headers have, each for its own readers */
_Static_assert((int)BLKT_ACTION_QUEUE == BLK_TA_QUEUE &&
	       (int)BLKT_ACTION_ZONE_UNPLUG == BLK_TA_ZONE_UNPLUG, "actions");
_Static_assert(BLKT_WRITE == BLK_TC_BIT(BLK_TC_WRITE) &&
	       BLKT_NOTE == BLK_TC_BIT(BLK_TC_NOTIFY) &&
	       BLKT_WRITE_ZEROES == BLK_TC_BIT(BLK_TC_WRITE_ZEROES),
	       "categories");
_Static_assert((int)BLKT_RWBS_SIZE >= (int)RWBS_MAX, "letters do not fit");

/* --- events ---------------------------------------------------------------- */

/* The payload without the id of a cgroup that is in front of it. */
static COLD void show_cgroup(struct blkt_event *to, const struct event *ev)
{
	size_t len;

	to->payload = payload_body(ev, &len);
	to->payload_size = (uint16_t)len;
	if (ev->pdu_len < BLK_CGROUP_SIZE)
		return;
	to->cgroup = get64(ev->payload);
	if (ev->swapped)
		to->cgroup = __builtin_bswap64(to->cgroup);
}

static inline void show(struct blkt_event *to, const struct event *ev)
{
	uint32_t action = ev->action;

	memcpy(to, ev, SAME);
	to->size = sizeof(*to);
	to->action = action & BLK_ACTION_MASK & ~BLK_CGROUP_FLAG;
	to->cpu = ev->lane->cpu;
	/* the kernel has it as a negative number of 16 bits */
	to->error = (uint16_t)(0 - ev->error);
	to->categories = event_categories(ev);
	to->host = ev->origin;
	to->version = ev->version;
	to->payload = ev->payload;
	to->cgroup = 0;
	to->disk = ev->lane->device->id;
	if (UNLIKELY(action & BLK_CGROUP_FLAG))
		show_cgroup(to, ev);
}

/* got, or, after an event that is not wanted, what the next call returns */
static COLD int pass_over(struct blkt_reader *r, const struct event **ev)
{
	int got = 1;

	while (got == 1 && !wanted_device(&r->wanted, (*ev)->lane->device,
					  (*ev)->device))
		got = reader_next(r->reader, ev);
	return got;
}

int blkt_next_event(struct blkt_reader *r, const struct blkt_event **event)
{
	const struct event *ev;
	int got = UNLIKELY(r->state != LIB_EVENTS) ?
		  lib_begin(r, LIB_EVENTS) : 0;

	*event = NULL;
	if (UNLIKELY(got))
		return got;
	got = reader_next(r->reader, &ev);
	if (UNLIKELY(r->wanted.count) && got == 1)
		got = pass_over(r, &ev);
	if (UNLIKELY(got != 1))
		return lib_none(r, got);
	show(&r->event, ev);
	*event = &r->event;
	return 1;
}

/* --- what an event has ------------------------------------------------------ */

/* as those below know it: without the id of a cgroup, which is passed over */
static struct event event_of(const struct blkt_event *e)
{
	return (struct event){
		.sector = e->sector,
		.bytes = e->bytes,
		.action = e->action | e->categories << 16,
		.device = e->device,
		.pdu_len = e->payload_size,
		.zone = e->categories >> 16,
		.version = (uint8_t)e->version,
		.payload = e->payload,
	};
}

const char *blkt_event_action(const struct blkt_event *event)
{
	if (event->categories & BLKT_NOTE)
		return event->action == BLK_TN_MESSAGE ? "m" : NULL;
	return event->categories & BLKT_PC ? action_text_pc(event->action) :
					     action_text(event->action);
}

const char *blkt_event_rwbs(const struct blkt_event *event,
			    char text[BLKT_RWBS_SIZE])
{
	const struct event ev = event_of(event);

	rwbs_text(&ev, text);
	return text;
}

static bool is(const struct blkt_event *event, enum blkt_action action)
{
	return !(event->categories & BLKT_NOTE) &&
	       event->action == (uint32_t)action;
}

int blkt_event_remap(const struct blkt_event *event, uint32_t *device,
		     uint64_t *sector)
{
	const struct event ev = event_of(event);
	struct remap remap;

	if (!is(event, BLKT_ACTION_REMAP) || !payload_remap(&ev, &remap))
		return -ENODATA;
	*device = remap.from;
	*sector = remap.sector;
	return 0;
}

int blkt_event_number(const struct blkt_event *event, uint64_t *number)
{
	const struct event ev = event_of(event);

	if (!is(event, BLKT_ACTION_UNPLUG_IO) &&
	    !is(event, BLKT_ACTION_UNPLUG_TIMER) &&
	    !is(event, BLKT_ACTION_SPLIT))
		return -ENODATA;
	return payload_number(&ev, number) ? 0 : -ENODATA;
}

const char *blkt_event_message(const struct blkt_event *event, size_t *length)
{
	*length = 0;
	if (!(event->categories & BLKT_NOTE) ||
	    event->action != BLK_TN_MESSAGE)
		return NULL;
	*length = strnlen(event->payload, event->payload_size);
	return event->payload;
}
