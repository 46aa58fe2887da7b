/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Red-black trees of numbered nodes, as in Cormen, Leiserson, Rivest, Stein:
 * Introduction to Algorithms, chapter 13.
 *
 * Nodes are in an array, which may move, as links are indices.  Several trees
 * may share it.  Users keep a node's data, beyond key and value, elsewhere.
 * btt's reports show the shape of trees, so every rotation is the textbook's.
 */
#ifndef TOOLS_BTT_RBTREE_H
#define TOOLS_BTT_RBTREE_H

#include <stdbool.h>
#include <stdint.h>

/* 0 is no node: an empty tree's root, a leaf's child */
enum { RB_NONE = 0, RB_MAX = INT32_MAX };

enum { RB_LEFT, RB_RIGHT };	/* the sides; each is !the other */

struct rb_node {
	uint64_t key;
	uint32_t child[2];	/* by side */
	uint32_t parent;
	uint32_t value : 31;	/* the user's */
	uint32_t red : 1;
};

/*
 * The node of key; or RB_NONE and *last, the parent that it would have, RB_NONE
 * in an empty tree.  The side is an index, as a branch would be mispredicted
 * every other time.
 */
static inline uint32_t rb_search(const struct rb_node *nodes, uint32_t root,
				 uint64_t key, uint32_t *last)
{
	const struct rb_node *n = nodes;
	uint32_t node = root;

	while (node) {
		n = nodes + node;
		if (n->key == key)
			return node;
		uint32_t left = n->child[RB_LEFT], right = n->child[RB_RIGHT];
		__builtin_prefetch(nodes + left);
		__builtin_prefetch(nodes + right);
		node = left ^ ((left ^ right) & (0u - (key > n->key)));
	}
	*last = (uint32_t)(n - nodes);
	return RB_NONE;
}

/* Inserts a new node, its key set, below rb_search()'s *last, and balances.
 * nodes[0] must exist and be all zero. */
void rb_insert(struct rb_node *nodes, uint32_t *root, uint32_t node,
	       uint32_t last);

void rb_remove(struct rb_node *nodes, uint32_t *root, uint32_t node);

/* the first node in order, and the one after node, or RB_NONE */
uint32_t rb_first(const struct rb_node *nodes, uint32_t root);
uint32_t rb_next(const struct rb_node *nodes, uint32_t node);

/* the same in postorder: children before their parent */
uint32_t rb_deepest(const struct rb_node *nodes, uint32_t root);
uint32_t rb_upward(const struct rb_node *nodes, uint32_t node);

/* whether node is below other */
bool rb_is_below(const struct rb_node *nodes, uint32_t node, uint32_t other);

#endif
