/* SPDX-License-Identifier: GPL-2.0-only */
/* Rates: bins that have doubled are what bins of that width would have been. */
#include "make.h"
#include "stat/rates.h"

enum { BINS = 16, WIDTH = 8 };

struct ended {
	uint64_t time, bytes, span;
	enum rate_class class;
};

static struct ended some(uint64_t *seed, uint64_t until)
{
	return (struct ended){
		.time = chance(seed) % until,
		.bytes = chance(seed) % 5000,
		.span = chance(seed) % 4 ? chance(seed) % 100000 : UINT64_MAX,
		.class = (enum rate_class)(chance(seed) % RATE_CLASSES),
	};
}

static void check_bin(const struct rates *r, uint64_t from, uint64_t to,
		      const struct ended *all, unsigned int count)
{
	uint64_t counts[RATE_CLASSES] = { 0 }, bytes[RATE_CLASSES] = { 0 };
	uint64_t spans = 0, most = 0;
	struct rate_sum b;

	for (unsigned int i = 0; i < count; i++) {
		const struct ended *e = &all[i];

		if (e->time < from || e->time >= to)
			continue;
		counts[e->class]++;
		bytes[e->class] += e->bytes;
		if (e->span == UINT64_MAX)
			continue;
		spans++;
		most = e->span > most ? e->span : most;
	}
	assert_int_equal(rates_sum(r, from, to, &b), 0);
	assert_memory_equal(b.count, counts, sizeof(counts));
	assert_memory_equal(b.bytes, bytes, sizeof(bytes));
	assert_true(b.spans.count == spans && b.spans.max == most);
	rate_sum_free(&b);
}

static void test_doubling(void **state)
{
	enum { COUNT = 900 };
	static struct ended all[COUNT];
	uint64_t seed = 5;

	(void)state;
	for (uint64_t until = 10; until < 4000; until = until * 3 / 2) {
		struct rates r;

		assert_int_equal(rates_init(&r, 0, WIDTH, BINS), 0);
		for (unsigned int i = 0; i < COUNT; i++) {
			all[i] = some(&seed, until);
			assert_int_equal(rates_add(&r, all[i].time,
						   all[i].class, all[i].bytes,
						   all[i].span), 0);
		}
		assert_true(until < WIDTH * BINS || r.width > WIDTH);
		for (unsigned int i = 0; i < BINS; i++)
			check_bin(&r, i * r.width, (i + 1) * r.width, all,
				  COUNT);
		check_bin(&r, 0, UINT64_MAX, all, COUNT);
		rates_free(&r);
	}
}

static void test_borders(void **state)
{
	struct rates r;
	struct rate_sum b;

	(void)state;
	assert_int_equal(rates_init(&r, 1000, WIDTH, BINS), 0);
	/* before the first bin, in it, and as late as can be */
	assert_int_equal(rates_add(&r, 999, RATE_READ, 1, 1), 0);
	assert_int_equal(rates_add(&r, 1000, RATE_READ, UINT64_MAX, 1), 0);
	assert_int_equal(rates_add(&r, 1001, RATE_READ, UINT64_MAX, 1), 0);
	assert_int_equal(rates_add(&r, UINT64_MAX, RATE_WRITE, 1, 1), 0);
	assert_int_equal(rates_sum(&r, 0, UINT64_MAX, &b), 0);
	assert_true(b.count[RATE_READ] == 2 && b.count[RATE_WRITE] == 1);
	assert_true(b.bytes[RATE_READ] == UINT64_MAX);
	rate_sum_free(&b);
	rates_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_doubling),
		cmocka_unit_test(test_borders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
