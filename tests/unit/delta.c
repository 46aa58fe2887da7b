/* SPDX-License-Identifier: GPL-2.0-only */
/* Integers as differences: the bytes that the format describes. */
#include "emit/parquet/delta.h"
#include "chained.h"

static struct delta made;	/* some KB */

static struct delta *begin(struct chained *c, bool narrow)
{
	chained_init(c);
	delta_init(&made, narrow, &c->pool);
	return &made;
}

static void add(struct delta *d, const int64_t *values, unsigned int count)
{
	memcpy(delta_room(d), values, count * sizeof(*values));
	assert_int_equal(delta_added(d, count), 0);
}

static void end(struct delta *d, struct chained *c)
{
	delta_free(d);
	chained_free(c);
}

static void test_nothing(void **state)
{
	struct chained c;
	struct delta *d = begin(&c, false);

	(void)state;
	assert_int_equal(delta_page(d, &c.chain), 0);
	CHAINED_EXPECT(&c, 0x80, 1, 4, 0, 0);
	assert_true(d->low > d->high);
	end(d, &c);
}

/* the two examples of the format's description */
static void test_described(void **state)
{
	static const int64_t even[] = { 1, 2, 3, 4, 5 };
	static const int64_t down_and_up[] = { 7, 5, 3, 1, 2, 3, 4, 5 };
	struct chained c;
	struct delta *d = begin(&c, false);

	(void)state;
	add(d, even, 5);
	assert_int_equal(delta_page(d, &c.chain), 0);
	CHAINED_EXPECT(&c, 0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0);
	add(d, down_and_up, 3);
	add(d, down_and_up + 3, 5);
	assert_int_equal(delta_page(d, &c.chain), 0);
	CHAINED_EXPECT(&c, 0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0,
		       0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
	assert_int_equal(d->low, 1);
	assert_int_equal(d->high, 7);
	delta_forget(d);
	assert_true(d->low > d->high);
	end(d, &c);
}

/* from the highest to the lowest is one step up, as numbers wrap */
static void test_wrap(void **state)
{
	static const int64_t slim[] = { INT32_MAX, INT32_MIN };
	static const int64_t wide[] = { INT64_MAX, INT64_MIN };
	struct chained c;
	struct delta *d = begin(&c, true);

	(void)state;
	add(d, slim, 2);
	assert_int_equal(delta_page(d, &c.chain), 0);
	CHAINED_EXPECT(&c, 0x80, 1, 4, 2, 0xfe, 0xff, 0xff, 0xff, 0x0f,
		       2, 0, 0, 0, 0);
	assert_int_equal(d->low, INT32_MIN);
	assert_int_equal(d->high, INT32_MAX);
	delta_free(d);
	delta_init(d, false, &c.pool);
	add(d, wide, 2);
	assert_int_equal(delta_page(d, &c.chain), 0);
	CHAINED_EXPECT(&c, 0x80, 1, 4, 2, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff,
		       0xff, 0xff, 0xff, 0x01, 2, 0, 0, 0, 0);
	end(d, &c);
}

/* what a full block and one value more take; bounds are of values only */
static void test_blocks(void **state)
{
	struct chained c;
	struct delta *d = begin(&c, false);

	(void)state;
	for (int64_t i = 0; i <= DELTA_BLOCK; i++)
		add(d, &(int64_t){ 1000 - 10 * i }, 1);
	assert_int_equal(d->blocks.len, 5);
	assert_int_equal(d->low, 1000 - 10 * DELTA_BLOCK);
	add(d, &(int64_t){ -500 }, 1);
	assert_int_equal(delta_page(d, &c.chain), 0);
	CHAINED_EXPECT(&c, 0x80, 1, 4, 130, 1, 0xd0, 0x0f, 19, 0, 0, 0, 0,
		       0xb7, 3, 0, 0, 0, 0);
	assert_int_equal(d->low, -500);
	assert_int_equal(d->high, 1000);
	end(d, &c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_described),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
