/* SPDX-License-Identifier: GPL-2.0-only */
/* Seeks; see seeks.h. */
#include <stdlib.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/msg.h"
#include "tools/btt/memory.h"
#include "tools/btt/seeks.h"

enum { FIRST_SIZE = 8192 };	/* large enough to grow without being copied */

void seeks_free(struct seeks *s)
{
	free(s->nodes);
	*s = (struct seeks){ 0 };
}

/* --- distances ----------------------------------------------------------- */

static COLD void grow(struct seeks *s)
{
	uint32_t size = s->size ? 2 * s->size : FIRST_SIZE;

	if (s->size >= RB_MAX / 2)
		msg_die("more different seek distances than can be counted");
	s->nodes = memory_check(array_resize(s->nodes, size,
					     sizeof(*s->nodes)));
	s->nodes[RB_NONE] = (struct rb_node){ 0 };
	s->size = size;
}

/* The number of a distance, a new one if it is new. */
static uint32_t find_distance(struct seeks *s, uint64_t distance)
{
	uint32_t last = RB_NONE;
	uint32_t node = rb_search(s->nodes, s->root, distance, &last);

	if (node)
		return node;
	if (UNLIKELY(s->known + 1 >= s->size))
		grow(s);
	node = ++s->known;
	s->nodes[node].key = distance;
	s->nodes[node].value = 0;
	rb_insert(s->nodes, &s->root, node, last);
	return node;
}

/* --- requests ------------------------------------------------------------ */

static inline bool touches(const struct seeks *s, uint64_t sector)
{
	return sector - s->start <= s->end - s->start;
}

static int64_t way_to(const struct seeks *s, uint64_t start, uint64_t end,
		      bool absolute)
{
	if (absolute)
		return (int64_t)(start - s->end);
	if (touches(s, start) || touches(s, end))
		return 0;
	return (int64_t)(start > s->end ? start - s->end : start - s->start);
}

int64_t seeks_add(struct seeks *s, uint64_t start, uint64_t end, bool absolute)
{
	int64_t way = way_to(s, start, end, absolute);
	uint64_t distance = way < 0 ? 0 - (uint64_t)way : (uint64_t)way;

	s->start = start;
	s->end = end;
	s->count++;
	s->sum += (double)distance;
	/* requests in sequence are the rule: no search for those */
	if (!s->last || s->nodes[s->last].key != distance)
		s->last = find_distance(s, distance);
	s->nodes[s->last].value++;
	return way;
}

/* --- what is typical ----------------------------------------------------- */

/* The first of these distances that is that frequent, or 0. */
static uint64_t first_of(const struct seeks *s, const uint32_t *nodes,
			 uint32_t count, uint64_t times)
{
	for (uint32_t i = 0; i < count; i++)
		if (s->nodes[nodes[i]].value >= times)
			return s->nodes[nodes[i]].key;
	return 0;
}

static uint64_t most_of_all(const struct seeks *s, uint64_t times)
{
	for (uint32_t node = 1; node <= s->known; node++)
		if (s->nodes[node].value >= times)
			return s->nodes[node].key;
	return 0;
}

/*
 * 1.3.0: no median, but what it prints as one: it meant to add the counts
 * up on its way through the tree, and does not.  So a distance counts only if
 * half of all seeks are of it: the root first, then left and right of it.
 */
uint64_t seeks_median(const struct seeks *s)
{
	const uint32_t *below = s->nodes[s->root].child;
	const uint32_t two[] = { 1, 2 };
	const uint32_t three[] = { s->root, below[RB_LEFT],
				   below[RB_RIGHT] };
	uint64_t half = s->count / 2;

	if (s->known == 1)
		return s->nodes[s->root].key;
	if (s->known == 2)
		return first_of(s, two, 2, half);
	if (s->known == 3)
		return first_of(s, three, 3, half);
	return most_of_all(s, half);
}

struct modes seeks_modes(const struct seeks *s)
{
	struct modes m = { 0, 0 };

	for (uint32_t node = 1; node <= s->known; node++) {
		if (s->nodes[node].value > m.times)
			m = (struct modes){ 0, s->nodes[node].value };
		m.count += s->nodes[node].value == m.times;
	}
	return m;
}

uint32_t seeks_mode(const struct seeks *s, struct modes m, uint32_t after)
{
	uint32_t node = after ? rb_upward(s->nodes, after) :
				rb_deepest(s->nodes, s->root);

	while (node && s->nodes[node].value != m.times)
		node = rb_upward(s->nodes, node);
	return node;
}

uint32_t seeks_greater_mode(const struct seeks *s, struct modes m,
			    uint32_t after)
{
	uint32_t node = after ? rb_next(s->nodes, after) :
				rb_first(s->nodes, s->root);

	while (node && s->nodes[node].value != m.times)
		node = rb_next(s->nodes, node);
	return node;
}

/* Of two distances the greater is walked first only if it hangs below. */
bool seeks_mode_before(const struct seeks *s, uint32_t mode, uint32_t lesser)
{
	return rb_is_below(s->nodes, mode, lesser);
}
