/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capturing threads: one for each online CPU, pinned to it, moves the CPU's
 * records from its tap to the sink.  Each seals its stream of each device once
 * a second and at the end: see BLK_TN_SEAL.
 */
#ifndef CAPTURE_WORKER_H
#define CAPTURE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/sink.h"

struct audit;			/* capture/audit.h */
struct capture_reporter;	/* capture/reporter.h */
struct mark_queue;		/* capture/mark_queue.h */
struct tap;			/* capture/tap.h */
struct workers;

struct workers_options {
	const uint32_t *cpus;	/* the online ones, ascending */
	unsigned int cpu_count;
	const char *const *names;	/* of the devices */
	unsigned int device_count;
	struct sink *sink;
	int idle_ms;		/* longest sleep between two reads */
	/* opens a CPU's tap, called in its thread; 0 or -errno, reported */
	int (*open_tap)(void *ctx, uint32_t cpu, struct tap **t);
	/* a device's events dropped so far; called by the first CPU's thread,
	 * at most once a second.  0 or -errno.  NULL: the taps know */
	int (*dropped)(void *ctx, unsigned int device, uint64_t *n);
	/* a device's events lost so far, if known; NULL: use dropped() */
	uint64_t (*lost)(void *ctx, unsigned int device);
	void *ctx;
	struct audit *audit;	/* or NULL */
	struct mark_queue *marks;	/* to insert among records, or NULL */
	const struct capture_reporter *reporter;
};

/* Starts the threads and waits until each has opened its tap and lanes.  0 and
 * *w; or -errno, with no thread left. */
int workers_start(struct workers **w, const struct workers_options *o);

/* once the kernel writes no more: the threads drain what was recorded up to end
 * (ns), seal their streams, close and end */
void workers_stop(struct workers *w, uint64_t end);

/* readable once a thread has ended early: it has failed, or the records have no
 * reader any more */
int workers_gone_fd(const struct workers *w);

/* waits for all threads; 0, or the first -errno that ended one early */
int workers_join(struct workers *w);

/* the lane of a device and the n-th CPU; after workers_join() */
const struct sink_lane *workers_lane(const struct workers *w,
				     unsigned int device, unsigned int n);

/* sums over all lanes, at any time */
void workers_sums(const struct workers *w, uint64_t *events, uint64_t *bytes,
		  uint64_t *drops);

/* a device's drops, as last read */
uint64_t workers_dropped(const struct workers *w, unsigned int device);

/* after workers_join() */
void workers_free(struct workers *w);

#endif
