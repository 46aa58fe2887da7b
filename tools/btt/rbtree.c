/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Red-black trees of numbered nodes; see rbtree.h.
 *
 * The textbook's cases come in pairs, one for each side; here each is written
 * once, for a side and its other.
 */
#include "tools/btt/rbtree.h"

static inline bool is_red(const struct rb_node *n, uint32_t node)
{
	return n[node].red;
}

/* Which side of its parent a node is on. */
static inline int side_of(const struct rb_node *n, uint32_t node)
{
	return n[n[node].parent].child[RB_RIGHT] == node;
}

/* Puts what is at node's place below its parent, or makes it the root. */
static void hang(struct rb_node *n, uint32_t *root, uint32_t node,
		 uint32_t instead)
{
	uint32_t parent = n[node].parent;

	if (parent)
		n[parent].child[side_of(n, node)] = instead;
	else
		*root = instead;
	n[instead].parent = parent;
}

/* The node goes down on this side, its child on the other comes up. */
static void rotate(struct rb_node *n, uint32_t *root, uint32_t node, int side)
{
	uint32_t up = n[node].child[!side];
	uint32_t moved = n[up].child[side];

	hang(n, root, node, up);
	n[node].child[!side] = moved;
	if (moved)
		n[moved].parent = node;
	n[up].child[side] = node;
	n[node].parent = up;
}

/* --- a new node ---------------------------------------------------------- */

/*
 * Node and parent are red; the parent is on this side of its own.  Returns the
 * node that may be red below a red one now.
 */
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

/* --- a node less --------------------------------------------------------- */

/*
 * One black is missing on the way to this side of parent.  Returns the node
 * that it is missing on the way to now, or the root when all is well.
 */
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

/* node may be RB_NONE: then its parent was noted down by hang() */
static void settle(struct rb_node *n, uint32_t *root, uint32_t node)
{
	while (node != *root && !is_red(n, node))
		node = settle_side(n, root, n[node].parent,
				   side_of(n, node));
	n[node].red = false;
}

/* The next in order, at the left end of the right branch, takes the place. */
static void replace_by_next(struct rb_node *n, uint32_t *root, uint32_t node)
{
	uint32_t next = rb_next(n, node), below = n[next].child[RB_RIGHT];
	bool black = !is_red(n, next);

	if (n[next].parent == node) {
		n[below].parent = next;
	} else {
		hang(n, root, next, below);
		n[next].child[RB_RIGHT] = n[node].child[RB_RIGHT];
		n[n[next].child[RB_RIGHT]].parent = next;
	}
	hang(n, root, node, next);
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
		hang(nodes, root, node, below);
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
