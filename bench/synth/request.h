/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What travels from Q to C, and the words that actions are put together from.
 */
#ifndef BENCH_SYNTH_REQUEST_H
#define BENCH_SYNTH_REQUEST_H

#include <stdint.h>

#include "blktrace.h"

/* the parts of an action word: categories, and the event's number */
#define CAT(name) BLK_TC_ACT(BLK_TC_##name)
#define ACTION(name) BLK_TA_##name
#define BIO(name) (ACTION(name) | CAT(QUEUE))
#define NOTE(name) (BLK_TN_##name | CAT(NOTIFY))

/* what an operation says about itself; the rest of a word is the event */
#define READ_OP CAT(READ)
#define WRITE_OP CAT(WRITE)

enum {
	PAGE = 4096,
	SECTOR = 512,
	PARTITION_START = 2048,	/* first sector of a disk's partition */
};

struct request {
	uint64_t sector;
	uint32_t bytes;
	uint32_t flags;		/* operation and its modifiers */
	unsigned disk;
};

#endif
