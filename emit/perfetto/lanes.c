/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes of a device; see lanes.h.
 *
 * free_from is a tree in an array: node 1 is the root, those of n are 2 n and
 * 2 n + 1, and the last size nodes are the lanes, each with the end of its last
 * span.  Any other node has the least of the two below it, so that the lowest
 * lane that is free at a moment is found in as many steps as the tree is high.
 * One that was never used is free from 0 on.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/hint.h"
#include "emit/perfetto/lanes.h"

enum { FIRST_SIZE = 8, LANES_MAX_SIZE = 1 << 30 };

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* a lane is free from a moment on: so are the nodes above it */
static inline void set_free(struct lanes *l, uint32_t lane, uint64_t from)
{
	uint64_t *tree = l->free_from;
	uint32_t node = l->size + lane;

	tree[node] = from;
	for (node /= 2; node; node /= 2)
		tree[node] = earlier(tree[2 * node], tree[2 * node + 1]);
}

/* twice as many, or the first */
static COLD int grow(struct lanes *l)
{
	uint32_t size = l->size ? 2 * l->size : FIRST_SIZE;
	struct lanes larger = { .size = size, .count = l->count };

	if (size > LANES_MAX_SIZE)
		return -ENOMEM;
	larger.free_from = calloc(2 * (size_t)size, sizeof(*l->free_from));
	if (!larger.free_from)
		return -ENOMEM;
	larger.tracks = array_resize(l->tracks, size, sizeof(*l->tracks));
	if (!larger.tracks) {
		free(larger.free_from);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < l->size; i++)
		set_free(&larger, i, l->free_from[l->size + i]);
	free(l->free_from);
	*l = larger;
	return 0;
}

int lanes_take(struct lanes *l, uint64_t from, uint64_t to, uint32_t *lane)
{
	uint32_t node = 1;

	if (UNLIKELY(!l->size || l->free_from[1] > from) && grow(l))
		return -ENOMEM;
	while (node < l->size) {
		node *= 2;
		node += l->free_from[node] > from;
	}
	*lane = node - l->size;
	set_free(l, *lane, to);
	if (UNLIKELY(*lane >= l->count))
		l->count = *lane + 1;
	return 0;
}

void lanes_free(struct lanes *l)
{
	free(l->free_from);
	free(l->tracks);
	*l = (struct lanes){ .size = 0 };
}
