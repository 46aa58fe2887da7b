/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Red-black trees of numbered nodes, as the textbook has them (Cormen,
 * Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 13).
 *
 * The nodes lie in an array, which may move, as they know each other by
 * number.  Any number of trees may share it, each with a root of its own.
 * What belongs to a node beyond its key and a number is its user's to keep
 * elsewhere.  Where a tree's shape can be seen from outside, as in btt's
 * reports, it is the textbook's to the last rotation.
 */
#ifndef TOOLS_BTT_RBTREE_H
#define TOOLS_BTT_RBTREE_H

#include <stdbool.h>
#include <stdint.h>

/* number 0 is no node: an empty tree's root, the child of a leaf */
enum { RB_NONE = 0, RB_MAX = INT32_MAX };

enum { RB_LEFT, RB_RIGHT };	/* the sides; each is !the other */

struct rb_node {
	uint64_t key;
	uint32_t child[2];	/* by side */
	uint32_t parent;
	uint32_t value : 31;	/* its user's */
	uint32_t red : 1;
};

/*
 * The node of key; or RB_NONE, and *last is the one below which it would hang,
 * RB_NONE in an empty tree.  Which way to go is no branch: processors would
 * guess it wrong every other time, and that costs more than a step.
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
		node = n->child[key > n->key];
	}
	*last = (uint32_t)(n - nodes);
	return RB_NONE;
}

/*
 * Hangs a new node, its key set, below the one that rb_search() ended at, and
 * balances.  nodes[0] must exist and be all zero.
 */
void rb_insert(struct rb_node *nodes, uint32_t *root, uint32_t node,
	       uint32_t last);

/* takes node out of its tree */
void rb_remove(struct rb_node *nodes, uint32_t *root, uint32_t node);

/* the first node in order, and the one behind node; RB_NONE: there is none */
uint32_t rb_first(const struct rb_node *nodes, uint32_t root);
uint32_t rb_next(const struct rb_node *nodes, uint32_t node);

/* the same with each node behind all that hang below it: children first */
uint32_t rb_deepest(const struct rb_node *nodes, uint32_t root);
uint32_t rb_upward(const struct rb_node *nodes, uint32_t node);

/* whether node hangs below another */
bool rb_is_below(const struct rb_node *nodes, uint32_t node, uint32_t other);

#endif
