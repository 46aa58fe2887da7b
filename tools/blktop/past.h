/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last events and the gaps between them, in bounded memory: to be joined
 * again, or saved.
 *
 * They are in blocks; when all are full, the oldest block is dropped.
 */
#ifndef TOOLS_BLKTOP_PAST_H
#define TOOLS_BLKTOP_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- past ----------------------------------------------------------------- */

struct event;			/* record/record.h */
struct past;

enum {
	PAST_BLOCK = 256 << 10,	/* bytes */
	PAST_BLOCKS = 128,	/* 32 MiB: 466,000 events without payload */
};

/* blocks: at least 2, allocated when needed; NULL: no memory */
struct past *past_new(unsigned int blocks);

/* Copies an event with its payload.  Without memory it drops this and all
 * events before, so that no gap is hidden. */
void past_add(struct past *r, const struct event *ev);

/* a gap in a device's events starts (begins) or ends here */
void past_gap(struct past *r, uint16_t origin, uint32_t device,
		bool begins);

/* drops all events */
void past_clear(struct past *r);

/* time of the oldest event; UINT64_MAX: none */
uint64_t past_from(const struct past *r);

/* whether events were dropped */
bool past_dropped(const struct past *r);

/* a place among the events; all zeros: before the oldest */
struct past_place {
	unsigned int block;	/* from the oldest */
	size_t at;		/* offset in it */
};

/*
 * The next event, or, with *gap set, the origin and device of a gap that starts
 * (its bytes are 1) or ends (0).  Valid until the next past_add() or
 * past_gap().  NULL: end.
 */
const struct event *past_next(const struct past *r, struct past_place *p,
				bool *gap);

/* accepts NULL */
void past_free(struct past *r);

/* --- remarks -------------------------------------------------------------- */

/* Findings about the last events, which are joined again for btstat's rules. */

struct reader;			/* run/reader.h */

/*
 * Lines of at most width columns, about I/Os that ended in from..to, or were
 * lost or open then; reader is the events'.  Times are shown later by later ns.
 * To be freed by the caller; NULL: no memory.
 */
char *remarks_text(const struct past *p, const struct reader *reader,
		   uint64_t from, uint64_t to, uint64_t later,
		   unsigned int width);

/*
 * The sentence of the first headline among them, with its device; "": none.  To
 * be freed by the caller; NULL: no memory.
 */
char *remarks_headline(const struct past *p, const struct reader *reader,
		       uint64_t from, uint64_t to);

#endif
