/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts I/Os that start where the one queued before them ended.  Records come
 * in the order in which I/Os end and are sorted by their consecutive ids, which
 * is the order of queueing.
 *
 * An I/O overtaken by 65,536 younger ones is skipped.
 */
#ifndef STAT_SEQUENCE_H
#define STAT_SEQUENCE_H

#include <stdint.h>

enum { SEQUENCE_WINDOW = 65536 };

/* counts of a group of I/Os; zeroed: none so far */
struct sequence_run {
	uint64_t next;		/* end of the last one plus 1, or 0 */
	uint64_t sequential;	/* I/Os that started there */
};

struct sequence_slot {
	struct sequence_run *run;	/* NULL: unused */
	uint64_t sector, end;
};

struct sequence {
	struct sequence_run none;	/* for those without a run */
	struct sequence_slot *slots;	/* by id modulo the window */
	uint64_t first;		/* least id not counted yet */
	uint64_t end;		/* greatest id so far, plus 1 */
};

/* 0, or -ENOMEM */
int sequence_init(struct sequence *s);
void sequence_free(struct sequence *s);

/* Adds the I/O of an id that ended.  run: its group, which must stay valid
 * until sequence_flush(); NULL: none. */
void sequence_add(struct sequence *s, uint64_t id, struct sequence_run *run,
		  uint64_t sector, uint64_t end);

/* counts all that wait */
void sequence_flush(struct sequence *s);

#endif
