/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers: always the same ones, and each as likely as the others. */
#include <math.h>

#include "base/random.h"
#include "make.h"

/* the published generator's first numbers for this seed */
static void test_known(void **state)
{
	static const uint64_t want[] = {
		UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
		UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
	};
	struct random r;

	(void)state;
	random_init(&r, 1234567);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(random_next(&r), want[i]);
}

/* each of seven in a seventh of the cases, within five deviations */
static void test_even(void **state)
{
	enum { DRAWS = 70000, BELOW = 7 };
	unsigned int seen[BELOW] = { 0 };
	struct random r;

	(void)state;
	random_init(&r, 1);
	for (unsigned int i = 0; i < DRAWS; i++) {
		uint32_t pick = random_below(&r, BELOW);

		assert_true(pick < BELOW);
		seen[pick]++;
	}
	for (unsigned int i = 0; i < BELOW; i++)
		assert_in_range(seen[i], 9537, 10463);
}

/* a limit that does not divide 2^32 leaves the upper half no rarer */
static void test_large(void **state)
{
	const uint32_t below = UINT32_C(0xc0000000);
	unsigned int upper = 0;
	struct random r;

	(void)state;
	random_init(&r, 2);
	for (unsigned int i = 0; i < 10000; i++)
		upper += random_below(&r, below) >= below / 3 * 2;
	assert_in_range(upper, 3098, 3569);
	assert_int_equal(random_below(&r, 1), 0);
}

static void test_part(void **state)
{
	struct random r;
	double sum = 0;

	(void)state;
	random_init(&r, 3);
	for (unsigned int i = 0; i < 10000; i++) {
		double part = random_part(&r);

		assert_true(part >= 0 && part < 1);
		sum += part;
	}
	assert_true(fabs(sum / 10000 - 0.5) < 0.015);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_even),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
