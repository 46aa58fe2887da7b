/* SPDX-License-Identifier: GPL-2.0-only */
/* Different blocks of processes and hours; see touched.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/hint.h"
#include "cache/sample.h"
#include "cache/touched.h"

enum { SHIFT_MAX = 40, READ = 1, WRITTEN = 2 };

struct touched {
	unsigned int shift;	/* one of 2^shift blocks is followed */
	uint32_t most;
	struct hash keys;	/* hour, process, block: READ, WRITTEN or both */
};

#define BLOCK_MASK ((1ull << SAMPLE_BLOCK_BITS) - 1)

enum { HOUR_SHIFT = SAMPLE_BLOCK_BITS + 8 };

_Static_assert(TOUCHED_PROCESSES == 1 << (HOUR_SHIFT - SAMPLE_BLOCK_BITS),
	       "processes have all bits between");

int touched_new(struct touched **out, uint32_t most)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->most = most;
	return 0;
}

/* Keeps every second block. */
static int keep_half(struct touched *t)
{
	struct hash from = t->keys;
	int err = 0;

	t->shift++;
	t->keys = (struct hash){ 0 };
	for (size_t i = 0; !err && i <= from.mask; i++) {
		uint64_t key = from.slots[i].key;

		if (from.slots[i].value &&
		    sample_has(sample_hash(key & BLOCK_MASK), t->shift))
			err = hash_put_number(&t->keys, key,
				hash_slot_number(&from.slots[i]));
	}
	hash_free(&from);
	return err;
}

unsigned int touched_shift(const struct touched *t)
{
	return t->shift;
}

int touched_add(struct touched *t, struct touched_by by, struct sampled s,
		bool write)
{
	uint64_t key = (uint64_t)by.hour << HOUR_SHIFT |
		       (uint64_t)by.process << SAMPLE_BLOCK_BITS | s.block;
	uint32_t how = write ? WRITTEN : READ;
	int64_t had;

	if (!sample_has(s.hash, t->shift))
		return 0;
	had = hash_get_number(&t->keys, key);
	if (LIKELY(had >= 0 && (uint32_t)had & how))
		return 0;
	while (had < 0 && t->keys.count >= t->most && t->shift < SHIFT_MAX)
		if (keep_half(t))
			return -ENOMEM;
	if (!sample_has(s.hash, t->shift))
		return 0;
	return hash_put_number(&t->keys, key,
			       had < 0 ? how : (uint32_t)had | how);
}

/* --- rows ----------------------------------------------------------------- */

/* a block of a group */
struct pair {
	uint64_t block;
	uint32_t group, how;
};

static int by_group_and_block(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->block < y->block ? -1 : x->block > y->block;
}

/* all of them, those of a group together; NULL: no memory */
static struct pair *list_pairs(const struct touched *t, enum touched_key by)
{
	const struct hash *h = &t->keys;
	struct pair *pairs = malloc((h->count + 1) * sizeof(*pairs));
	uint32_t n = 0;

	for (size_t i = 0; pairs && h->slots && i <= h->mask; i++) {
		uint64_t key = h->slots[i].key;

		if (h->slots[i].value)
			pairs[n++] = (struct pair){
				key & BLOCK_MASK, by == TOUCHED_HOUR ?
				(uint32_t)(key >> HOUR_SHIFT) :
				key >> SAMPLE_BLOCK_BITS & (TOUCHED_PROCESSES - 1),
				hash_slot_number(&h->slots[i])
			};
	}
	if (pairs)
		qsort(pairs, n, sizeof(*pairs), by_group_and_block);
	return pairs;
}

/* adds the pairs of one block, from the first on; their number */
static uint32_t add_block(struct touched_row *row, const struct pair *pairs,
			  uint32_t count, uint64_t weight)
{
	uint32_t n = 0, how = 0;

	for (; n < count && !by_group_and_block(&pairs[n], pairs); n++)
		how |= pairs[n].how;
	row->all += weight;
	row->read += how & READ ? weight : 0;
	row->written += how & WRITTEN ? weight : 0;
	return n;
}

int touched_rows(const struct touched *t, enum touched_key key,
		 struct touched_row **out, uint32_t *count)
{
	uint32_t n = (uint32_t)t->keys.count, groups = 0;
	struct touched_row *rows = calloc(n + 1, sizeof(*rows));
	struct pair *pairs = list_pairs(t, key);

	*out = rows;
	*count = 0;
	if (!rows || !pairs) {
		free(pairs);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n;) {
		if (!groups || rows[groups - 1].group != pairs[i].group)
			rows[groups++].group = pairs[i].group;
		i += add_block(&rows[groups - 1], &pairs[i], n - i,
			       1ull << t->shift);
	}
	free(pairs);
	*count = groups;
	return 0;
}

uint64_t touched_share(const struct touched *t)
{
	return 1ull << t->shift;
}

void touched_free(struct touched *t)
{
	if (!t)
		return;
	hash_free(&t->keys);
	free(t);
}
