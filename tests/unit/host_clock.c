/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine's clock by notes and cards: drift, steps, and how far it is right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "machine/card.h"
#include "run/host_clocks.h"

#define SECOND UINT64_C(1000000000)
#define WALL (UINT64_C(1700000000) * SECOND)

/* The clock by a card whose pairs are these; end_wall 0: it has no end. */
static struct host_clock find(uint64_t wall, uint64_t time, uint64_t end_wall,
			      uint64_t end_time, uint64_t noted)
{
	char text[512], why[CARD_WHY];
	struct host_clock c;
	struct card *card;
	int len = snprintf(text, sizeof(text), "{\"clock\":{\"start\":{"
		"\"realtime_ns\":%llu,\"monotonic_ns\":%llu,"
		"\"synchronised\":true,\"maxerror_us\":7}",
		(unsigned long long)wall, (unsigned long long)time);

	if (end_wall)
		len += snprintf(text + len, sizeof(text) - (size_t)len,
			",\"end\":{\"realtime_ns\":%llu,"
			"\"monotonic_ns\":%llu,\"maxerror_us\":9}",
			(unsigned long long)end_wall,
			(unsigned long long)end_time);
	snprintf(text + len, sizeof(text) - (size_t)len, "}}");
	assert_int_equal(card_parse(&card, text, strlen(text), why), 0);
	host_clock_find(&c, noted, noted, card);
	card_free(card);
	return c;
}

static void test_notes(void **state)
{
	struct host_clock c;

	(void)state;
	host_clock_find(&c, true, WALL, NULL);
	assert_true(c.known && !c.foreign);
	assert_true(host_clock_wall(&c, 5) == WALL + 5);
	assert_true(c.error == HOST_CLOCK_UNKNOWN);
	host_clock_find(&c, false, 0, NULL);
	assert_false(c.known);
}

/* the card's pair is the better one, if it is of the same time at all */
static void test_card(void **state)
{
	struct host_clock c = find(WALL, SECOND, 0, 0, WALL - SECOND + 300);

	(void)state;
	assert_true(c.known && !c.foreign);
	assert_true(host_clock_wall(&c, SECOND) == WALL);
	assert_true(c.error == 7000);
	c = find(WALL, SECOND, WALL + SECOND, 2 * SECOND, 0);
	assert_true(c.known && c.drift == 0 && c.step == 0);
	assert_true(c.error == 9000);
	c = find(WALL, SECOND, 0, 0, WALL + 10 * SECOND);
	assert_true(c.known && c.foreign);
	assert_true(host_clock_wall(&c, 0) == WALL + 10 * SECOND);
	assert_true(c.error == HOST_CLOCK_UNKNOWN);
}

/* 20 ppm: 2 ms of 100 s */
static void test_drift(void **state)
{
	struct host_clock c = find(WALL, SECOND, WALL + 100002000000,
				   101 * SECOND, 0);

	(void)state;
	assert_int_equal(c.step, 0);
	assert_true(host_clock_wall(&c, SECOND) == WALL);
	assert_true(host_clock_wall(&c, 51 * SECOND) ==
		    WALL + 50001000000);
	assert_true(host_clock_wall(&c, 101 * SECOND) ==
		    WALL + 100002000000);
	/* before the first pair */
	assert_true(host_clock_wall(&c, 0) == WALL - 1000020000);
	c = find(WALL, SECOND, WALL + 99998000000, 101 * SECOND, 0);
	assert_true(host_clock_wall(&c, 51 * SECOND) ==
		    WALL + 49999000000);
}

/* what is more than a clock can drift was set */
static void test_step(void **state)
{
	struct host_clock c = find(WALL, SECOND, WALL - 2 * SECOND,
				   2 * SECOND, 0);

	(void)state;
	assert_true(c.step == -3 * (int64_t)SECOND && c.drift == 0);
	assert_true(host_clock_wall(&c, 2 * SECOND) == WALL + SECOND);
	c = find(WALL, SECOND, WALL + 3 * SECOND, 2 * SECOND, 0);
	assert_true(c.step == 2 * (int64_t)SECOND);
	/* two readings of a short trace are not that exact */
	c = find(WALL, SECOND, WALL + 50000, SECOND + 1000, 0);
	assert_true(c.step == 0 && c.drift == 0);
	/* nonsense */
	c = find(WALL, SECOND, WALL, 0, 0);
	assert_true(c.known && c.step == 0 && c.drift == 0);
	c = find(UINT64_C(9223372036854775807), 0, 1,
		 UINT64_C(9223372036854775807), 0);
	assert_true(c.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_card),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_step),
	};
	const struct CMUnitTest without[] = {
		cmocka_unit_test(test_notes),
	};

	return card_is_readable() ? cmocka_run_group_tests(tests, NULL, NULL) :
				    cmocka_run_group_tests(without, NULL, NULL);
}
