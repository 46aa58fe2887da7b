/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os made into bunches, by the original's rule and by the exact one. */
#include "make.h"
#include "replay/bunch_writer.h"

/* what came out: times and counts of bunches, sectors of I/Os */
struct seen {
	uint64_t times[4096];
	uint32_t counts[4096];
	size_t bunches;
	uint64_t sectors[4096];
	size_t packets;
	int answer;
};

static int put(void *ctx, const struct bunch *b)
{
	struct seen *s = ctx;

	s->times[s->bunches] = b->time;
	s->counts[s->bunches++] = b->count;
	for (uint32_t i = 0; i < b->count; i++)
		s->sectors[s->packets++] = b->packets[i].sector;
	return s->answer;
}

/* all times, one after the other; sectors are their places in the list */
static struct seen *build(const struct bunch_builder_options *o,
			  const uint64_t *times, size_t count)
{
	static struct bunch_builder b;
	static struct seen s;

	s = (struct seen){ .answer = 0 };
	bunch_builder_init(&b, o, put, &s);
	for (size_t i = 0; i < count; i++) {
		const struct packet p = { .sector = i, .bytes = 512,
					  .read = true };

		assert_int_equal(bunch_builder_add(&b, times[i], &p), 0);
	}
	assert_int_equal(bunch_builder_flush(&b), 0);
	return &s;
}

static void test_full(void **state)
{
	static const uint64_t times[] = { 1, 2, 3, 4, 5, 6, 7 };
	const struct bunch_builder_options o = { .max_time = 100,
						 .max_packets = 3 };
	struct seen *s = build(&o, times, 7);

	(void)state;
	assert_int_equal(s->bunches, 3);
	assert_int_equal(s->counts[0], 3);
	assert_int_equal(s->times[1], 4);
	assert_int_equal(s->counts[2], 1);
	assert_int_equal(s->times[2], 7);
}

/* exactly the time still joins; before the start does not */
static void test_time(void **state)
{
	static const uint64_t times[] = { 10, 20, 21, 31, 32, 31 };
	const struct bunch_builder_options o = { .max_time = 10,
						 .max_packets = 8 };
	struct seen *s = build(&o, times, 6);

	(void)state;
	assert_int_equal(s->bunches, 4);
	assert_int_equal(s->counts[0], 2);
	assert_int_equal(s->times[1], 21);
	assert_int_equal(s->counts[1], 2);
	assert_int_equal(s->times[2], 32);
	assert_int_equal(s->times[3], 31);
}

static void test_nothing(void **state)
{
	const struct bunch_builder_options o = { .max_time = 10,
						 .max_packets = 8 };
	const struct bunch_builder_options exact = { .exact = true };

	(void)state;
	assert_int_equal(build(&o, NULL, 0)->bunches, 0);
	assert_int_equal(build(&exact, NULL, 0)->bunches, 0);
}

/* near neighbours are put in order, equals stay as they came */
static void test_exact(void **state)
{
	static const uint64_t times[] = { 5, 3, 3, 9, 1, 9 };
	static const uint64_t order[] = { 4, 1, 2, 0, 3, 5 };
	const struct bunch_builder_options o = { .exact = true };
	struct seen *s = build(&o, times, 6);

	(void)state;
	assert_int_equal(s->bunches, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(s->counts[i], 1);
		assert_int_equal(s->sectors[i], order[i]);
		assert_int_equal(s->times[i], times[order[i]]);
	}
}

/* what is out of order by less than half of what is held comes out in order */
static void test_exact_many(void **state)
{
	static uint64_t times[4000];
	const struct bunch_builder_options o = { .exact = true };
	uint64_t seed = 1;
	struct seen *s;

	(void)state;
	for (size_t i = 0; i < 4000; i++)
		times[i] = i + chance(&seed) % (BUNCH_BUILDER_HELD / 2);
	s = build(&o, times, 4000);
	assert_int_equal(s->bunches, 4000);
	for (size_t i = 1; i < 4000; i++)
		assert_true(s->times[i - 1] <= s->times[i]);
}

/* one that is older than all that is held still comes out */
static void test_exact_late(void **state)
{
	static uint64_t times[2 * BUNCH_BUILDER_HELD];
	const struct bunch_builder_options o = { .exact = true };
	struct seen *s;

	(void)state;
	for (size_t i = 0; i < 2 * BUNCH_BUILDER_HELD; i++)
		times[i] = 100 + i;
	times[2 * BUNCH_BUILDER_HELD - 1] = 1;
	s = build(&o, times, 2 * BUNCH_BUILDER_HELD);
	assert_int_equal(s->packets, 2 * BUNCH_BUILDER_HELD);
}

/* a disk that is full ends it */
static void test_answer(void **state)
{
	const struct bunch_builder_options o = { .max_time = 1,
						 .max_packets = 1 };
	const struct packet p = { .bytes = 512, .read = true };
	static struct seen s = { .answer = -28 };
	static struct bunch_builder b;

	(void)state;
	bunch_builder_init(&b, &o, put, &s);
	assert_int_equal(bunch_builder_add(&b, 1, &p), 0);
	assert_int_equal(bunch_builder_add(&b, 2, &p), -28);
	assert_int_equal(bunch_builder_flush(&b), -28);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_exact_many),
		cmocka_unit_test(test_exact_late),
		cmocka_unit_test(test_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
