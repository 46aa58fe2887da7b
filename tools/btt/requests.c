/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests; see requests.h. */
#include <stdlib.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/msg.h"
#include "tools/btt/memory.h"
#include "tools/btt/requests.h"

enum { FIRST_SIZE = 2048, FIRST_FOUND = 64 };

void requests_free(struct requests *r)
{
	free(r->nodes);
	free(r->list);
	free(r->found);
	*r = (struct requests){ 0 };
}

/* --- the pool ------------------------------------------------------------ */

static COLD void grow(struct requests *r)
{
	uint32_t size = r->size ? 2 * r->size : FIRST_SIZE;

	if (r->size >= RB_MAX / 2)
		msg_die("more requests under way than can be counted");
	r->list = memory_check(array_resize(r->list, size,
					    sizeof(*r->list)));
	r->nodes = memory_check(array_resize(r->nodes, size,
					     sizeof(*r->nodes)));
	r->nodes[RB_NONE] = (struct rb_node){ 0 };
	r->list[RB_NONE] = (struct request){ .issued = NEVER };
	r->size = size;
}

static uint32_t take_unused(struct requests *r)
{
	uint32_t number = r->unused;

	if (number) {
		r->unused = r->nodes[number].child[0];
		return number;
	}
	if (r->used + 1 >= r->size)
		grow(r);
	return ++r->used;
}

static void give_back(struct requests *r, uint32_t number)
{
	r->list[number].issued = NEVER;
	r->list[number].tree = NULL;
	r->nodes[number].child[0] = r->unused;
	r->unused = number;
}

/* --- trees --------------------------------------------------------------- */

struct request *requests_open(struct requests *r, uint32_t *root,
			      uint64_t sector, uint32_t blocks)
{
	uint32_t last = RB_NONE;
	uint32_t node = rb_search(r->nodes, *root, sector, &last);

	if (!node) {
		node = take_unused(r);
		r->nodes[node].key = sector;
		rb_insert(r->nodes, root, node, last);
	}
	r->nodes[node].value = blocks;
	r->list[node] = (struct request){
		.sector = sector,
		.blocks = blocks,
		.queued = NEVER,
		.allocated = NEVER,
		.inserted = NEVER,
		.merged = NEVER,
		.issued = NEVER,
		.tree = root,
	};
	r->recent[requests_slot(sector)] = node;
	return &r->list[node];
}

struct request *requests_search(const struct requests *r, const uint32_t *root,
				uint64_t sector)
{
	uint32_t last, node = rb_search(r->nodes, *root, sector, &last);

	return node ? &r->list[node] : NULL;
}

static inline void add_found(struct requests *r, uint32_t node)
{
	if (UNLIKELY(r->found_count == r->found_size))
		r->found = memory_check(array_reserve(r->found,
						      r->found_count,
						      &r->found_size,
						      FIRST_FOUND,
						      sizeof(*r->found)));
	r->found[r->found_count++] = node;
}

/* Goes on in a loop where there is one way only; where there are two it is no
 * deeper than the tree is high. */
static APART void visit(struct requests *r, uint32_t node, uint64_t sector,
			uint64_t end)
{
	while (node) {
		const struct rb_node *it = &r->nodes[node];
		uint64_t its_end = it->key + it->value;
		bool left = sector < it->key;
		bool right = its_end < end || it->key < sector;

		if (sector <= it->key && its_end <= end)
			add_found(r, node);
		if (left && right && it->child[RB_LEFT])
			visit(r, it->child[RB_LEFT], sector, end);
		if (!left && !right)
			return;
		node = it->child[right];
	}
}

/* Skips nodes entirely on one side of the range, which is empty if end
 * overflowed. */
static uint32_t descend(const struct requests *r, uint32_t root,
			uint64_t sector, uint64_t end)
{
	uint32_t node = end >= sector ? root : RB_NONE;

	while (node) {
		const struct rb_node *it = &r->nodes[node];

		if (it->key - sector <= end - sector)
			break;
		node = it->child[it->key < sector];
	}
	return node;
}

/* What descend() finds, from a node of that range: of those above a node with a
 * greater key, the nearest has the least. */
static inline uint32_t ascend(const struct requests *r, uint32_t node,
			      uint64_t end)
{
	const struct rb_node *nodes = r->nodes;
	uint32_t top = node, parent;

	while ((parent = nodes[node].parent)) {
		if (nodes[parent].child[RB_LEFT] == node) {
			if (nodes[parent].key > end)
				break;
			top = parent;
		}
		node = parent;
	}
	return top;
}

/* The first node within the range on the way down.  From a recent request there are
 * a step or two; each one down from the root may wait for memory. */
static inline uint32_t topmost(const struct requests *r, const uint32_t *root,
			       uint64_t sector, uint64_t end)
{
	uint32_t node = r->recent[requests_slot(sector)];

	if (LIKELY(node && r->list[node].sector == sector &&
		   r->list[node].tree == root && end >= sector))
		return ascend(r, node, end);
	return descend(r, *root, sector, end);
}

void requests_within(struct requests *r, const uint32_t *root, uint64_t sector,
		     uint64_t end)
{
	uint32_t node = topmost(r, root, sector, end);
	const struct rb_node *it = node ? &r->nodes[node] : NULL;

	r->found_count = 0;
	/* usually exactly this request, which hides all others */
	if (LIKELY(it && it->key == sector && sector + it->value == end))
		add_found(r, node);
	else
		visit(r, node, sector, end);
}

void requests_close(struct requests *r, uint32_t *root, uint32_t number)
{
	rb_remove(r->nodes, root, number);
	give_back(r, number);
}

uint64_t requests_oldest_issue(const struct requests *r)
{
	uint64_t oldest = NEVER;

	for (uint32_t i = 1; i <= r->used; i++)
		if (r->list[i].issued < oldest)
			oldest = r->list[i].issued;
	return oldest;
}
