/* SPDX-License-Identifier: GPL-2.0-only */
/* The tournament: the winner is always who sorting would put first. */
#include "base/bracket.h"
#include "make.h"

static bool is_before(const struct bracket *b, uint32_t x, uint32_t y)
{
	if (b->times[x] != b->times[y])
		return b->times[x] < b->times[y];
	return b->stamps[x] < b->stamps[y];
}

/* nobody is before the winner, who is one of the players */
static void check_winner(const struct bracket *b, uint32_t players)
{
	assert_true(bracket_winner(b) < players);
	for (uint32_t i = 0; i < players; i++)
		assert_false(is_before(b, i, bracket_winner(b)));
}

/* the runner-up's time is the earliest of all but the winner */
static void check_runner_up(const struct bracket *b, uint32_t players)
{
	uint64_t time = BRACKET_OUT;

	for (uint32_t i = 0; i < players; i++)
		if (i != bracket_winner(b) && b->times[i] < time)
			time = b->times[i];
	assert_int_equal(bracket_runner_up(b), time);
}

/* random times set at random, for every number of players up to 20 */
static void test_random(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (uint32_t players = 1; players <= 20; players++) {
		struct bracket b;

		assert_int_equal(bracket_init(&b, players), 0);
		for (uint64_t i = 0; i < 500; i++) {
			uint32_t player = chance(&seed) % players;

			if (chance(&seed) % 10)
				bracket_set(&b, player, chance(&seed) % 10,
					    1000 - i);
			else
				bracket_set(&b, player, BRACKET_OUT,
					    BRACKET_OUT);
			check_winner(&b, players);
			check_runner_up(&b, players);
		}
		bracket_free(&b);
	}
}

/* among equal times the lowest stamp wins, wherever its player stands */
static void test_ties(void **state)
{
	static const uint64_t stamps[] = { 9, 3, 8, 1 };
	static const uint32_t winners[] = { 3, 1, 2, 0 };
	struct bracket b;

	(void)state;
	assert_int_equal(bracket_init(&b, 4), 0);
	for (uint32_t i = 0; i < 4; i++)
		bracket_set(&b, i, 5, stamps[i]);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(bracket_winner(&b), winners[i]);
		bracket_set(&b, winners[i], BRACKET_OUT, BRACKET_OUT);
	}
	bracket_free(&b);
}

/* a player with the last time there is still goes before one that is out */
static void test_last_time(void **state)
{
	struct bracket b;

	(void)state;
	assert_int_equal(bracket_init(&b, 3), 0);
	bracket_set(&b, 0, 1, 0);
	bracket_set(&b, 2, UINT64_MAX, 7);
	assert_int_equal(bracket_winner(&b), 0);
	bracket_set(&b, 0, BRACKET_OUT, BRACKET_OUT);
	assert_int_equal(bracket_winner(&b), 2);
	bracket_free(&b);
}

/* sorts 256 lists, as a trace of 256 CPUs is */
static void test_many(void **state)
{
	enum { PLAYERS = 256, EACH = 50 };
	uint64_t seed = 13, last = 0;
	int left[PLAYERS];
	struct bracket b;

	(void)state;
	assert_int_equal(bracket_init(&b, PLAYERS), 0);
	for (uint32_t i = 0; i < PLAYERS; i++) {
		left[i] = EACH;
		bracket_set(&b, i, chance(&seed) % 99, i);
	}
	for (int i = 0; i < PLAYERS * EACH; i++) {
		uint32_t w = bracket_winner(&b);
		uint64_t time = b.times[w];

		assert_true(time >= last && left[w] > 0);
		last = time;
		if (--left[w])
			bracket_set(&b, w, time + chance(&seed) % 99, w);
		else
			bracket_set(&b, w, BRACKET_OUT, BRACKET_OUT);
	}
	assert_int_equal(b.times[bracket_winner(&b)], BRACKET_OUT);
	bracket_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_last_time),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
