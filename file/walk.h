/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where a stream has to start in one CPU's file to skip all events before
 * a time.
 *
 * Walks from header to header, much cheaper than a stream, and refuses a file
 * in which a stream would have something to report: it takes only undamaged
 * records of versions 7 and 8, in this machine's byte order, of the expected
 * CPU.
 */
#ifndef FILE_WALK_H
#define FILE_WALK_H

#include <stdint.h>

struct positions;		/* file/positions.h */

struct walk_options {
	const char *path;
	int cpu;		/* as struct stream_options has it */
	uint32_t batch;		/* of the stream, at least 1 */
	uint64_t time;		/* ns, the tracing machine's clock */
};

/* the events before the time */
struct landing {
	uint64_t events;	/* their number */
	uint64_t last, most, least;	/* time of the last; latest, earliest */
	/* the stream's batch that has the last one: */
	uint64_t batch_at;	/* offset of its first byte */
	uint64_t batch_first;	/* events before it */
	uint64_t batch_after;	/* their latest time, when it is read */
};

/*
 * Walks on from the last of *p, and adds to it.  If *p is not empty, o->batch
 * must be STREAM_BATCH.
 *
 * 0 and *to; -EINVAL: the file cannot be walked; or -errno.
 */
int walk_file(const struct walk_options *o, struct positions *p,
	      struct landing *to);

#endif
