/* SPDX-License-Identifier: GPL-2.0-only */
/* Seeks; see seeks.h. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/conveyor.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/past.h"
#include "base/radix.h"
#include "base/thread.h"
#include "tools/btt/memory.h"
#include "tools/btt/seeks.h"

/* --- distances ------------------------------------------------------------ */

enum { FIRST_SIZE = 4096, MOST = INT32_MAX / 2 };

static void distances_free(struct distances *d)
{
	free(d->list);
	*d = (struct distances){ 0 };
}

/* --- joining ------------------------------------------------------------- */

/* a sorted copy of those not yet joined; to be freed */
static struct radix_item *sort_new(const struct distances *d)
{
	struct radix_item *new = d->list + d->joined;
	size_t count = d->count - d->joined;
	struct radix_item *spare = memory_check(
		array_resize(NULL, count, sizeof(*spare)));

	if (radix_sort(new, spare, count) == new)
		memcpy(spare, new, count * sizeof(*spare));
	return spare;
}

/* Merges new into the list, from its end, in place.  The earliest of equal ones
 * stays. */
static void merge(struct distances *d, const struct radix_item *new)
{
	struct radix_item *list = d->list, *end = list + d->count, *to = end;
	struct radix_item *old = list + d->joined;
	const struct radix_item *it = new + (d->count - d->joined);

	while (it > new) {
		bool older = old > list && old[-1].key >= it[-1].key;
		const struct radix_item *next = older ? old - 1 : it - 1;

		old -= older;
		it -= !older;
		if (to == end || to->key != next->key) {
			*--to = *next;
			continue;
		}
		to->times += next->times;
		if (next->index < to->index)
			to->index = next->index;
	}
	d->count = (uint32_t)((old - list) + (end - to));
	memmove(old, to, (size_t)(end - to) * sizeof(*to));
}

/* renumbers the indices (below bound) without gaps */
static void close_gaps(struct distances *d, uint32_t bound)
{
	uint32_t *number = memory_check(calloc(bound, sizeof(*number)));
	uint32_t next = 0;

	for (uint32_t i = 0; i < d->count; i++)
		number[d->list[i].index] = 1;
	for (uint32_t i = 0; i < bound; i++) {
		uint32_t there = number[i];

		number[i] = next;
		next += there;
	}
	for (uint32_t i = 0; i < d->count; i++)
		d->list[i].index = number[d->list[i].index];
	free(number);
}

/* Joins equal distances: the list is ascending, and indices count from 0 in
 * order of appearance. */
static void distances_join(struct distances *d)
{
	uint32_t bound = d->count;
	struct radix_item *new;

	if (d->joined == bound)
		return;
	new = sort_new(d);
	merge(d, new);
	free(new);
	if (d->count < bound)
		close_gaps(d, bound);
	d->joined = d->count;
	memset(d->recent, 0, sizeof(d->recent));
}

/* --- adding -------------------------------------------------------------- */

static COLD void make_room(struct distances *d)
{
	uint32_t size = d->size ? d->size : FIRST_SIZE;

	distances_join(d);
	if (d->count > d->size / 2)
		size *= 2;
	if (size > MOST)
		msg_die("more different seek distances than can be counted");
	d->list = memory_check(array_resize(d->list, size, sizeof(*d->list)));
	d->size = size;
}

APART void distances_append(struct distances *d, uint64_t value)
{
	uint32_t slot = distances_slot(value);

	if (UNLIKELY(d->count == d->size))
		make_room(d);
	d->list[d->count] = (struct radix_item){ value, d->count, 1 };
	d->count++;
	d->recent[slot].value = value;
	d->recent[slot].number = d->count;
}

/* --- counting ------------------------------------------------------------- */

enum { PARCELS = 4, PARCEL_ITEMS = 16384 };

struct counting_parcel {
	struct counting_item items[PARCEL_ITEMS];
	uint32_t count;
};

static void *count(void *arg)
{
	struct counting *c = arg;
	const struct counting_parcel *p;

	while ((p = conveyor_take(c->conveyor)))
		for (uint32_t i = 0; i < p->count; i++)
			distances_add(p->items[i].to, p->items[i].value);
	return NULL;
}

/* The thread takes all, so there is always a parcel. */
static void begin_parcel(struct counting *c)
{
	c->filling = conveyor_fill(c->conveyor);
	c->filling->count = 0;
}

int counting_start(struct counting **out)
{
	struct counting *c = malloc(sizeof(*c));
	int err;

	*out = NULL;
	if (!c)
		return -ENOMEM;
	c->used = 0;
	err = conveyor_new(&c->conveyor, PARCELS,
			   sizeof(struct counting_parcel));
	if (!err)
		err = thread_start(&c->thread, count, c);
	if (err) {
		conveyor_free(c->conveyor);
		free(c);
		return err;
	}
	begin_parcel(c);
	*out = c;
	return 0;
}

static void send_parcel(struct counting *c)
{
	past_end();
	conveyor_send(c->conveyor);
	begin_parcel(c);
}

void counting_pass_on(struct counting *c)
{
	struct counting_parcel *p = c->filling;

	past_copy(p->items + p->count, c->front, c->used * sizeof(*c->front));
	p->count += c->used;
	c->used = 0;
	if (p->count == PARCEL_ITEMS)
		send_parcel(c);
}

void counting_end(struct counting *c)
{
	if (!c)
		return;
	counting_pass_on(c);
	send_parcel(c);
	conveyor_end(c->conveyor);
	pthread_join(c->thread, NULL);
	conveyor_free(c->conveyor);
	free(c);
}

/* --- seeks ---------------------------------------------------------------- */

void seeks_free(struct seeks *s)
{
	distances_free(&s->distances);
	free(s->nodes);
	*s = (struct seeks){ 0 };
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

int64_t seeks_add(struct seeks *s, uint64_t start, uint64_t end,
		  bool absolute, struct counting *c)
{
	int64_t way = way_to(s, start, end, absolute);
	uint64_t distance = way < 0 ? 0 - (uint64_t)way : (uint64_t)way;

	s->start = start;
	s->end = end;
	s->count++;
	s->sum += (double)distance;
	if (c)
		counting_add(c, &s->distances, distance);
	else
		distances_add(&s->distances, distance);
	return way;
}

/* --- mode and median ----------------------------------------------------- */

/* 1.3.0: 31 bits */
static uint32_t times_of(const struct radix_item *distance)
{
	return distance->times & RB_MAX;
}

static struct modes find_modes(const struct distances *d)
{
	struct modes m = { 0, 0 };

	for (uint32_t i = 0; i < d->count; i++) {
		if (times_of(&d->list[i]) > m.times)
			m = (struct modes){ 0, times_of(&d->list[i]) };
		m.count += times_of(&d->list[i]) == m.times;
	}
	return m;
}

/* the first to appear of those with at least this count, or 0 */
static uint64_t first_of(const struct distances *d, uint64_t times)
{
	uint32_t first = UINT32_MAX;
	uint64_t value = 0;

	for (uint32_t i = 0; i < d->count; i++)
		if (times_of(&d->list[i]) >= times &&
		    d->list[i].index < first) {
			first = d->list[i].index;
			value = d->list[i].key;
		}
	return value;
}

/* the root of the tree first, then left and right of it */
static uint64_t first_of_three(const struct distances *d, uint64_t times)
{
	static const int order[] = { 1, 0, 2 };

	for (int i = 0; i < 3; i++)
		if (times_of(&d->list[order[i]]) >= times)
			return d->list[order[i]].key;
	return 0;
}

/* 1.3.0: prints no true median: it does not sum up counts on its walk through
 * the tree, so it finds only a distance that half of all seeks have. */
static uint64_t find_median(const struct seeks *s)
{
	const struct distances *d = &s->distances;

	if (d->count == 1)
		return d->list[0].key;
	if (d->count == 3)
		return first_of_three(d, s->count / 2);
	return first_of(d, s->count / 2);
}

/* --- the tree ------------------------------------------------------------ */

/* each node's children are its neighbours for now */
static void link_all(struct rb_node *nodes, uint32_t count)
{
	for (uint32_t i = 1; i <= count; i++) {
		nodes[i].child[RB_LEFT] = i - 1;
		nodes[i].child[RB_RIGHT] = i < count ? i + 1 : RB_NONE;
	}
}

/* node keeps its neighbours, but they no longer link to it */
static void unlink_one(struct rb_node *nodes, uint32_t node)
{
	const uint32_t *beside = nodes[node].child;

	nodes[beside[RB_LEFT]].child[RB_RIGHT] = beside[RB_RIGHT];
	nodes[beside[RB_RIGHT]].child[RB_LEFT] = beside[RB_LEFT];
}

/* exactly one of its neighbours has no child on this side */
static void insert(struct seeks *s, uint32_t node)
{
	struct rb_node *nodes = s->nodes;
	uint32_t left = nodes[node].child[RB_LEFT];
	uint32_t right = nodes[node].child[RB_RIGHT];

	rb_insert(nodes, &s->root, node,
		  left && !nodes[left].child[RB_RIGHT] ? left : right);
}

/* all numbers in order of appearance */
static uint32_t *order_of(const struct distances *d)
{
	uint32_t *order = memory_check(array_resize(NULL, d->count,
						    sizeof(*order)));

	for (uint32_t i = 0; i < d->count; i++)
		order[d->list[i].index] = i + 1;
	return order;
}

/* Inserts without a search: unlinked in reverse order of appearance, each node
 * keeps the neighbours that it had when it appeared. */
static void make_tree(struct seeks *s)
{
	uint32_t *order = order_of(&s->distances);
	uint32_t count = s->distances.count;

	distances_free(&s->distances);
	link_all(s->nodes, count);
	for (uint32_t i = count; i-- > 0;)
		unlink_one(s->nodes, order[i]);
	s->nodes[RB_NONE] = (struct rb_node){ 0 };
	for (uint32_t i = 0; i < count; i++)
		insert(s, order[i]);
	free(order);
}

/* --- the end ------------------------------------------------------------- */

static void make_nodes(struct seeks *s, uint32_t count)
{
	s->nodes = memory_check(array_resize(NULL, (size_t)count + 1,
					     sizeof(*s->nodes)));
	s->nodes[RB_NONE] = (struct rb_node){ 0 };
}

static void add_node(struct seeks *s, const struct radix_item *distance)
{
	s->nodes[++s->known] = (struct rb_node){
		.key = distance->key,
		.value = times_of(distance),
	};
}

/* a single mode needs no order */
static void keep_mode(struct seeks *s)
{
	const struct distances *d = &s->distances;

	make_nodes(s, 1);
	for (uint32_t i = 0; i < d->count; i++)
		if (times_of(&d->list[i]) == s->modes.times)
			add_node(s, &d->list[i]);
	s->root = s->known;
}

static void keep_all(struct seeks *s)
{
	const struct distances *d = &s->distances;

	make_nodes(s, d->count);
	for (uint32_t i = 0; i < d->count; i++)
		add_node(s, &d->list[i]);
	make_tree(s);
}

void seeks_end(struct seeks *s)
{
	if (!s->count)
		return;
	distances_join(&s->distances);
	s->modes = find_modes(&s->distances);
	s->median = find_median(s);
	if (s->modes.count == 1)
		keep_mode(s);
	else
		keep_all(s);
	distances_free(&s->distances);
}

uint32_t seeks_mode(const struct seeks *s, uint32_t after)
{
	uint32_t node = after ? rb_upward(s->nodes, after) :
				rb_deepest(s->nodes, s->root);

	while (node && s->nodes[node].value != s->modes.times)
		node = rb_upward(s->nodes, node);
	return node;
}

uint32_t seeks_greater_mode(const struct seeks *s, uint32_t after)
{
	while (after++ < s->known)
		if (s->nodes[after].value == s->modes.times)
			return after;
	return RB_NONE;
}

/* in postorder, the greater of two comes first only if it is below the other */
bool seeks_mode_before(const struct seeks *s, uint32_t mode, uint32_t lesser)
{
	return rb_is_below(s->nodes, mode, lesser);
}
