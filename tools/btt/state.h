/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that btt knows: what has been counted, which requests are under way, and
 * the files that are being written.
 *
 * dispatch.h changes it, report.h shows it.
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
 * Which devices are remappers: they hand requests on to other devices, as md
 * and device mapper do, so that each request is seen twice.
 *
 * A remapper is what the trace's remaps (A) name as the device that a request
 * came from.  A device whose own trace has that remap is none: so it is where
 * a partition was traced and not its disk.  1.3.0: majors 9, 253 and 254 are
 * remappers, among them many virtio disks; that is --remappers=classic.
 */

struct event;			/* record/record.h */

struct remappers {
	bool classic;
	struct hash from;	/* devices that remaps have named, by key */
};

/*
 * An event that may be a remap.  true: the device of this origin_key() is
 * a remapper and was not known to be one; dies without memory.
 */
bool remappers_add(struct remappers *r, const struct event *ev,
		     uint64_t *key);

/* as far as is known by now */
bool remappers_has(const struct remappers *r, uint64_t key);

/* --- shares --------------------------------------------------------------- */

/*
 * What one process did on one device, of the spans that are kept apart for
 * remappers.  Whether a device is one may be known only after its first
 * requests, so these are counted by process and device, and become the
 * process's at the end.
 */

struct disk;			/* tools/btt/disk.h */

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

/* the one of that process and device, made if there is none; dies without
 * memory */
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
	bool windowed;		/* there is a window, in *o */
	struct buf *messages;	/* where a trace's messages go */
	uint64_t pause;		/* that parts ranges of activity, ns */

	struct spans system;	/* its spans are sums, made at the end */
	struct busy busy;
	struct disks disks;
	struct processes processes;
	struct shares shares;
	struct requests requests;
	struct remappers remappers;

	struct sizes queue_sizes, issue_sizes;	/* made at the end */
	struct rates rates;
	struct iostat iostat;
	struct datafile *lives;	/* -p */

	uint64_t events;	/* in the window, of any kind but notes and
				 * packet commands */
	uint64_t time;		/* of the last of them */
};

/* nothing is known yet; *o must outlive it */
void state_init(struct state *s, const struct options *o);

/* opens the files that are not a device's; dies when that fails */
void state_open(struct state *s, struct buf *messages);

/* after the last event, before the report: makes the sums */
void state_end(struct state *s);

/*
 * Writes the files that come last, and closes all.  false: not all is in the
 * files, after a warning.
 */
bool state_close(struct state *s);

void state_free(struct state *s);

#endif
