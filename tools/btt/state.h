/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btt's state: counts, requests in flight and open files.  dispatch changes it,
 * report shows it.
 */
#ifndef TOOLS_BTT_STATE_H
#define TOOLS_BTT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hint.h"
#include "tools/btt/busy.h"
#include "tools/btt/disk.h"
#include "tools/btt/files/iostat.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/files/sizes.h"
#include "tools/btt/processes.h"
#include "tools/btt/requests.h"
#include "tools/btt/spans.h"

/* --- remappers ------------------------------------------------------------ */

/*
 * Remappers: devices such as md and dm that pass requests to other devices, so
 * that each request is seen twice.
 *
 * Remaps (A) name them as the device that a request came from, unless the remap
 * is in that device's own trace, as when a partition was traced and not its
 * disk.  1.3.0: remappers have majors 9, 253 and 254, as do many virtio disks;
 * see --remappers=classic.
 */

struct event;			/* record/record.h */

struct remappers {
	bool classic;
	struct hash from;	/* devices named by remaps, by key */
};

/* ev may be a remap.  true and *key: the device of this origin_key() is a newly
 * known remapper.  Dies without memory. */
bool remappers_add(struct remappers *r, const struct event *ev,
		     uint64_t *key);

/* as far as known */
bool remappers_has(const struct remappers *r, uint64_t key);

/* --- shares --------------------------------------------------------------- */

/*
 * The spans kept apart for remappers, by process and device.  A device may be
 * known as a remapper only after its first requests, so these are added to the
 * process at the end.
 */

struct share {
	struct process *process;
	const struct disk *disk;
	struct cell cells[SPAN_TWINS];
	struct share *next;	/* of all, in no order */
};

struct shares {
	struct hash by_both;
	struct share *first;
};

/* slow path of shares_get() */
struct share *shares_find(struct shares *s, struct process *p,
			  const struct disk *d);

/* made if needed; dies without memory */
static inline struct share *shares_get(struct shares *s, struct process *p,
				       const struct disk *d)
{
	if (LIKELY(p->share && p->share->disk == d))
		return p->share;
	return shares_find(s, p, d);
}

/* --- state ---------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct options;			/* tools/btt/options.h */

struct state {
	const struct options *o;
	bool windowed;		/* *o has a window */
	struct buf *messages;	/* output of the trace's messages */
	uint64_t pause;		/* between ranges of activity, ns */

	struct spans system;	/* sums, made at the end */
	struct busy busy;
	struct disks disks;
	struct processes processes;
	struct shares shares;
	struct requests requests;
	struct remappers remappers;
	struct counting *counting;	/* seeks, in a thread; or NULL */

	struct sizes queue_sizes, issue_sizes;	/* made at the end */
	struct rates rates;
	struct iostat iostat;
	struct datafile *lives;	/* -p */

	uint64_t events;	/* in the window, without notes and packet
				 * commands */
	uint64_t time;		/* of the last of them */
};

/* *o must outlive *s */
void state_init(struct state *s, const struct options *o);

/* opens the files that are not a device's; dies if that fails */
void state_open(struct state *s, struct buf *messages);

/* More work is done by another thread, if there can be one. */
void state_start_thread(struct state *s);

/* after the last event, before the report: makes the sums */
void state_end(struct state *s);

/* Writes the last files, and closes all.  false: a write failed, after a
 * warning. */
bool state_close(struct state *s);

void state_free(struct state *s);

#endif
