/* SPDX-License-Identifier: GPL-2.0-only */
/* Different blocks of groups; see touched.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

void touched_sum(const struct touched *t, struct touched_row *rows,
		 uint32_t count)
{
	memset(rows, 0, count * sizeof(*rows));
	for (size_t i = 0; t->pairs.slots && i <= t->pairs.mask; i++) {
		const struct hash_slot *s = &t->pairs.slots[i];
		uint32_t group = group_of(s->key);
		uint32_t how;

		if (!s->value || group >= count)
			continue;
		how = hash_slot_number(s);
		rows[group].all += 1ull << t->shift;
		rows[group].read += (uint64_t)!!(how & READ) << t->shift;
		rows[group].written += (uint64_t)!!(how & WRITTEN) << t->shift;
	}
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
