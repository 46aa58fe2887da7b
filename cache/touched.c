/* SPDX-License-Identifier: GPL-2.0-only */
/* Different blocks of groups; see touched.h. */
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
	struct hash pairs;	/* of group and block: READ, WRITTEN or both */
};

#define BLOCK_MASK ((1ull << SAMPLE_BLOCK_BITS) - 1)

int touched_new(struct touched **out, uint32_t most)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->most = most;
	return 0;
}

static uint32_t group_of(uint64_t pair)
{
	return (uint32_t)(pair >> SAMPLE_BLOCK_BITS);
}

/* Keeps every second block. */
static int keep_half(struct touched *t)
{
	struct hash from = t->pairs;
	int err = 0;

	t->shift++;
	t->pairs = (struct hash){ 0 };
	for (size_t i = 0; !err && i <= from.mask; i++) {
		uint64_t pair = from.slots[i].key;

		if (from.slots[i].value &&
		    sample_has(sample_hash(pair & BLOCK_MASK), t->shift))
			err = hash_put_number(&t->pairs, pair,
				hash_slot_number(&from.slots[i]));
	}
	hash_free(&from);
	return err;
}

int touched_add(struct touched *t, uint32_t group, struct sampled s,
		bool write)
{
	uint64_t pair = (uint64_t)group << SAMPLE_BLOCK_BITS | s.block;
	uint32_t how = write ? WRITTEN : READ;
	int64_t had;

	if (LIKELY(!sample_has(s.hash, t->shift)))
		return 0;
	had = hash_get_number(&t->pairs, pair);
	if (LIKELY(had >= 0 && (uint32_t)had & how))
		return 0;
	while (had < 0 && t->pairs.count >= t->most && t->shift < SHIFT_MAX)
		if (keep_half(t))
			return -ENOMEM;
	if (!sample_has(s.hash, t->shift))
		return 0;
	return hash_put_number(&t->pairs, pair,
			       had < 0 ? how : (uint32_t)had | how);
}

static int by_group(const void *a, const void *b)
{
	const struct touched_row *x = a, *y = b;

	return x->group < y->group ? -1 : x->group > y->group;
}

/* Joins rows of one group, which stand together; their number. */
static uint32_t join(struct touched_row *rows, uint32_t count)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (n && rows[n - 1].group == rows[i].group) {
			rows[n - 1].all += rows[i].all;
			rows[n - 1].read += rows[i].read;
			rows[n - 1].written += rows[i].written;
		} else {
			rows[n++] = rows[i];
		}
	}
	return n;
}

int touched_rows(const struct touched *t, struct touched_row **out,
		 uint32_t *count)
{
	const struct hash *h = &t->pairs;
	struct touched_row *rows = calloc(h->count + 1, sizeof(*rows));
	uint64_t weight = 1ull << t->shift;
	uint32_t n = 0;

	*out = rows;
	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; h->slots && i <= h->mask; i++) {
		uint32_t how;

		if (!h->slots[i].value)
			continue;
		how = hash_slot_number(&h->slots[i]);
		rows[n++] = (struct touched_row){
			.group = group_of(h->slots[i].key), .all = weight,
			.read = how & READ ? weight : 0,
			.written = how & WRITTEN ? weight : 0,
		};
	}
	qsort(rows, n, sizeof(*rows), by_group);
	*count = join(rows, n);
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
	hash_free(&t->pairs);
	free(t);
}
