/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lost records leave of a percentile: records are taken out of sets that
 * are complete, in runs of one CPU as the kernel drops them, and the bounds
 * must hold the truth.
 */
#include "make.h"
#include "stat/bounds.h"

enum { P50 = 50000, P90 = 90000, P99 = 99000, P99_9 = 99900 };

static struct doubt missing(uint64_t m)
{
	return (struct doubt){ m, 0 };
}

/* --- by hand ------------------------------------------------------------- */

static void test_missing(void **state)
{
	struct bounds_seen s = { .lost = 100, .open = 3, .ghosts = 2 };

	(void)state;
	assert_int_equal(bounds_missing(&s), 105);
	bounds_see(&s, 5);
	assert_int_equal(bounds_missing(&s), 25);
	bounds_see(&s, 6);
	assert_int_equal(bounds_missing(&s), 25);
	bounds_see(&s, 3);
	assert_int_equal(bounds_missing(&s), 38);
	s.lost = UINT64_MAX;
	s.ghosts = UINT64_MAX;
	assert_true(bounds_missing(&s) == UINT64_MAX);
}

/* the trace of the manual: 6,211 measured, 5,825 not */
static void test_ranks(void **state)
{
	struct bounds b = bounds_ranks(6211, missing(5825), P50);

	(void)state;
	assert_int_equal(b.low, 193);
	assert_int_equal(b.high, 6018);
	b = bounds_ranks(6211, missing(5825), P90);
	assert_int_equal(b.low, 5008);
	assert_true(b.high == UINT64_MAX);
	b = bounds_ranks(1000, missing(0), P99_9);
	assert_int_equal(b.low, 999);
	assert_int_equal(b.high, 999);
	b = bounds_ranks(10, missing(11), P50);
	assert_int_equal(b.low, 0);
	assert_true(b.high == UINT64_MAX);
	b = bounds_ranks(0, missing(0), P50);
	assert_int_equal(b.low, 0);
	b = bounds_ranks(UINT64_MAX, missing(UINT64_MAX), P50);
	assert_int_equal(b.low, 0);
}

static void test_numbers(void **state)
{
	struct histogram h = { 0 };
	struct bounds b;

	(void)state;
	for (uint64_t v = 1; v <= 100; v++)
		histogram_add(&h, v);
	b = bounds_percentile(&h, missing(10), P50);
	assert_int_equal(b.low, 45);
	assert_int_equal(b.high, 55);
	b = bounds_percentile(&h, missing(10), P99);
	assert_int_equal(b.low, 99);
	assert_true(b.high == UINT64_MAX);
	b = bounds_percentile(&h, missing(1000), P50);
	assert_int_equal(b.low, 0);
	assert_int_equal(bounds_mean(&h, missing(0)), 50);
	assert_int_equal(bounds_mean(&h, missing(101)), 25);
	histogram_free(&h);
	assert_int_equal(bounds_mean(&h, missing(0)), 0);
}

/* five may have another's span: the true ones may be any */
static void test_wrong(void **state)
{
	const struct doubt five = { 10, 5 };
	struct histogram h = { 0 };
	struct bounds b;

	(void)state;
	for (uint64_t v = 1; v <= 100; v++)
		histogram_add(&h, v);
	b = bounds_percentile(&h, five, P50);
	assert_int_equal(b.low, 40);
	assert_int_equal(b.high, 60);
	assert_int_equal(bounds_max(&h, missing(10)), 100);
	assert_int_equal(bounds_max(&h, five), 95);
	assert_int_equal(bounds_mean(&h, five), 95 * 96 / 2 / 110);
	assert_true(wide_same(bounds_greatest(&h, 5),
			      wide_of(96 + 97 + 98 + 99 + 100)));
	assert_true(wide_same(bounds_greatest(&h, 1000), wide_of(5050)));
	assert_int_equal(bounds_max(&h, (struct doubt){ 0, 100 }), 0);
	assert_int_equal(bounds_mean(&h, (struct doubt){ 0, 1000 }), 0);
	histogram_free(&h);
}

/* --- by experiment ------------------------------------------------------- */

enum { IOS = 3000, CPUS = 4, EVENTS_MAX = 6, SEEDS = 20 };

/* what a record is for its io */
enum role { FIRST, BETWEEN, LAST, LOST };

/* an io of a complete set: as many records as it left, the last is its C */
struct whole {
	uint64_t span;
	uint32_t events, left;
	bool first, last;	/* Q and C are still there */
};

/* how a set is made; a span is base and, of the share, slow times that more */
struct kind {
	uint32_t base, slow, share;
	uint32_t least, most;	/* records */
};

static const struct kind kinds[] = {
	{ 90000, 10, 10, 5, 5 },	/* all alike */
	{ 4000, 300, 2, 2, 6 },		/* merges, and few that are slow */
	{ 700000, 2, 50, 2, 3 },	/* bio-based */
	{ 1000, 100, 30, 4, 5 },	/* two sorts */
	{ 50000000, 1, 0, 2, 2 },	/* issue and complete alone */
	{ 100, 100000, 1, 3, 6 },	/* a few stalls */
};

struct set {
	struct whole ios[IOS];
	uint32_t owner[IOS * EVENTS_MAX];	/* of each record, in order */
	enum role role[IOS * EVENTS_MAX];
	uint32_t count;
};

static void make_set(struct set *s, const struct kind *k, uint64_t *seed)
{
	s->count = 0;
	for (uint32_t i = 0; i < IOS; i++) {
		struct whole *io = &s->ios[i];
		uint32_t more = chance(seed) % 100 < k->share ? k->slow : 1;

		*io = (struct whole){ .first = true, .last = true };
		io->span = ((uint64_t)chance(seed) % k->base + k->base) * more;
		io->events = io->left =
			k->least + chance(seed) % (k->most - k->least + 1);
		for (uint32_t e = 0; e < io->events; e++) {
			s->owner[s->count] = i;
			s->role[s->count++] = e + 1 == io->events ? LAST :
					      e ? BETWEEN : FIRST;
		}
	}
}

static void lose(struct set *s, uint32_t record)
{
	struct whole *io = &s->ios[s->owner[record]];

	io->left -= s->role[record] != LOST;
	io->first = io->first && s->role[record] != FIRST;
	io->last = io->last && s->role[record] != LAST;
	s->role[record] = LOST;
}

/* A CPU loses records in a row, those of the others between them stay. */
static uint32_t lose_some(struct set *s, uint64_t *seed)
{
	static const uint32_t per_mille[] = { 2, 10, 50, 200 };
	static const uint32_t rows[] = { 5, 20, 85, 85, 170 };
	uint32_t want = s->count * per_mille[chance(seed) % 4] / 1000;
	uint32_t lost = 0;

	while (lost < want) {
		uint32_t row = rows[chance(seed) % 5];
		uint32_t at = chance(seed) % s->count;

		lost = 0;
		for (uint32_t i = 0; i < row; i++)
			if (at + i * CPUS < s->count)
				lose(s, at + i * CPUS);
		for (uint32_t i = 0; i < s->count; i++)
			lost += s->role[i] == LOST;
	}
	return lost;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *one = a, *two = b;

	return *one < *two ? -1 : *one > *two;
}

static uint64_t truth(const struct set *s, uint32_t p)
{
	static uint64_t all[IOS];

	for (uint32_t i = 0; i < IOS; i++)
		all[i] = s->ios[i].span;
	qsort(all, IOS, sizeof(*all), ascending);
	return all[histogram_rank(IOS, p) - 1];
}

/* what a program sees of the rest */
static void look(const struct set *s, struct bounds_seen *seen,
		 struct histogram *h)
{
	for (uint32_t i = 0; i < IOS; i++) {
		const struct whole *io = &s->ios[i];

		if (io->first && io->last) {
			histogram_add(h, io->span);
			bounds_see(seen, io->left);
		} else if (io->left == 1 && io->last) {
			seen->ghosts++;
		} else if (io->left) {
			seen->open++;
		}
	}
}

static void check_loss(struct set *s, uint64_t *seed, uint32_t *known)
{
	static const uint32_t ps[] = { P50, P90, P99 };
	struct bounds_seen seen = { .lost = lose_some(s, seed) };
	struct histogram h = { 0 };
	uint64_t m;

	look(s, &seen, &h);
	m = bounds_missing(&seen);
	assert_true(h.count < IOS);
	assert_true(h.count + m >= IOS);
	for (unsigned int i = 0; i < 3; i++) {
		uint64_t want = truth(s, ps[i]);
		struct bounds b = bounds_percentile(&h, missing(m), ps[i]);

		assert_true(b.low <= want && want <= b.high);
		*known += b.high != UINT64_MAX;
	}
	histogram_free(&h);
}

/* 120 times; the bounds must not be there for the asking, either */
static void test_loss(void **state)
{
	struct set *s = calloc(1, sizeof(*s));
	uint64_t seed = 5;
	uint32_t known = 0;

	(void)state;
	for (unsigned int k = 0; k < 6; k++)
		for (int i = 0; i < SEEDS; i++) {
			make_set(s, &kinds[k], &seed);
			check_loss(s, &seed, &known);
		}
	assert_true(known > 100);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
