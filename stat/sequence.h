/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which ios begin where the one queued before them ended.  Records come in the
 * order in which ios end; here they are put back into that in which they were
 * born, by their ids, which have no gaps.
 *
 * An io that 65,536 younger ones have overtaken is not waited for: it then
 * counts as if it had not been there.
 */
#ifndef STAT_SEQUENCE_H
#define STAT_SEQUENCE_H

#include <stdint.h>

enum { SEQUENCE_WINDOW = 65536 };

/* those ios that are looked at together; all zeros: none so far */
struct sequence_run {
	uint64_t next;		/* where the last one ended, plus 1; or 0 */
	uint64_t sequential;	/* ios that began there */
};

struct sequence_slot {
	struct sequence_run *run;	/* NULL: the io is not there */
	uint64_t sector, end;
};

struct sequence {
	struct sequence_run none;	/* of those that belong to none */
	struct sequence_slot *slots;	/* by id, modulo the window */
	uint64_t first;		/* the least id that has not been counted */
	uint64_t end;		/* behind the greatest so far */
};

/* 0, or -ENOMEM */
int sequence_init(struct sequence *s);
void sequence_free(struct sequence *s);

/*
 * The io of that id has left.  run: which it belongs to, which stays where it
 * is until sequence_flush(); NULL: none.
 */
void sequence_add(struct sequence *s, uint64_t id, struct sequence_run *run,
		  uint64_t sector, uint64_t end);

/* counts all that wait, as no more will come */
void sequence_flush(struct sequence *s);

#endif
