/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes in blocks. */
#include "emit/parquet/chain.h"
#include "chained.h"

/* count bytes, of which each is one more than the one before */
static void add(struct chain *c, size_t count)
{
	uint8_t *bytes = malloc(count + 1);

	assert_non_null(bytes);
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(c->len + i);
	assert_int_equal(chain_append(c, bytes, count), 0);
	free(bytes);
}

static void check(const struct chained *c, size_t len)
{
	uint8_t *bytes = chained_bytes(c);

	assert_int_equal(c->chain.len, len);
	for (size_t i = 0; i < len; i++)
		assert_int_equal(bytes[i], (uint8_t)i);
	free(bytes);
}

static void test_append(void **state)
{
	struct chained c;

	(void)state;
	chained_init(&c);
	check(&c, 0);
	for (size_t len = 0, n = 0; n < 9000; len += n, n = 2 * n + 1) {
		add(&c.chain, n);
		check(&c, len + n);
	}
	chained_free(&c);
}

/* a piece that no block holds; others go on behind it */
static void test_long_piece(void **state)
{
	struct chained c;
	size_t len = 3 * CHAIN_BYTES;
	uint8_t *p;

	(void)state;
	chained_init(&c);
	add(&c.chain, 5);
	p = chain_room(&c.chain, len);
	assert_non_null(p);
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)(5 + i);
	chain_commit(&c.chain, p + len);
	add(&c.chain, 7);
	check(&c, len + 12);
	chained_free(&c);
}

/* what is moved leaves no block half full, what is joined may */
static void test_move(void **state)
{
	struct chained c;
	struct chain other;
	size_t used;

	(void)state;
	chained_init(&c);
	other = (struct chain){ .pool = &c.pool };
	for (unsigned int i = 0; i < 100; i++) {
		other.len = c.chain.len;
		add(&other, 100);
		other.len = 100;
		assert_int_equal(chain_move(&c.chain, &other), 0);
		assert_null(other.first);
	}
	check(&c, 10000);
	used = c.pool.used;
	assert_in_range(used, 10000, 10000 + CHAIN_BYTES + 100);
	assert_int_equal(chain_append(&other, "\x10", 1), 0);
	chain_join(&c.chain, &other);
	check(&c, 10001);
	assert_true(c.pool.used > used);
	chain_join(&c.chain, &other);
	check(&c, 10001);
	chained_free(&c);
}

/* blocks that were given back are used again */
static void test_again(void **state)
{
	struct chained c;
	struct chain_block *first;

	(void)state;
	chained_init(&c);
	add(&c.chain, 10);
	first = c.chain.first;
	chain_clear(&c.chain);
	add(&c.chain, 20);
	assert_ptr_equal(c.chain.first, first);
	check(&c, 20);
	chained_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_append),
		cmocka_unit_test(test_long_piece),
		cmocka_unit_test(test_move),
		cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
