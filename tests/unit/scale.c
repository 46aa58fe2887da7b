/* SPDX-License-Identifier: GPL-2.0-only */
/* Axes: round ticks, none twice, within the ends. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "make.h"
#include "stat/scale.h"

static void check_ticks(double low, double high, unsigned int ticks,
			const char *expected)
{
	struct scale s;
	char text[256];
	size_t at = 0;

	scale_set(&s, low, high, ticks);
	text[0] = '\0';
	for (unsigned int i = 0; i < s.ticks; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%.*f",
				       i ? " " : "", (int)s.decimals,
				       scale_tick(&s, i));
	assert_string_equal(text, expected);
}

static void test_ticks(void **state)
{
	(void)state;
	check_ticks(0, 6, 9, "0 1 2 3 4 5 6");
	check_ticks(0, 65, 9, "0 10 20 30 40 50 60");
	check_ticks(1, 4, 9, "1.0 1.5 2.0 2.5 3.0 3.5 4.0");
	check_ticks(0, 1, 5, "0.00 0.25 0.50 0.75 1.00");
	check_ticks(0, 0.0003, 5, "0.0000 0.0001 0.0002 0.0003");
	check_ticks(12.3, 12.9, 4, "12.4 12.6 12.8");
	check_ticks(0, 3e9, 4, "0 1000000000 2000000000 3000000000");
}

static void test_up_to(void **state)
{
	struct scale s;

	(void)state;
	scale_set_up_to(&s, 97, 5);
	assert_true(s.high == 100 && s.step == 25 && s.ticks == 5);
	scale_set_up_to(&s, 1, 5);
	assert_true(s.high == 1 && s.ticks == 5 && s.decimals == 2);
	scale_set_up_to(&s, 100, 5);
	assert_true(s.high == 100 && s.ticks == 5);
	/* nothing to show is still an axis */
	scale_set_up_to(&s, 0, 5);
	assert_true(s.high == 1 && s.ticks == 5);
	scale_set_up_to(&s, NAN, 5);
	assert_true(s.high == 1);
}

static void test_places(void **state)
{
	struct scale s;

	(void)state;
	scale_set(&s, 10, 20, 5);
	scale_place(&s, 310, 60);
	assert_true(scale_at(&s, 10) == 310 && scale_at(&s, 20) == 60);
	assert_true(scale_at(&s, 15) == 185);
	assert_true(scale_at(&s, 5) == 310 && scale_at(&s, 99) == 60);
	assert_true(scale_at(&s, NAN) == 310);
}

/* Compilers evaluate arguments in any order: these are the same on all
 * machines. */
static double any_number(uint64_t *seed, unsigned int least)
{
	int power = (int)(chance(seed) % 60) - 30;

	return ldexp((double)(least + chance(seed) % 1000), power);
}

/* Whatever the ends: the ticks rise, and are within them. */
static void test_any_ends(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double low = any_number(&seed, 0), span = any_number(&seed, 1);
		unsigned int most = 2 + (unsigned int)(chance(&seed) % 12);
		struct scale s;

		scale_set(&s, low, low + span, most);
		assert_true(s.ticks <= most);
		for (unsigned int k = 0; k < s.ticks; k++) {
			double tick = scale_tick(&s, k);

			assert_true(tick > s.low - s.step / 1000);
			assert_true(tick < s.high + s.step / 1000);
		}
		scale_set_up_to(&s, span, most);
		assert_true(s.high > span * (1 - 1e-5) && s.ticks >= 2 &&
			    s.ticks <= most);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_up_to),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_any_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
