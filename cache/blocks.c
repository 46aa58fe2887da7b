/* SPDX-License-Identifier: GPL-2.0-only */
/* What blocks had; see blocks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/time.h"
#include "cache/blocks.h"
#include "cache/sample.h"

#define MILLION 1e6

enum { FIRST = 256, SHIFT_MAX = 40 };

const uint64_t blocks_ages[BLOCKS_AGES] = {
	NS_PER_SECOND, 10 * NS_PER_SECOND, 60 * NS_PER_SECOND
};

struct block {
	uint64_t number, accesses;
	uint64_t written;	/* when last; NEVER */
};

#define NEVER UINT64_MAX

struct blocks {
	unsigned int shift;	/* one of 2^shift blocks is followed */
	uint32_t most, count;
	size_t size;
	struct block *list;
	struct hash by_number;	/* numbers in the list */
	/* accesses that are writes, weighted; those before another one, and those
	 * that came soon after */
	uint64_t writes, rewritten, within[BLOCKS_AGES];
};

int blocks_new(struct blocks **out, uint32_t most)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->most = most;
	return 0;
}

/* Forgets every second block, and more if these were not chosen evenly. */
static APART int halve(struct blocks *b)
{
	int err = 0;

	while (b->count >= b->most && b->shift < SHIFT_MAX) {
		uint32_t kept = 0;

		b->shift++;
		for (uint32_t i = 0; i < b->count; i++)
			if (sample_has(sample_hash(b->list[i].number),
				       b->shift))
				b->list[kept++] = b->list[i];
		b->count = kept;
	}
	hash_free(&b->by_number);
	b->by_number = (struct hash){ 0 };
	for (uint32_t i = 0; !err && i < b->count; i++)
		err = hash_put_number(&b->by_number, b->list[i].number, i);
	return err;
}

/* NULL: no memory */
static struct block *add(struct blocks *b, uint64_t number)
{
	struct block *list = array_reserve(b->list, b->count, &b->size, FIRST,
					   sizeof(*list));

	if (!list)
		return NULL;
	b->list = list;
	list[b->count] = (struct block){ .number = number, .written = NEVER };
	if (hash_put_number(&b->by_number, number, b->count))
		return NULL;
	return &list[b->count++];
}

/* What was written last is no more. */
static void end_written(struct blocks *b, struct block *at, uint64_t time)
{
	uint64_t weight = 1ull << b->shift;
	/* completed in another order */
	uint64_t age = time < at->written ? 0 : time - at->written;

	if (at->written == NEVER)
		return;
	b->rewritten += weight;
	for (int i = 0; i < BLOCKS_AGES; i++)
		b->within[i] += age < blocks_ages[i] ? weight : 0;
	at->written = NEVER;
}

static void count_write(struct blocks *b, struct block *at, uint64_t time)
{
	b->writes += 1ull << b->shift;
	end_written(b, at, time);
	at->written = time;
}

static void discard_one(struct blocks *b, uint64_t number, uint64_t time)
{
	struct sampled s = sampled_of(number);
	int64_t i = sample_has(s.hash, b->shift) ?
		    hash_get_number(&b->by_number, s.block) : -1;

	if (i >= 0)
		end_written(b, &b->list[i], time);
}

void blocks_discard(struct blocks *b, struct sample_range r, uint64_t time)
{
	/* the shorter way */
	if (r.last - r.first < b->count)
		for (uint64_t n = r.first; n <= r.last; n++)
			discard_one(b, n ^ r.salt, time);
	else
		for (uint32_t i = 0; i < b->count; i++)
			if (sample_in_range(&r, b->list[i].number))
				end_written(b, &b->list[i], time);
}

unsigned int blocks_shift(const struct blocks *b)
{
	return b->shift;
}

int blocks_access(struct blocks *b, struct sampled s, bool write,
		  uint64_t time)
{
	struct block *at;
	int64_t i;

	if (LIKELY(!sample_has(s.hash, b->shift)))
		return 0;
	i = hash_get_number(&b->by_number, s.block);
	if (i < 0 && b->count >= b->most) {
		if (halve(b))
			return -ENOMEM;
		if (!sample_has(s.hash, b->shift))
			return 0;
	}
	at = i < 0 ? add(b, s.block) : &b->list[i];
	if (!at)
		return -ENOMEM;
	at->accesses++;
	if (write)
		count_write(b, at, time);
	return 0;
}

/* --- results -------------------------------------------------------------- */

static int by_accesses(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? 1 : *x > *y ? -1 : 0;
}

static uint32_t ppm(double part, double whole)
{
	return whole > 0 ? (uint32_t)(part / whole * MILLION + 0.5) : 0;
}

/* accesses of the first blocks, a part of them in proportion */
static double sum_first(const uint64_t *list, uint32_t count, double blocks)
{
	double sum = 0;

	for (uint32_t i = 0; i < count && i < blocks; i++)
		sum += (double)list[i] * (blocks - i < 1 ? blocks - i : 1);
	return sum;
}

int blocks_facts(const struct blocks *b, struct blocks_facts *f)
{
	uint64_t *list = malloc((b->count + 1) * sizeof(*list));
	double all;

	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->count; i++)
		list[i] = b->list[i].accesses;
	qsort(list, b->count, sizeof(*list), by_accesses);
	all = sum_first(list, b->count, b->count);
	*f = (struct blocks_facts){
		.top_1 = ppm(sum_first(list, b->count, b->count / 100.0), all),
		.top_10 = ppm(sum_first(list, b->count, b->count / 10.0), all),
		.rewritten = ppm((double)b->rewritten, (double)b->writes),
		.any_writes = b->writes,
	};
	for (int i = 0; i < BLOCKS_AGES; i++)
		f->within[i] = ppm((double)b->within[i], (double)b->writes);
	free(list);
	return 0;
}

void blocks_free(struct blocks *b)
{
	if (!b)
		return;
	hash_free(&b->by_number);
	free(b->list);
	free(b);
}
