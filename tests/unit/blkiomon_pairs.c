/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events blkiomon takes for a pair, and what becomes of the others.
 */
#include "make.h"
#include "tools/blkiomon/pairs.h"

#define ISSUE ACT(BLK_TA_ISSUE, CAT(ISSUE) | CAT(WRITE) | CAT(FS))
#define COMPLETE ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | CAT(WRITE) | CAT(FS))

/* the pair that was found last */
static struct seen_whole before[2];

static struct seen_whole event(uint32_t action, uint64_t sector, uint64_t time,
			       uint32_t device)
{
	return (struct seen_whole){
		.seen = { .time = time, .sector = sector, .device = device,
			  .categories = (uint16_t)(action >> 16) },
		.ev = EVENT(.action = action, .sequence = (uint32_t)time),
		.order = 2 * time,
	};
}

static const struct seen_whole *whole(const struct seen *s)
{
	return (const struct seen_whole *)s;
}

static int add(struct pairs *ps, uint32_t action, uint64_t sector,
	       uint64_t time, struct pair *p)
{
	const struct seen_whole w = event(action, sector, time, 8);
	int got = pairs_add(ps, &w.seen, p);

	if (got == PAIR_WAITS)
		return got;
	/* what is the caller's is not for keeping */
	before[0] = *whole(p->older);
	before[1] = *whole(p->younger);
	assert_int_equal(before[0].order, 2 * p->older->time);
	assert_int_equal(before[1].order, 2 * p->younger->time);
	assert_int_equal(before[0].ev.sequence, p->older->time);
	assert_int_equal(before[1].ev.sequence, p->younger->time);
	p->older = &before[0].seen;
	p->younger = &before[1].seen;
	return got;
}

/* an issue and its completion, whichever comes first */
static void test_match(void **state)
{
	struct pairs *ps = pairs_new(true);
	struct pair p;

	(void)state;
	assert_int_equal(add(ps, ISSUE, 1, 10, &p), PAIR_WAITS);
	assert_int_equal(pairs_waiting(ps), 1);
	assert_int_equal(add(ps, COMPLETE, 1, 20, &p), PAIR_MATCH);
	assert_int_equal(p.older->time, 10);
	assert_int_equal(p.younger->time, 20);
	assert_int_equal(add(ps, COMPLETE, 1, 40, &p), PAIR_WAITS);
	assert_int_equal(add(ps, ISSUE, 1, 30, &p), PAIR_MATCH);
	assert_int_equal(p.older->time, 30);
	assert_int_equal(p.younger->time, 40);
	assert_int_equal(pairs_waiting(ps), 0);
	pairs_free(ps);
}

/* of equal times the one that came last is the older */
static void test_tie(void **state)
{
	struct pairs *ps = pairs_new(true);
	struct pair p;

	(void)state;
	assert_int_equal(add(ps, COMPLETE, 1, 10, &p), PAIR_WAITS);
	assert_int_equal(add(ps, ISSUE, 1, 10, &p), PAIR_MATCH);
	assert_int_equal(add(ps, ISSUE, 1, 20, &p), PAIR_WAITS);
	assert_int_equal(add(ps, COMPLETE, 1, 20, &p), PAIR_MISMATCH);
	assert_int_equal(whole(p.younger)->ev.action, ISSUE);
	pairs_free(ps);
}

/* sector, device, direction and kind must all be the same */
static void test_strangers(void **state)
{
	static const uint32_t others[] = {
		ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | CAT(READ) | CAT(FS)),
		ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | CAT(WRITE) | CAT(PC)),
		ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | CAT(FS)),
	};
	struct pairs *ps = pairs_new(true);
	const struct seen_whole other = event(COMPLETE, 1, 20, 9);
	struct pair p;

	(void)state;
	assert_int_equal(add(ps, ISSUE, 1, 10, &p), PAIR_WAITS);
	assert_int_equal(add(ps, COMPLETE, 2, 20, &p), PAIR_WAITS);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(add(ps, others[i], 1, 20, &p), PAIR_WAITS);
	assert_int_equal(pairs_add(ps, &other.seen, &p), PAIR_WAITS);
	/* what else the categories tell does not matter */
	assert_int_equal(add(ps, COMPLETE | BLK_TC_ACT(BLK_TC_META), 1, 20,
			     &p), PAIR_MATCH);
	assert_int_equal(pairs_waiting(ps), 5);
	pairs_free(ps);
}

/* two issues: the younger one goes on waiting */
static void test_mismatch(void **state)
{
	struct pairs *ps = pairs_new(true);
	struct pair p;

	(void)state;
	assert_int_equal(add(ps, ISSUE, 1, 20, &p), PAIR_WAITS);
	assert_int_equal(add(ps, ISSUE, 1, 10, &p), PAIR_MISMATCH);
	assert_int_equal(p.older->time, 10);
	assert_int_equal(p.younger->time, 20);
	assert_int_equal(add(ps, COMPLETE, 1, 30, &p), PAIR_MATCH);
	assert_int_equal(p.older->time, 20);
	assert_int_equal(pairs_waiting(ps), 0);
	pairs_free(ps);
}

static void write_seen(void *ctx, const struct seen *s)
{
	diary_write(ctx, "%u ", whole(s)->ev.sequence);
}

/* by sector modulo 128, then backwards in time of arrival */
static void test_leftovers(void **state)
{
	struct pairs *ps = pairs_new(true);
	struct diary d;
	struct pair p;

	(void)state;
	diary_init(&d);
	add(ps, ISSUE, 129, 1, &p);
	add(ps, ISSUE, 5, 2, &p);
	add(ps, ISSUE, 1, 3, &p);
	add(ps, ISSUE, 128, 4, &p);
	add(ps, ISSUE, 129, 5, &p);	/* takes the place of 1 */
	add(ps, ISSUE, 0, 6, &p);
	assert_int_equal(pairs_leftovers(ps, &d, write_seen), 0);
	assert_string_equal(d.text, "6 4 5 3 2 ");
	pairs_free(ps);
}

/* who has waited longest is forgotten, and nobody else */
static void test_bound(void **state)
{
	struct pairs *ps = pairs_new(true);
	struct pair p;

	(void)state;
	for (uint64_t i = 0; i < PAIRS_MAX + 10; i++)
		assert_int_equal(add(ps, ISSUE, i, 1 + i, &p), PAIR_WAITS);
	assert_int_equal(pairs_waiting(ps), PAIRS_MAX);
	assert_int_equal(pairs_forgotten(ps), 10);
	assert_int_equal(add(ps, COMPLETE, 10, 9999999, &p), PAIR_MATCH);
	assert_int_equal(add(ps, COMPLETE, 9, 9999999, &p), PAIR_WAITS);
	assert_int_equal(pairs_forgotten(ps), 10);
	pairs_free(ps);
}

/* the same as a search through all that wait, for random requests */
static void test_random(void **state)
{
	enum { COUNT = 20000, SECTORS = 300 };
	struct { bool here, issue; uint64_t time; } waits[SECTORS] = { 0 };
	struct pairs *ps = pairs_new(true);
	uint64_t seed = 11;
	struct pair p;

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		uint32_t at = chance(&seed) % SECTORS;
		bool issue = chance(&seed) & 1;
		uint64_t time = chance(&seed) % 1000;
		bool older = waits[at].here && waits[at].time < time;
		int got = add(ps, issue ? ISSUE : COMPLETE, at, time, &p);

		if (!waits[at].here) {
			assert_int_equal(got, PAIR_WAITS);
		} else if (waits[at].issue != issue &&
			   (older ? !issue : issue)) {
			assert_int_equal(got, PAIR_MATCH);
			waits[at].here = false;
			continue;
		} else {
			assert_int_equal(got, PAIR_MISMATCH);
			if (!older)
				continue;
		}
		waits[at].here = true;
		waits[at].issue = issue;
		waits[at].time = time;
	}
	pairs_free(ps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_tie),
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_mismatch),
		cmocka_unit_test(test_leftovers),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
