/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that came last, and where some are missing between them, in
 * bounded memory: to be joined once more, or saved.
 *
 * They are in blocks; when all are full the oldest block's events go.
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

/* for that many blocks, 2 or more, taken as they are needed; NULL: no memory */
struct past *past_new(unsigned int blocks);

/* Copies an event with its payload.  What has no memory is not kept, nor is
 * all that was before: events never have a hole that nobody tells of. */
void past_add(struct past *r, const struct event *ev);

/* events of a device are missing from here on (begins), or up to here */
void past_gap(struct past *r, uint16_t origin, uint32_t device,
		bool begins);

/* forgets all */
void past_clear(struct past *r);

/* time of the oldest event; UINT64_MAX: there is none */
uint64_t past_from(const struct past *r);

/* whether older ones had to go */
bool past_dropped(const struct past *r);

/* where one is among them; all zeros: before the oldest */
struct past_place {
	unsigned int block;	/* from the oldest */
	size_t at;		/* bytes of it that are behind */
};

/*
 * What comes next: *ev is an event, or, if *gap is set, has the origin and the
 * device of a gap that begins (its bytes are 1) or ends (0).  Good until
 * something is added.  NULL: that was all.
 */
const struct event *past_next(const struct past *r, struct past_place *p,
				bool *gap);

/* NULL is fine */
void past_free(struct past *r);

/* --- remarks -------------------------------------------------------------- */

/*
 * What is conspicuous about the last events: they are joined once more, and
 * btstat's rules tried on them.
 */

struct reader;			/* run/reader.h */

/*
 * Lines of at most width columns, about ios that ended from one time to another
 * (or were lost, or were open then); reader is the events'.  Times are shown so
 * many ns later.  The caller's to free; NULL: no memory.
 */
char *remarks_text(const struct past *p, const struct reader *reader,
		   uint64_t from, uint64_t to, uint64_t later,
		   unsigned int width);

#endif
