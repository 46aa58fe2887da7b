/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a call that waits for the disk has waited for, from its start to its
 * return: parts that add up to its duration.
 */
#ifndef COMMIT_COMMIT_H
#define COMMIT_COMMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "record/payload.h"

/* At each moment the first of these that was under way. */
enum commit_part {
	COMMIT_DATA,		/* the caller's I/Os, except the next two */
	COMMIT_JOURNAL,		/* journal writes: the caller's, or of the journal
				 * commit that served it */
	COMMIT_FLUSH,		/* flushes for these */
	COMMIT_OTHER,		/* a journal commit before that, or a flush begun
				 * for others */
	COMMIT_WRITEBACK,	/* writeback of a kernel worker */
	COMMIT_IDLE,		/* no I/O of these: CPU, locks, waking up */
	COMMIT_PARTS
};

struct device;			/* run/device.h */

/* what waited */
enum commit_kind {
	COMMIT_CALL,		/* a call, by iotracer's message */
	/* where a trace has no calls: */
	COMMIT_OF_JOURNAL,	/* a journal commit */
	COMMIT_OF_FLUSH,	/* an I/O with a flush or FUA of a process that is
				 * no journal */
};

struct commit {
	enum commit_kind kind;
	enum sync_kind call;	/* of COMMIT_CALL */
	uint64_t time, duration;	/* ns: its start, of the run's time */
	uint32_t thread, process;	/* ids; process: 0 without a call */
	uint32_t file;		/* its number, see commits_path(); 0: no call */
	uint16_t origin;	/* the machine */
	uint32_t device;	/* the recorded number */
	const struct device *disk;	/* the same; NULL: it had no event */
	uint64_t parts[COMMIT_PARTS];	/* ns, their sum is the duration */
	/* the journal commits that it waited for first, COMMIT_OTHER: */
	uint32_t other;		/* id of the process of the longest, 0: none or
				 * only a flush */
	uint64_t other_bytes;	/* bytes of them all */
	bool unsure;		/* I/Os that it may have waited for are not known:
				 * lost, not sure, or forgotten */
};

/* "data", for data; and "own data", for text */
const char *commit_part_name(enum commit_part part);
const char *commit_part_text(enum commit_part part);

/* "fsync", "journal commit" or "flush" */
const char *commit_kind_text(const struct commit *c);

#endif
