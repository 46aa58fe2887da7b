/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting what happened: per CPU of a device, per device, per process.
 * Nothing is printed here; emit/summary does that.
 *
 * Sums of bytes are signed, as a requeue takes away from what its issue added
 * and the two may have met different CPUs.
 */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "run/device.h"

struct names;			/* run/names.h */

enum { STATS_READ, STATS_WRITE };

/* what is counted, each for reads and writes */
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
	STATS_IO_UNPLUGS,	/* whatever their direction */
	STATS_TIMER_UNPLUGS,
	STATS_KINDS
};

/* bytes are summed as each one's whole KiB and what is beyond them */
struct counter {
	uint64_t count;
	int64_t kib, rest;
};

struct counters {
	struct counter io[STATS_KINDS][2];	/* [][STATS_READ or _WRITE] */
};

/* waits, in ns: the longest of each kind, by direction */
struct waits {
	uint64_t allocation[2];
	uint64_t dispatch[2];
	uint64_t completion[2];
};

struct process_stats {
	uint16_t origin;
	uint32_t pid;		/* the first, if several */
	bool several;		/* by name: other pids have it, too */
	struct counters counters;
	struct waits waits;
};

struct device_stats {
	uint64_t events;	/* that passed filter and window */
	uint64_t first, last;	/* ns, first that passed and last seen */
	uint32_t depth[2], depth_max[2];
};

struct lane_stats {
	struct counters counters;
	struct device_stats *device;
};

struct stats {
	struct lane_stats **lanes;	/* by lane number, NULL: none seen */
	uint32_t lane_count;
	struct device_stats **devices;	/* by device number, the same */
	uint32_t device_count;
	struct hash processes;	/* by pid, or by name */
	struct process_stats **process_list;	/* in order of appearance */
	uint32_t process_count, process_size;
	uint64_t left_out;	/* events of processes that are not kept apart */
	bool per_process;	/* count for processes, too */
	bool by_name;		/* those of one name together */
	const struct names *names;	/* for by_name */
	bool newcomer;		/* the last process made has no name; the
				 * caller names it and clears this */
};

/* more processes than this are not kept apart: the events of others count for
 * their lane and device only */
enum { PROCESSES_MAX = 1 << 18 };

/* an all-zero struct stats has counted nothing */
void stats_free(struct stats *s);

/* slow path of stats_lane() */
struct lane_stats *stats_add_lane(struct stats *s, const struct lane *lane);

/* The counters of a lane, made when it is met first.  NULL: no memory. */
static inline struct lane_stats *stats_lane(struct stats *s,
					    const struct lane *lane)
{
	if (lane->id < s->lane_count && s->lanes[lane->id])
		return s->lanes[lane->id];
	return stats_add_lane(s, lane);
}

/* counts an event for its lane l, device and, if asked for, process; 0 or
 * -ENOMEM */
int stats_count(struct stats *s, struct lane_stats *l, const struct event *ev);

/* adds b to *a */
void counters_add(struct counters *a, const struct counters *b);

/* the process's entry, or NULL: nothing of it has been counted */
struct process_stats *stats_process(const struct stats *s, uint16_t origin,
				    uint32_t pid);

#endif
