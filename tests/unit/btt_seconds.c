/* SPDX-License-Identifier: GPL-2.0-only */
/* Times as text: digit for digit what printf() makes of the doubles. */
#include <math.h>

#include "make.h"
#include "rounds.h"
#include "tools/btt/seconds.h"

static void check_all(uint64_t ns)
{
	char got[SECONDS_MAX], want[SECONDS_MAX];

	*seconds_nano(got, ns, 15) = '\0';
	snprintf(want, sizeof(want), "%15.9f", seconds_of_time(ns));
	assert_string_equal(got, want);
	*seconds_nano(got, ns, 0) = '\0';
	snprintf(want, sizeof(want), "%.9f", seconds_of_time(ns));
	assert_string_equal(got, want);
	*seconds_micro_time(got, ns) = '\0';
	snprintf(want, sizeof(want), "%f", seconds_of_time(ns));
	assert_string_equal(got, want);
	*seconds_micro_span(got, ns) = '\0';
	snprintf(want, sizeof(want), "%f", seconds_of_span(ns));
	assert_string_equal(got, want);
	*seconds_stamp(got, ns, 5) = '\0';
	snprintf(want, sizeof(want), "%5d.%09lu", (int)(ns / NS_PER_SECOND),
		 (unsigned long)(ns % NS_PER_SECOND));
	assert_string_equal(got, want);
}

/* around all powers of two and ten, and halves of microseconds there */
static void test_edges(void **state)
{
	(void)state;
	for (uint64_t power = 1; power < (uint64_t)1 << 62; power *= 2)
		for (uint64_t ns = power - 1; ns <= power + 1; ns++)
			check_all(ns);
	for (uint64_t power = 1000; power < (uint64_t)1 << 62; power *= 10) {
		check_all(power - 1);
		check_all(power);
		check_all(power - 500);
		check_all(power + 500);
		check_all(power + 1500);
	}
	check_all(0);
	check_all(NEVER);
	check_all((NS_PER_SECOND << 20) - 1);
	check_all((NS_PER_SECOND << 22) - 1);
	check_all(NS_PER_SECOND << 22);
}

static void test_chance(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < rounds(100000); i++) {
		uint64_t ns = (uint64_t)chance(&seed) << 32 | chance(&seed);

		ns >>= chance(&seed) % 64;
		check_all(ns);
		check_all(ns / 1000 * 1000 + 500);
	}
}

/* shorter than that is below, that is not: as a double would be compared */
static void test_to_span(void **state)
{
	static const double seconds[] = { 0.1, 0.005, 1e-9, 1, 2.5, 1e6 };

	(void)state;
	for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
		uint64_t ns = seconds_to_span(seconds[i]);

		assert_false(seconds_of_time(ns) < seconds[i]);
		assert_true(seconds_of_time(ns - 1) < seconds[i]);
	}
	assert_int_equal(seconds_to_span(0), 0);
	assert_int_equal(seconds_to_span(-1), 0);
	assert_int_equal(seconds_to_span(NAN), 0);
	assert_int_equal(seconds_to_span(INFINITY), UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_chance),
		cmocka_unit_test(test_to_span),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
