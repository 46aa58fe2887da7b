/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Red-black trees; see rbtree.h.
 *
 * The textbook's cases are in pairs, one for each side; here a parameter is the
 * side.
 */
#include "tools/btt/rbtree.h"

static inline bool is_red(const struct rb_node *n, uint32_t node)
{
	return n[node].red;
}

static inline int side_of(const struct rb_node *n, uint32_t node)
{
	return n[n[node].parent].child[RB_RIGHT] == node;
}

/* replaces node below its parent, or as the root */
static void replace(struct rb_node *n, uint32_t *root, uint32_t node,
		    uint32_t instead)
{
	uint32_t parent = n[node].parent;

	if (parent)
		n[parent].child[side_of(n, node)] = instead;
	else
		*root = instead;
	n[instead].parent = parent;
}

/* moves node down to this side, and its other child up */
static void rotate(struct rb_node *n, uint32_t *root, uint32_t node, int side)
{
	uint32_t up = n[node].child[!side];
	uint32_t moved = n[up].child[side];

	replace(n, root, node, up);
	n[node].child[!side] = moved;
	if (moved)
		n[moved].parent = node;
	n[up].child[side] = node;
	n[node].parent = up;
}

/* --- insertion ----------------------------------------------------------- */

/* Node and its parent are red; the parent is a child on this side.  Returns the
 * node that may now be red below a red one. */
static uint32_t lift(struct rb_node *n, uint32_t *root, uint32_t node,
		     int side)
{
	uint32_t parent = n[node].parent, above = n[parent].parent;
	uint32_t uncle = n[above].child[!side];

	n[above].red = true;
	if (is_red(n, uncle)) {
		n[parent].red = n[uncle].red = false;
		return above;
	}
	if (side_of(n, node) != side) {
		rotate(n, root, parent, side);
		node = parent;
		parent = n[node].parent;
	}
	n[parent].red = false;
	rotate(n, root, above, !side);
	return node;
}

void rb_insert(struct rb_node *nodes, uint32_t *root, uint32_t node,
	       uint32_t last)
{
	struct rb_node *new = &nodes[node], *parent = &nodes[last];

	new->child[RB_LEFT] = new->child[RB_RIGHT] = RB_NONE;
	new->parent = last;
	new->red = true;
	if (last)
		parent->child[new->key > parent->key] = node;
	else
		*root = node;

	while (is_red(nodes, nodes[node].parent))
		node = lift(nodes, root, node,
			    side_of(nodes, nodes[node].parent));
	nodes[*root].red = false;
}

/* --- removal ------------------------------------------------------------- */

/* Paths through this side of parent lack a black node.  Returns the node whose
 * paths lack one now, or the root if none do. */
static uint32_t settle_side(struct rb_node *n, uint32_t *root, uint32_t parent,
			    int side)
{
	uint32_t sibling = n[parent].child[!side], *nephew;

	if (is_red(n, sibling)) {
		n[sibling].red = false;
		n[parent].red = true;
		rotate(n, root, parent, side);
		sibling = n[parent].child[!side];
	}
	nephew = n[sibling].child;
	if (!is_red(n, nephew[RB_LEFT]) && !is_red(n, nephew[RB_RIGHT])) {
		n[sibling].red = true;
		return parent;
	}
	if (!is_red(n, nephew[!side])) {
		n[nephew[side]].red = false;
		n[sibling].red = true;
		rotate(n, root, sibling, !side);
		sibling = n[parent].child[!side];
		nephew = n[sibling].child;
	}
	n[sibling].red = n[parent].red;
	n[parent].red = false;
	n[nephew[!side]].red = false;
	rotate(n, root, parent, side);
	return *root;
}

/* node may be RB_NONE, whose parent replace() has set */
static void settle(struct rb_node *n, uint32_t *root, uint32_t node)
{
	while (node != *root && !is_red(n, node))
		node = settle_side(n, root, n[node].parent,
				   side_of(n, node));
	n[node].red = false;
}

/* replaces node by the leftmost one of its right subtree */
static void replace_by_next(struct rb_node *n, uint32_t *root, uint32_t node)
{
	uint32_t next = rb_next(n, node), below = n[next].child[RB_RIGHT];
	bool black = !is_red(n, next);

	if (n[next].parent == node) {
		n[below].parent = next;
	} else {
		replace(n, root, next, below);
		n[next].child[RB_RIGHT] = n[node].child[RB_RIGHT];
		n[n[next].child[RB_RIGHT]].parent = next;
	}
	replace(n, root, node, next);
	n[next].child[RB_LEFT] = n[node].child[RB_LEFT];
	n[n[next].child[RB_LEFT]].parent = next;
	n[next].red = n[node].red;
	if (black)
		settle(n, root, below);
}

void rb_remove(struct rb_node *nodes, uint32_t *root, uint32_t node)
{
	const uint32_t *child = nodes[node].child;
	uint32_t below = child[RB_LEFT] ? child[RB_LEFT] : child[RB_RIGHT];

	if (child[RB_LEFT] && child[RB_RIGHT]) {
		replace_by_next(nodes, root, node);
	} else {
		replace(nodes, root, node, below);
		if (!is_red(nodes, node))
			settle(nodes, root, below);
	}
	nodes[RB_NONE] = (struct rb_node){ .red = false };
}

/* --- walks --------------------------------------------------------------- */

uint32_t rb_first(const struct rb_node *nodes, uint32_t root)
{
	uint32_t node = root;

	while (node && nodes[node].child[RB_LEFT])
		node = nodes[node].child[RB_LEFT];
	return node;
}

uint32_t rb_next(const struct rb_node *nodes, uint32_t node)
{
	uint32_t right = nodes[node].child[RB_RIGHT];

	if (right)
		return rb_first(nodes, right);
	while (nodes[node].parent && side_of(nodes, node) == RB_RIGHT)
		node = nodes[node].parent;
	return nodes[node].parent;
}

uint32_t rb_deepest(const struct rb_node *nodes, uint32_t root)
{
	uint32_t node = root, below;

	while ((below = nodes[node].child[RB_LEFT]) ||
	       (below = nodes[node].child[RB_RIGHT]))
		node = below;
	return node;
}

uint32_t rb_upward(const struct rb_node *nodes, uint32_t node)
{
	uint32_t parent = nodes[node].parent, other;

	if (!parent || side_of(nodes, node) == RB_RIGHT)
		return parent;
	other = nodes[parent].child[RB_RIGHT];
	return other ? rb_deepest(nodes, other) : parent;
}

bool rb_is_below(const struct rb_node *nodes, uint32_t node, uint32_t other)
{
	while (node && node != other)
		node = nodes[node].parent;
	return node;
}
