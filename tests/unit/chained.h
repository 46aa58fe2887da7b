/* SPDX-License-Identifier: GPL-2.0-only */
/* A chain whose bytes are looked at. */
#ifndef TESTS_UNIT_CHAINED_H
#define TESTS_UNIT_CHAINED_H

#include "emit/parquet/chain.h"
#include "make.h"

struct chained {
	struct chain_pool pool;
	struct chain chain;
};

static inline void chained_init(struct chained *c)
{
	*c = (struct chained){ .chain = { .pool = &c->pool } };
}

/* nothing may be left in any chain of the pool */
static inline void chained_free(struct chained *c)
{
	chain_clear(&c->chain);
	assert_int_equal(c->pool.used, 0);
	chain_pool_free(&c->pool);
}

/* the chain's bytes, to be freed; their number is chain.len */
static inline uint8_t *chained_bytes(const struct chained *c)
{
	uint8_t *bytes = malloc(c->chain.len + 1);
	size_t at = 0;

	assert_non_null(bytes);
	for (const struct chain_block *b = c->chain.first; b; b = b->next) {
		memcpy(bytes + at, b->bytes, b->len);
		at += b->len;
	}
	assert_int_equal(at, c->chain.len);
	return bytes;
}

/* the chain has these bytes and no others, and is empty then */
static inline void chained_expect(struct chained *c, const uint8_t *want,
				  size_t len)
{
	uint8_t *got = chained_bytes(c);

	assert_int_equal(c->chain.len, len);
	assert_memory_equal(got, want, len);
	free(got);
	chain_clear(&c->chain);
}

#define CHAINED_EXPECT(c, ...) do { \
	static const uint8_t want[] = { __VA_ARGS__ }; \
	chained_expect(c, want, sizeof(want)); \
} while (0)

#endif
