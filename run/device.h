/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices, their CPUs (lanes), and the events missing of them.
 *
 * A device of files is the one that the user named, whatever its records say;
 * one of a pipe or dump is by its records.  Devices and lanes are numbered from
 * 0 as they appear, to index arrays.
 *
 * An origin is the machine that recorded events, as far as inputs show it.
 * Devices of different origins are different.
 *
 * Holes are gaps in sequence numbers, in the order in which events are shown: a
 * number ahead opens one, a late one closes it.  The first number shown need
 * not be the lowest.  1.3.0: a number seen before starts a new count.
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

struct card;			/* machine/card.h */

enum {
	HOLES_MAX = 4096,	/* listed; late numbers cannot close others */
	HOLES_EARLY = 1024,	/* a number so far below the first is late; a
				 * lower one starts a new count */
};

struct holes {
	bool begun;
	bool starved;		/* no memory to list one */
	uint32_t first;		/* start of the count */
	uint32_t next;		/* the number that follows in sequence */
	struct hole {
		uint32_t first, last;
	} *list;		/* ascending, not adjacent */
	size_t count, size;
	uint64_t more;		/* holes not listed */
	uint64_t missing;	/* numbers in all holes */
};

/* an all-zero struct holes has seen nothing */
void holes_free(struct holes *h);

/* an event with this number is shown; if it is the next, just increment next */
void holes_see(struct holes *h, uint32_t sequence);

struct lane {
	struct device *device;
	uint32_t cpu;
	uint32_t id;		/* of all lanes of the run */
	bool filtered;		/* a filter made the holes: they are no loss */
	uint32_t player;	/* of input's merge: its events' source */
	BETWEEN_THREADS(apart);
	/* of who takes the events: */
	/* only for readers with a gap hook: */
	bool hole_ahead;	/* reported: a gap before its next event */
	uint32_t recorded;	/* device number in its last event */
	struct holes holes;
	uint64_t dropped, drops;	/* of the device's, with events before */
	struct lane_end end;
};

struct device {
	uint32_t id;
	uint32_t number;	/* major and minor; 0: from files */
	uint16_t origin;	/* as in its events */
	const char *host;	/* its origin's name, the table's, or NULL */
	char *label;		/* the user's name for it, or NULL */
	const struct card *card;	/* the input's, or NULL */
	struct lane **lanes;	/* by CPU, or NULL */
	uint32_t cpus;		/* length of lanes */
	struct holes holes;	/* versions 2 to 5 number per device */
	uint64_t dropped;	/* lost by the kernel, as blktrace notes */
	uint64_t unseen;	/* about, by the capture's audit; on top */
	uint64_t drops;		/* how often these two increased */
	uint64_t untimely;	/* left out by the reader: impossible times */
	char *imported;		/* what it was converted from, and lacks, as its
				 * first message has it; or NULL */
	uint8_t imported_times;	/* enum imported_times of record/payload.h */
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
	uint32_t host_count;	/* 0: one origin, without a name */
	/* before a device or lane is added; or NULL */
	void (*before)(void *ctx);
	void *before_ctx;
};

/* of one input; a damaged one may name more */
enum { DEVICES_MAX = 4096, LANES_MAX = 65536 };

/* an all-zero struct devices is an empty table */
void devices_free(struct devices *d);

/* Adds an origin, copying its name.  Its number from 0, -ENOMEM, or -E2BIG. */
int devices_add_origin(struct devices *d, const char *name);

/* the name of an origin, or NULL */
static inline const char *devices_host(const struct devices *d, uint16_t origin)
{
	return origin < d->host_count ? d->hosts[origin] : NULL;
}

/* copies a label for a pipe's next device; 0 or -ENOMEM */
int devices_add_label(struct devices *d, const char *label);

/* adds a device without events for each label not used; 0 or -ENOMEM */
int devices_use_labels(struct devices *d);

/* a new device with this label (or NULL: its number); NULL: no memory */
struct device *device_add(struct devices *d, const char *label,
			  uint32_t number, uint16_t origin);

/* the lane of cpu, added if needed; NULL: no memory */
struct lane *device_cpu(struct devices *d, struct device *dev, uint32_t cpu);

/*
 * The lane of a pipe's event, by its origin, device and CPU; added if needed.
 * NULL with errno: ENOMEM, or E2BIG: too many.
 */
struct lane *device_lane(struct devices *d, const struct event *ev);

/* slow path of device_follow(): notes, gaps, dumps, versions up to 5 */
void device_follow_rare(const struct event *ev);

/* counts the number, or the drops, of an event that is shown */
static inline void device_follow(const struct event *ev)
{
	if (LIKELY(ev->sequence == ev->lane->holes.next && !event_is_note(ev)))
		ev->lane->holes.next++;
	else
		device_follow_rare(ev);
}

/* known holes, and events missing */
void device_skips(const struct device *dev, uint64_t *holes, uint64_t *missing);

/* "label" or "major,minor", with several origins after "host/", cut to size - 1
 * characters */
void device_text(const struct device *dev, char *text, size_t size);

#endif
