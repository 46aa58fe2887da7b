/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Damaged runs: events of a trace left out, doubled, swapped with the one
 * before, their fields changed, holes told where there are none.
 */
#ifndef TESTS_REQUESTS_DAMAGE_H
#define TESTS_REQUESTS_DAMAGE_H

#include <stdint.h>

struct joiner_bounds;		/* request/joiner.h */
struct dice;			/* tests/requests/dice.h */
struct run;			/* tests/requests/trace.h */
struct trace;

/*
 * *run of the trace's events, of which those that have not been changed keep
 * their payloads: the trace must last longer.  *payloads are the others'.
 * Both are the caller's to free.
 */
void damage_make(struct run *run, uint8_t **payloads, const struct trace *t,
		 struct dice *d);

/* bounds so small that they are met, or the usual ones */
void damage_bounds(struct joiner_bounds *b, struct dice *d);

#endif
