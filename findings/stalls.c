/* SPDX-License-Identifier: GPL-2.0-only */
/* Times in which nothing completed; see stalls.h. */
#include <string.h>

#include "findings/stalls.h"

static const uint64_t SHORTEST = 20000000, WAITED = 5000000;	/* ns */

uint64_t stalls_from(const struct stall_gap *g)
{
	return g->issued > g->last ? g->issued : g->last;
}

static uint64_t length(const struct stall_gap *g)
{
	return g->next - stalls_from(g);
}

/* Takes the shortest out, an older one of equals. */
static void evict(struct stalls *l)
{
	uint32_t least = 0;

	for (uint32_t i = 1; i < l->count; i++)
		if (length(&l->gaps[i]) < length(&l->gaps[least]))
			least = i;
	l->count--;
	memmove(l->gaps + least, l->gaps + least + 1,
		(l->count - least) * sizeof(*l->gaps));
}

static void open_gap(struct stalls *l, uint64_t next)
{
	if (l->count == STALLS_MAX)
		evict(l);
	l->gaps[l->count++] = (struct stall_gap){
		.last = l->last, .next = next, .issued = next,
		.begun = { UINT64_MAX, UINT64_MAX, UINT64_MAX },
	};
}

/* begun among the oldest that waited */
static void keep_oldest(struct stall_gap *g, uint64_t begun)
{
	for (int i = 0; i < STALLS_WAITERS; i++) {
		uint64_t other = g->begun[i];

		if (begun < other) {
			g->begun[i] = begun;
			begun = other;
		}
	}
}

/* a request that was open when the gap ended */
static void wait_in(struct stall_gap *g, const struct served *s)
{
	uint64_t begun = s->at[SERVED_BEGUN], issued = s->at[SERVED_ISSUED];

	if (issued < g->issued)
		g->issued = issued;
	if (s->gap && begun < g->next)
		g->hole = true;
	keep_oldest(g, begun);
	if (g->next - begun <= WAITED)
		return;
	g->waiters++;
	g->waited += g->next - (begun > g->last ? begun : g->last);
}

void stalls_add(struct stalls *l, const struct served *s)
{
	uint64_t done = s->at[SERVED_DONE];

	if (l->any && done > l->last && done - l->last >= SHORTEST)
		open_gap(l, done);
	for (uint32_t i = l->count; i--;) {
		if (s->at[SERVED_BEGUN] >= l->gaps[i].next)
			break;
		wait_in(&l->gaps[i], s);
	}
	if (!l->any || done > l->last)
		l->last = done;
	l->any = true;
}

/* Nothing completes any more: shorter than this, that is chance, or how a
 * capture ends. */
static const uint64_t SHORTEST_OPEN = 200000000;	/* ns */

static void wait_until_end(struct stall_gap *g, uint64_t begun)
{
	if (begun >= g->next)
		return;
	keep_oldest(g, begun);
	if (g->next - begun <= WAITED)
		return;
	g->waiters++;
	g->waited += g->next - (begun > g->last ? begun : g->last);
}

void stalls_end(struct stalls *l, const struct open_ios *open, uint64_t to)
{
	uint64_t from = l->last > open->issued ? l->last : open->issued;
	struct stall_gap *g;

	if (!l->any || !open->count || to <= from ||
	    to - from < SHORTEST_OPEN)
		return;
	open_gap(l, to);
	g = &l->gaps[l->count - 1];
	g->open = true;
	g->issued = open->issued;
	for (size_t i = 0; i < open->kept; i++)
		wait_until_end(g, open->times[i]);
}

bool stalls_is_one(const struct stall_gap *g, uint64_t least)
{
	uint64_t third = g->begun[STALLS_WAITERS - 1];

	return !g->hole && length(g) >= least && third < g->next &&
	       g->next - third > least / 4;
}
