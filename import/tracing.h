/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the block layer's tracepoints, as they were recorded by whatever
 * program, made into a recording of blktrace's: in order of time, on disks,
 * with a device for plugs and names of processes.
 *
 * An event waits while it is unknown which disk its device is on
 * (import/disk_map.h), until a second after the device's first event.
 */
#ifndef IMPORT_TRACING_H
#define IMPORT_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "import/disk_map.h"
#include "import/import.h"
#include "import/order.h"
#include "record/record.h"

struct kept;			/* record/kept.h */
struct trace_values;		/* import/tracepoint.h */
struct tracepoint;

enum {
	TRACING_WAIT = 65536,	/* events, which is a power of two */
	TRACING_TWINS = 8,
	TRACING_PAYLOAD = 32,	/* a name and a tracepoint's payload */
};

/* an event of the latest time */
struct tracing_twin {
	struct event ev;
	uint8_t payload[TRACING_PAYLOAD];
};

struct tracing {
	const struct import_to *to;
	struct import_to ordered;	/* receives events in order */
	struct import_order order;
	struct disk_map disks;
	struct hash plugs;	/* by pid the device of its last I/O */
	struct kept *waiting;	/* a ring of TRACING_WAIT */
	uint32_t first, count;	/* of what waits */
	uint64_t now;		/* ns, the latest time in order */
	uint64_t beyond;	/* events of too many devices */
	/*
	 * Set by the owner if times are in ns: what is the same as another
	 * event of that time and CPU was recorded twice, and is counted.
	 */
	bool unique;
	struct tracing_twin twins[TRACING_TWINS];
	unsigned int twin_count;
	uint64_t twice;
};

/* when and where something was recorded */
struct trace_place {
	uint64_t time;		/* ns */
	uint32_t cpu, pid;
};

/* to must outlive t, and t must not move; 0 or -ENOMEM */
int tracing_init(struct tracing *t, const struct import_to *to);
void tracing_free(struct tracing *t);

/* All: 0; -ENOMEM; or what to returns. */

/* An event.  -EBADMSG: passed over, with what is wrong with it in *why. */
int tracing_add(struct tracing *t, const struct trace_place *at,
		const struct tracepoint *tp, const struct trace_values *v,
		const char **why);

/* what a process (at->pid) is called from now on; at time 0: from the start */
int tracing_process(struct tracing *t, const struct trace_place *at,
		    const char *name, size_t len);

/* this many events of a CPU were lost before then; at time 0: anywhere */
int tracing_lost(struct tracing *t, const struct trace_place *at,
		 uint64_t events);

/* nothing earlier than time will be added */
int tracing_release(struct tracing *t, uint64_t time);

/* hands over everything */
int tracing_end(struct tracing *t);

#endif
