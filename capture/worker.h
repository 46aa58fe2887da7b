/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capturing threads: one for each online CPU, pinned to it, moving that
 * CPU's records from its tap to the sink.  Each seals its streams, one for each
 * device, once a second and at the end: see BLK_TN_SEAL.
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
	/* events of a device dropped so far; asked by the first CPU's thread,
	 * once a second at most.  0 or -errno.  NULL: the taps know */
	int (*dropped)(void *ctx, unsigned int device, uint64_t *n);
	/* events of a device lost so far, as far as is known; NULL: those that
	 * dropped() knows of */
	uint64_t (*lost)(void *ctx, unsigned int device);
	void *ctx;
	struct audit *audit;	/* counts along, or NULL */
	struct mark_queue *marks;	/* to be put among records, or NULL */
	const struct capture_reporter *reporter;
};

/*
 * Starts the threads and waits until each has opened what it needs.  0 and *w;
 * or -errno when one could not: then none is left.
 */
int workers_start(struct workers **w, const struct workers_options *o);

/* the kernel writes no more, and all that it recorded up to end (ns) is to be
 * read: the threads drain, seal their streams, close and end */
void workers_stop(struct workers *w, uint64_t end);

/*
 * A descriptor that becomes readable when a thread has ended by itself: the
 * run has failed, or no reader of the records is left.
 */
int workers_gone_fd(const struct workers *w);

/* waits for the end; 0, or the first -errno that ended a thread early */
int workers_join(struct workers *w);

/* the lane of a device and the n-th CPU, for totals; after workers_join() */
const struct sink_lane *workers_lane(const struct workers *w,
				     unsigned int device, unsigned int n);

/* sums over all lanes, at any time; for --progress */
void workers_sums(const struct workers *w, uint64_t *events, uint64_t *bytes,
		  uint64_t *drops);

/* dropped of one device, as last seen */
uint64_t workers_dropped(const struct workers *w, unsigned int device);

/* frees w, whose threads have been joined */
void workers_free(struct workers *w);

#endif
