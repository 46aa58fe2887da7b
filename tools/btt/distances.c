/* SPDX-License-Identifier: GPL-2.0-only */
/* How often each distance has been; see distances.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "tools/btt/distances.h"
#include "tools/btt/memory.h"

enum { FIRST_SIZE = 4096, MOST = INT32_MAX / 2 };

void distances_free(struct distances *d)
{
	free(d->list);
	*d = (struct distances){ 0 };
}

/* --- joining ------------------------------------------------------------- */

/* What is new, in order; to be freed. */
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

/* Into what is already there, from behind, so that it need not move first.
 * The earliest of equal ones stays. */
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

/* Those that were joined have left gaps among the indices, below bound. */
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

void distances_join(struct distances *d)
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

/* --- one more ------------------------------------------------------------ */

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
