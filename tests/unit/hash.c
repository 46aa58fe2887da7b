/* SPDX-License-Identifier: GPL-2.0-only */
/* The hash table, held against a plain array that holds the same pairs. */
#include "base/hash.h"
#include "make.h"

enum { KEYS = 600 };

/* what the table must hold: the value of each key, NULL for none */
struct model {
	uint64_t keys[KEYS];
	void *values[KEYS];
	size_t count;
};

static void model_init(struct model *m)
{
	memset(m, 0, sizeof(*m));
	for (uint64_t i = 0; i < KEYS; i++)
		m->keys[i] = i;
}

/*
 * Keys that all have their home in the last slots of a table of this seed and
 * that size, so that their runs go round its end.
 */
static void model_crowd(struct model *m, uint64_t seed,
			uint64_t slots)
{
	uint64_t key = 1;

	model_init(m);
	for (size_t i = 0; i < KEYS; key++)
		if (hash_home(seed, key, slots - 1) >= slots - 3)
			m->keys[i++] = key;
}

static void check_all(const struct hash *h, const struct model *m)
{
	assert_int_equal(h->count, m->count);
	for (size_t i = 0; i < KEYS; i++)
		assert_ptr_equal(hash_get(h, m->keys[i]), m->values[i]);
}

static void put(struct hash *h, struct model *m, size_t i, void *value)
{
	assert_int_equal(hash_put(h, m->keys[i], value), 0);
	m->count += !m->values[i];
	m->values[i] = value;
}

static void del(struct hash *h, struct model *m, size_t i)
{
	assert_ptr_equal(hash_del(h, m->keys[i]), m->values[i]);
	m->count -= m->values[i] != NULL;
	m->values[i] = NULL;
}

/* Random puts and deletions among the first keys of the model. */
static void shake(struct hash *h, struct model *m, size_t keys, int rounds)
{
	uint64_t seed = 7;
	char *here = (char *)m;

	for (int i = 0; i < rounds; i++) {
		size_t key = chance(&seed) % keys;

		if (chance(&seed) % 2)
			put(h, m, key, here + chance(&seed) % 1000);
		else
			del(h, m, key);
		if (i % 50 == 0)
			check_all(h, m);
	}
	check_all(h, m);
}

/* an all-zero table has nothing to find or take out */
static void test_empty(void **state)
{
	struct hash h = { 0 };

	(void)state;
	assert_null(hash_get(&h, 0));
	assert_null(hash_del(&h, 0));
	hash_free(&h);
}

/* random operations over neighbouring keys, as pids and sectors are */
static void test_random(void **state)
{
	struct hash h = { 0 };
	struct model m;

	(void)state;
	model_init(&m);
	shake(&h, &m, KEYS, 20000);
	hash_free(&h);
}

/* deletions inside long runs that cross the end of the slots */
static void test_runs(void **state)
{
	struct hash h = { 0 };
	struct model m;

	(void)state;
	model_crowd(&m, hash_seed(), 64);
	shake(&h, &m, 40, 20000);
	assert_int_equal(h.mask, 63);
	hash_free(&h);
}

/* key 0 and the largest key are keys as any other */
static void test_edges(void **state)
{
	struct hash h = { 0 };
	int a, b;

	(void)state;
	assert_int_equal(hash_put(&h, 0, &a), 0);
	assert_int_equal(hash_put(&h, UINT64_MAX, &b), 0);
	assert_ptr_equal(hash_get(&h, 0), &a);
	assert_ptr_equal(hash_get(&h, UINT64_MAX), &b);
	assert_ptr_equal(hash_del(&h, 0), &a);
	assert_null(hash_get(&h, 0));
	assert_int_equal(h.count, 1);
	hash_free(&h);
}

/* a table of numbers: 0 is one of them, and none is -1 */
static void test_numbers(void **state)
{
	struct hash h = { 0 };

	(void)state;
	assert_int_equal(hash_get_number(&h, 5), -1);
	assert_int_equal(hash_put_number(&h, 5, 0), 0);
	assert_int_equal(hash_put_number(&h, 6, UINT32_MAX - 1), 0);
	assert_int_equal(hash_get_number(&h, 5), 0);
	assert_int_equal(hash_get_number(&h, 6), UINT32_MAX - 1);
	assert_int_equal(hash_get_number(&h, 7), -1);
	assert_non_null(hash_del(&h, 5));
	assert_int_equal(hash_get_number(&h, 5), -1);
	hash_free(&h);
}

/* a table grown to 100,000 keys still knows the first */
static void test_growth(void **state)
{
	struct hash h = { 0 };
	static const char base[100000];

	(void)state;
	for (size_t i = 0; i < sizeof(base); i++)
		assert_int_equal(hash_put(&h, (uint64_t)i << 20,
					  (void *)(base + i)), 0);
	assert_int_equal(h.count, sizeof(base));
	assert_true(h.count <= (h.mask + 1) / 4 * 3);
	for (size_t i = 0; i < sizeof(base); i++)
		assert_ptr_equal(hash_get(&h, (uint64_t)i << 20),
				 base + i);
	hash_free(&h);
	assert_null(h.slots);
}

/* what stands at the slots between the keys' homes and theirs, per key */
static double steps_per_key(const struct hash *h)
{
	size_t steps = 0;

	for (size_t i = 0; i <= h->mask; i++)
		if (h->slots[i].value)
			steps += (i - hash_home(h->seed, h->slots[i].key,
						h->mask)) & h->mask;
	return (double)steps / (double)h->count;
}

/* key number i of a kind that is bad for a function without a seed */
static uint64_t bad_key(int kind, uint64_t i)
{
	/* times the factor that once was for all, this is 1 */
	const uint64_t inverse = 0xf1de83e19937733du;

	switch (kind) {
	case 0:
		return (i << 48 | i << 16) * inverse;
	case 1:			/* differ in what no slot number had */
		return i << 48;
	case 2:
		return i << 3;
	default:
		return i;
	}
}

/* whatever the keys, they spread: without a seed it is 10,000 */
static void test_spread(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		struct hash h = { 0 };
		int value;

		for (uint64_t i = 0; i < 20000; i++)
			assert_int_equal(hash_put(&h, bad_key(kind, i),
						  &value), 0);
		assert_int_equal(h.count, 20000);
		assert_true(steps_per_key(&h) < 200);
		hash_free(&h);
	}
}

/* equal texts have equal keys, before the first put and after, others not */
static void test_text(void **state)
{
	struct hash h = { 0 };
	char text[32], *other = text + 1;
	uint64_t key;
	int value;

	(void)state;
	memset(text, 'x', sizeof(text));
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		key = hash_text(&h, text, len);
		assert_null(hash_get(&h, key));
		assert_int_equal(hash_put(&h, key, &value), 0);
		assert_ptr_equal(hash_get(&h, hash_text(&h, other, len)),
				 &value);
		for (size_t i = 0; i < len; i++) {
			text[i]++;
			assert_null(hash_get(&h, hash_text(&h, text, len)));
			text[i]--;
		}
	}
	hash_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
