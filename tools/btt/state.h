/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that btt knows: what has been counted, which requests are under way, and
 * the files that are being written.
 *
 * events.h changes it, report.h shows it.
 */
#ifndef TOOLS_BTT_STATE_H
#define TOOLS_BTT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/btt/busy.h"
#include "tools/btt/disk.h"
#include "tools/btt/files/iostat.h"
#include "tools/btt/files/rates.h"
#include "tools/btt/files/sizes.h"
#include "tools/btt/processes.h"
#include "tools/btt/remappers.h"
#include "tools/btt/requests.h"
#include "tools/btt/shares.h"
#include "tools/btt/spans.h"

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
