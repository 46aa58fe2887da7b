/* SPDX-License-Identifier: GPL-2.0-only */
/* Events; see blktrace-reader.h. */
#include <errno.h>
#include <string.h>

#include "base/hint.h"
#include "lib/impl.h"
#include "record/action.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"
#include "run/reader.h"

/*
 * An event is handed out as the reader has it, as copying would be a quarter of
 * all instructions.  The library's struct cannot change: if struct event does,
 * it must be copied here.
 */
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
SAME_PLACE(more_categories, zone);
SAME_PLACE(version, version);
SAME_PLACE(swapped, swapped);
SAME_PLACE(host, origin);
SAME_PLACE(payload, payload);
SAME_PLACE(lane, lane);
_Static_assert(sizeof(struct blkt_event) == sizeof(struct event), "sizes");

/* numbers that both headers have */
_Static_assert((int)BLKT_ACTION_QUEUE == BLK_TA_QUEUE &&
	       (int)BLKT_ACTION_ZONE_UNPLUG == BLK_TA_ZONE_UNPLUG, "actions");
_Static_assert(BLKT_WRITE == BLK_TC_BIT(BLK_TC_WRITE) &&
	       BLKT_NOTE == BLK_TC_BIT(BLK_TC_NOTIFY) &&
	       BLKT_WRITE_ZEROES == BLK_TC_BIT(BLK_TC_WRITE_ZEROES),
	       "categories");
_Static_assert((int)BLKT_RWBS_SIZE >= (int)RWBS_MAX, "letters do not fit");

static struct event event_of(const struct blkt_event *event)
{
	struct event ev;

	memcpy(&ev, event, sizeof(ev));
	return ev;
}

static COLD int no_event(struct blkt_reader *r, const struct blkt_event **event,
			 int got)
{
	*event = NULL;
	return lib_none(r, got);
}

/* The size takes the place of the magic number. */
static inline void name_size(const struct blkt_event *event)
{
	const uint32_t size = sizeof(*event);

	memcpy((void *)event, &size, sizeof(size));
}

/* The next one of the wanted devices. */
static APART int next_picked(struct blkt_reader *r,
			     const struct blkt_event **event)
{
	const struct event *ev;
	int got;

	do
		got = reader_next(r->reader, &ev);
	while (got == 1 && !wanted_device(&r->wanted, ev->lane->device,
					  ev->device));
	if (got != 1)
		return no_event(r, event, got);
	*event = (const void *)ev;
	name_size(*event);
	return got;
}

/* The slow path: the first event, a choice of devices, mistakes. */
static APART int next_unusual(struct blkt_reader *r,
			      const struct blkt_event **event)
{
	int err;

	if (r->state == LIB_PICKED)
		return next_picked(r, event);
	*event = NULL;
	err = lib_begin(r, r->wanted.count ? LIB_PICKED : LIB_EVENTS);
	return err ? err : blkt_next_event(r, event);
}

FLAT int blkt_next_event(struct blkt_reader *r,
			 const struct blkt_event **event)
{
	int got;

	if (UNLIKELY(r->state != LIB_EVENTS))
		return next_unusual(r, event);
	/* directly to its place, without a temporary */
	got = reader_next(r->reader, (const struct event **)event);
	if (UNLIKELY(got != 1))
		return no_event(r, event, got);
	name_size(*event);
	return got;
}

uint32_t blkt_event_disk(const struct blkt_event *event)
{
	return ((const struct lane *)event->lane)->device->id;
}

uint64_t blkt_event_cgroup(const struct blkt_event *event)
{
	uint64_t id;

	if (!(event->action & BLK_CGROUP_FLAG) ||
	    event->payload_size < BLK_CGROUP_SIZE)
		return 0;
	id = get64(event->payload);
	return event->swapped ? __builtin_bswap64(id) : id;
}

const void *blkt_event_payload(const struct blkt_event *event, size_t *length)
{
	const struct event ev = event_of(event);

	return payload_body(&ev, length);
}

const char *blkt_event_action(const struct blkt_event *event)
{
	uint32_t action = BLKT_ACTION(event);

	if (BLKT_CATEGORIES(event) & BLKT_NOTE)
		return action == BLK_TN_MESSAGE ? "m" : NULL;
	return BLKT_CATEGORIES(event) & BLKT_PC ? action_text_pc(action) :
						  action_text(action);
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
	return !(BLKT_CATEGORIES(event) & BLKT_NOTE) &&
	       BLKT_ACTION(event) == (uint32_t)action;
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
	const char *text;

	*length = 0;
	if (!(BLKT_CATEGORIES(event) & BLKT_NOTE) ||
	    BLKT_ACTION(event) != BLK_TN_MESSAGE)
		return NULL;
	text = blkt_event_payload(event, length);
	*length = strnlen(text, *length);
	return text;
}
