/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices and their CPUs, as a run knows them.
 *
 * From files a device is what the user named, whatever its records say; from
 * a pipe or dump it is what the records say.  A lane is one CPU's part of a
 * device.  Both are numbered from 0 as they appear, so that higher floors can
 * keep what they know about them in arrays.
 *
 * An origin is the machine that events were recorded on, as far as inputs show
 * it: devices of different origins are different, whatever their numbers.
 */
#ifndef RUN_DEVICE_H
#define RUN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hint.h"
#include "file/stream.h"
#include "record/record.h"

/* --- holes ---------------------------------------------------------------- */

/*
 * Holes in sequence numbers: records that were made and never arrived.
 *
 * Numbers are followed in the order in which events are shown.  One that is
 * ahead leaves a hole behind it; one that comes late closes it again.  The
 * first to be shown need not be the lowest.
 *
 * 1.3.0: a number that was there before begins a new count.
 */

struct hole {
	uint32_t first, last;
};

struct holes {
	bool begun;
	bool starved;		/* one is not listed for want of memory */
	uint32_t first;		/* where the count begins */
	uint32_t next;		/* the number that follows in sequence */
	struct hole *list;	/* ascending, not touching each other */
	size_t count, size;
	uint64_t more;		/* holes not listed, for want of room */
	uint64_t missing;	/* numbers in all holes */
};

/* more holes than this are counted, not listed: late numbers do not fit in */
enum { HOLES_MAX = 4096 };

/* so far below the first a number is late; farther, it begins a new count */
enum { HOLES_EARLY = 1024 };

/* an all-zero struct holes has seen nothing */
void holes_free(struct holes *h);

/* an event with this number is shown; if it is the next, just count next up */
void holes_see(struct holes *h, uint32_t sequence);

/* --- device --------------------------------------------------------------- */

struct card;			/* machine/card.h */

struct lane {
	struct device *device;
	uint32_t cpu;
	uint32_t id;		/* of all lanes of the run */
	bool filtered;		/* holes are no loss: a filter made them */
	uint32_t player;	/* of input's merge: its events' source */
	/* kept only when a reader's caller asks for gaps: */
	bool hole_ahead;	/* told: its next event does not follow */
	uint32_t recorded;	/* what its last event calls the device */
	struct holes holes;
	struct lane_end end;
};

struct device {
	uint32_t id;
	uint32_t number;	/* major and minor; 0: it comes from files */
	uint16_t origin;	/* events carry the same */
	const char *host;	/* its origin's name, the table's, or NULL */
	char *label;		/* what the user calls it, or NULL */
	const struct card *card;	/* the input's, or NULL */
	struct lane **lanes;	/* by CPU; NULL where there is none */
	uint32_t cpus;		/* length of lanes */
	struct holes holes;	/* versions 2 to 5 number per device */
	uint64_t dropped;	/* lost by the kernel, as blktrace notes */
	uint64_t unseen;	/* about, by the capture's audit: not in that */
	uint64_t drops;		/* how often these numbers have moved */
	uint64_t untimely;	/* left out by the reader: their times cannot
				 * be */
};

struct devices {
	struct device **list;	/* in order of appearance */
	uint32_t count;
	size_t size;
	uint32_t lanes;
	struct hash by_number;	/* devices of pipes and dumps, by origin too */
	struct lane *last;	/* of the last device_lane() */
	char **labels;		/* for the devices of pipes, in this order */
	uint32_t label_count, labels_used;
	char **hosts;		/* names of origins, by their number */
	uint32_t host_count;	/* 0: there is one origin, without a name */
};

/* so many are believed of one input; what names more is damaged */
enum { DEVICES_MAX = 4096, LANES_MAX = 65536 };

/* an all-zero struct devices is an empty table */
void devices_free(struct devices *d);

/*
 * One more origin, which is called name in texts: copied.  Its number from 0
 * on, -ENOMEM, or -E2BIG.
 */
int devices_add_origin(struct devices *d, const char *name);

/* the name of an origin; NULL: there is only one */
static inline const char *devices_host(const struct devices *d, uint16_t origin)
{
	return origin < d->host_count ? d->hosts[origin] : NULL;
}

/* label, copied, for the next device of a pipe without one; 0 or -ENOMEM */
int devices_add_label(struct devices *d, const char *label);

/* a device without events for each label that is left; 0 or -ENOMEM */
int devices_use_labels(struct devices *d);

/* a new device with this label (or NULL: its number); NULL: no memory */
struct device *device_add(struct devices *d, const char *label,
			  uint32_t number, uint16_t origin);

/* the lane of cpu, made if there is none yet; NULL: no memory, too many */
struct lane *device_cpu(struct devices *d, struct device *dev, uint32_t cpu);

/*
 * The lane of a pipe's event, by its origin and the device and CPU it names;
 * both are made as they appear.  NULL with errno: ENOMEM, or E2BIG: too many.
 */
struct lane *device_lane(struct devices *d, const struct event *ev);

/* slow path of device_follow(): notes, gaps, dumps, versions up to 5 */
void device_follow_rare(const struct event *ev);

/* follows the numbers and drop messages of an event that is shown */
static inline void device_follow(const struct event *ev)
{
	if (LIKELY(ev->sequence == ev->lane->holes.next && !event_is_note(ev)))
		ev->lane->holes.next++;
	else
		device_follow_rare(ev);
}

/* number of holes, and of events missing in all, as far as is known */
void device_skips(const struct device *dev, uint64_t *holes, uint64_t *missing);

/* "label" or "major,minor", behind "host/" if there are several origins, to
 * text, cut to size - 1 characters */
void device_text(const struct device *dev, char *text, size_t size);

#endif
