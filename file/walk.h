/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From header to header through one CPU's file, up to a time: where a stream
 * would have to go on if it passed over all events before.
 *
 * It is much cheaper than a stream, and believes less.  A file is walked only
 * as far as nothing in it is to be reported: records of versions 7 and 8 in
 * this machine's byte order, of the CPU that is expected, none damaged.
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

/* where the first event of that time or a later one is */
struct landing {
	uint64_t events;	/* before it; all are earlier than the time */
	uint64_t last, most, least;	/* the last one's time; of all of them
				 * the latest and the earliest */
	/* the stream's batch that the last of these events is in: */
	uint64_t batch_at;	/* offset of its first byte */
	uint64_t batch_first;	/* events before it */
	uint64_t batch_after;	/* their latest time: it is read then */
};

/*
 * Walks on from what *p knows, which learns what is passed.  If it knows
 * something, it is by batches of STREAM_BATCH, and so is *o.
 *
 * 0 and *to, the file's end if all of its events are earlier; -EINVAL: this
 * file is none to be walked; or -errno.
 */
int walk_file(const struct walk_options *o, struct positions *p,
	      struct landing *to);

#endif
