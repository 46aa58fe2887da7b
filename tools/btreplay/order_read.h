/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of a device's flushes and changes, read from its replay files.
 */
#ifndef TOOLS_BTREPLAY_ORDER_READ_H
#define TOOLS_BTREPLAY_ORDER_READ_H

#include <stdbool.h>

#include "tools/btreplay/order.h"

struct job;			/* tools/btreplay/job.h */
struct packet;			/* replay/bunch.h */
struct replay_options;		/* tools/btreplay/options.h */

/*
 * The order of what is sent to one of the job's devices.  0 and *o, which is
 * NULL if no flush is sent; or, reported on stderr, -1: no memory, or a file
 * could not be read again.  All files are rewound.
 */
int order_read(struct order **o, const struct job *l, unsigned int target,
	       const struct replay_options *options, order_release *release);

/* whether that is a flush, the end of some, or a change that is sent */
bool order_read_counts(const struct packet *p,
		       const struct replay_options *options);

/*
 * The places of a packet that counts, of a bunch of that time: how many.  None
 * of the end of flushes; of a write with a flush before it two, the flush's
 * first.  All packets of a file that count are to be given, in their order.
 */
unsigned int order_read_places(const struct order *o, struct order_place *at,
			       uint64_t time, const struct packet *p,
			       struct order_item places[2]);

#endif
