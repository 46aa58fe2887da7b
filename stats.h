/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of events: per CPU of a device, per device, per process.  emit/summary
 * prints them.
 *
 * Sums of bytes are signed, as a requeue subtracts what its issue added, maybe
 * on another CPU.
 */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "run/device.h"

struct names;			/* run/names.h */

enum { STATS_READ, STATS_WRITE };

/* counters, each for reads and writes */
enum stats_kind {
	STATS_NONE,
	STATS_QUEUED,
	STATS_ISSUED,
	STATS_REQUEUED,
	STATS_COMPLETED,
	STATS_MERGED,
	STATS_PC_QUEUED,
	STATS_PC_ISSUED,
	STATS_PC_REQUEUED,
	STATS_PC_COMPLETED,
	STATS_IO_UNPLUGS,	/* of any direction */
	STATS_TIMER_UNPLUGS,
	STATS_KINDS
};

/* bytes as a sum of whole KiB and one of remainders */
struct counter {
	uint64_t count;
	int64_t kib, rest;
};

struct counters {
	struct counter io[STATS_KINDS][2];	/* [][STATS_READ or _WRITE] */
};

/* longest waits in ns, by direction */
struct waits {
	uint64_t allocation[2];
	uint64_t dispatch[2];
	uint64_t completion[2];
};

struct process_stats {
	uint16_t origin;
	uint32_t pid;		/* the first, if several */
	bool several;		/* by name, and other pids have it */
	struct counters counters;
	struct waits waits;
};

struct device_stats {
	uint64_t events;	/* that passed filter and window */
	uint64_t first, last;	/* ns, first that passed, last seen */
	uint32_t depth[2], depth_max[2];
};

struct lane_stats {
	struct counters counters;
	struct device_stats *device;
};

struct stats {
	struct lane_stats **lanes;	/* by lane number, or NULL */
	uint32_t lane_count;
	struct device_stats **devices;	/* by device number, or NULL */
	uint32_t device_count;
	struct hash processes;	/* by pid, or by name */
	struct process_stats **process_list;	/* in order of appearance */
	uint32_t process_count, process_size;
	uint64_t left_out;	/* events of processes beyond PROCESSES_MAX */
	bool per_process;	/* count for processes as well */
	bool by_name;		/* one entry for each name */
	const struct names *names;	/* for by_name */
	bool newcomer;		/* the newest process has no name: the caller
				 * names it and clears this */
};

/* beyond this, events count for their lane and device only */
enum { PROCESSES_MAX = 1 << 18 };

/* a zeroed struct stats is empty */
void stats_free(struct stats *s);

/* slow path of stats_lane() */
struct lane_stats *stats_add_lane(struct stats *s, const struct lane *lane);

/* The counters of a lane, made on first use.  NULL: no memory. */
static inline struct lane_stats *stats_lane(struct stats *s,
					    const struct lane *lane)
{
	if (lane->id < s->lane_count && s->lanes[lane->id])
		return s->lanes[lane->id];
	return stats_add_lane(s, lane);
}

/* counts ev for its lane, device and, if enabled, process; 0 or -ENOMEM */
int stats_count(struct stats *s, struct lane_stats *l, const struct event *ev);

/* adds b to *a */
void counters_add(struct counters *a, const struct counters *b);

/* the process's entry, or NULL if nothing was counted */
struct process_stats *stats_process(const struct stats *s, uint16_t origin,
				    uint32_t pid);

#endif
