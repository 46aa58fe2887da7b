/* SPDX-License-Identifier: GPL-2.0-only */
/* What is shown of a cache; see points.h. */
#include "cache/points.h"

enum { BITS_MAX = 62 };

const char *points_curve_name(enum cache_curve curve)
{
	static const char *const names[CACHE_CURVES] = {
		[CACHE_READS] = "reads", [CACHE_WRITES] = "writes",
		[CACHE_SAVED] = "saved",
	};

	return names[curve];
}

const char *points_policy_name(enum cache_policy policy)
{
	static const char *const names[CACHE_POLICIES] = {
		[CACHE_LRU] = "lru", [CACHE_S3FIFO] = "s3fifo",
	};

	return names[policy];
}

static void find_point(struct cache_point *p, const struct cache *c, unsigned int bits)
{
	*p = (struct cache_point){ .bytes = 1ull << bits };
	for (int i = 0; i < CACHE_CURVES; i++) {
		enum cache_curve curve = (enum cache_curve)i;

		p->at[CACHE_LRU][i] = cache_at(c, curve, p->bytes);
		p->known[CACHE_S3FIFO] = cache_fifo_at(c, curve, p->bytes,
						       &p->at[CACHE_S3FIFO][i]);
	}
	p->known[CACHE_LRU] = true;
}

static bool serves(const struct cache_point *p)
{
	bool any = false;

	for (int i = 0; i < CACHE_CURVES; i++)
		any |= p->at[CACHE_LRU][i].served;
	return any;
}

/* the first that serves this share, in percent, of the reads that the last one does */
static unsigned int first_with(const struct points *p, unsigned int percent)
{
	unsigned int last = p->count - 1, i = 0;
	uint64_t most = p->list[last].at[CACHE_LRU][CACHE_READS].served;

	while (i < last && 100ull * p->list[i].at[CACHE_LRU][CACHE_READS].served <
			   percent * most)
		i++;
	return i;
}

void points_find(struct points *p, const struct cache *c)
{
	unsigned int first, last, bits = cache_block_bits(c);

	*p = (struct points){ .count = 0 };
	cache_facts(c, &p->facts);
	for (int i = 0; i < CACHE_CURVES; i++)
		p->accesses[i] = cache_accesses(c, (enum cache_curve)i);
	for (last = bits; last < BITS_MAX && 1ull << last < p->facts.touched;)
		last++;
	first = last >= bits + POINTS_MAX ? last - POINTS_MAX + 1 : bits;
	for (bits = first; bits <= last; bits++) {
		find_point(&p->list[p->count++], c, bits);
		/* only the last of those that serve nothing */
		if (p->count == 2 && !serves(&p->list[1]))
			p->list[0] = p->list[--p->count];
	}
	p->half = first_with(p, 50);
	p->most = first_with(p, 90);
}

bool points_serve_reads(const struct points *p)
{
	return p->list[p->count - 1].at[CACHE_LRU][CACHE_READS].served;
}
