/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts and sums by time: as if they had been made at once. */
#include "make.h"
#include "report/sparse.h"

enum { KEYS = 3000, BINS = 16, MOST = 64 * BINS };

/* what is counted, the plain way */
struct plain {
	uint32_t counts[MOST][KEYS];
};

static void assert_same(const struct sparse *s, const struct plain *p)
{
	uint64_t each = s->width;

	for (uint32_t bin = 0; bin < BINS; bin++) {
		uint32_t wanted[KEYS] = { 0 };
		struct sparse_walk w;

		for (uint64_t t = bin * each; t < (bin + 1) * each && t < MOST;
		     t++)
			for (uint32_t k = 0; k < KEYS; k++)
				wanted[k] += p->counts[t][k];
		sparse_walk(&w, s, bin);
		while (sparse_next(&w)) {
			assert_true(w.entry.key < KEYS);
			assert_int_equal(w.entry.count, wanted[w.entry.key]);
			assert_int_not_equal(w.entry.count, 0);
			wanted[w.entry.key] = 0;
		}
		for (uint32_t k = 0; k < KEYS; k++)
			assert_int_equal(wanted[k], 0);
	}
}

static uint32_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

static void test_sparse(void **state)
{
	struct plain *p = calloc(1, sizeof(*p)), *mapped;
	uint32_t half[KEYS];
	const struct sparse_mapping to_half = { .high = half };
	struct sparse s;
	uint64_t seed = 7;

	(void)state;
	assert_int_equal(sparse_init(&s, 1, BINS), 0);
	for (uint32_t i = 0; i < 200000; i++) {
		/* time goes on, but what comes may be late */
		uint32_t now = i / 200, late = next(&seed) % 9 ? 0 :
					next(&seed) % 40;
		uint32_t time = late > now ? 0 : now - late;
		uint32_t key = next(&seed) % KEYS;

		assert_true(time < MOST);
		assert_int_equal(sparse_add(&s, time, key), 0);
		p->counts[time][key]++;
	}
	assert_int_equal(sparse_end(&s), 0);
	assert_int_equal(s.width, 64);
	assert_same(&s, p);
	assert_int_equal(sparse_widen(&s, 4), 0);
	assert_int_equal(s.width, 256);
	assert_int_equal(s.count, 4);
	assert_same(&s, p);

	mapped = calloc(1, sizeof(*mapped));
	for (uint32_t t = 0; t < MOST; t++)
		for (uint32_t k = 0; k < KEYS; k += 2)
			mapped->counts[t][k / 2] = p->counts[t][k];
	for (uint32_t k = 0; k < KEYS; k++)
		half[k] = k % 2 ? UINT32_MAX : k / 2;
	assert_int_equal(sparse_map(&s, &to_half), 0);
	assert_same(&s, mapped);
	sparse_free(&s);
	free(p);
	free(mapped);
}

static void test_memory(void **state)
{
	struct plain *p = calloc(1, sizeof(*p));
	struct sparse s;
	uint64_t seed = 9;

	(void)state;
	assert_int_equal(sparse_init(&s, 1, BINS), 0);
	s.bytes_max = 9000;
	for (uint32_t i = 0; i < 16000; i++) {
		uint32_t key = next(&seed) % KEYS;

		assert_int_equal(sparse_add(&s, i / 1000, key), 0);
		p->counts[i / 1000][key]++;
	}
	assert_int_equal(sparse_end(&s), 0);
	assert_true(s.width > 1);
	assert_same(&s, p);
	sparse_free(&s);
	free(p);
}

/* an io that took three times this, of them one in the device */
static struct report_row row_of(uint64_t third, uint32_t blocks)
{
	return (struct report_row){ .q2g = third, .q2i = third,
				    .q2d = 2 * third + 1, .end = third + 1,
				    .blocks = blocks,
				    .flags = REPORT_HAS_Q | REPORT_HAS_D };
}

static void test_scalars(void **state)
{
	struct scalars s;
	const struct scalar *one;
	uint64_t busy = 0;

	(void)state;
	assert_int_equal(scalars_init(&s, 10, 4), 0);
	for (uint32_t i = 0; i < 100; i++) {
		struct report_row row = row_of(i, 8);
		struct report_times times;

		report_row_times(&times, &row);
		times.end = i;
		assert_int_equal(scalars_add(&s, i % 3, &row, &times), 0);
	}
	assert_int_equal(scalars_add_busy(&s, 1, 5, 95), 0);
	assert_int_equal(s.width, 40);
	assert_int_equal(s.count, 3);
	assert_int_equal(s.bins[0].count, 3);
	one = &s.bins[0].list[1];
	assert_int_equal(one->stream, 1);
	assert_int_equal(one->ios, 13);
	assert_int_equal(one->blocks, 13 * 8);
	assert_int_equal(one->q2c, 37 * 3);
	assert_int_equal(one->d2c, 37);
	assert_int_equal(one->phases[0], (1 + 37) * 13 / 2);
	assert_int_equal(one->phases[1], 0);
	for (uint32_t i = 0; i < s.count; i++)
		busy += s.bins[i].list[1].busy;
	assert_int_equal(busy, 90);
	assert_int_equal(s.bins[1].list[1].busy, 40);

	/* the last two become one, the first goes */
	assert_int_equal(scalars_map(&s, (uint32_t[]){ UINT32_MAX, 5, 5 }), 0);
	assert_int_equal(s.bins[0].count, 1);
	assert_int_equal(s.bins[0].list[0].stream, 5);
	assert_int_equal(s.bins[0].list[0].ios, 26);
	scalars_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_scalars),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
