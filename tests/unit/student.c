/* SPDX-License-Identifier: GPL-2.0-only */
/* Student's t, beside the tables of every statistics book. */
#include <math.h>

#include "compare/boot.h"
#include "make.h"

static void test_table(void **state)
{
	static const struct {
		double confidence;
		unsigned int freedom;
		double want;
	} rows[] = {
		{ 0.95, 1, 12.706 }, { 0.95, 2, 4.303 }, { 0.95, 3, 3.182 },
		{ 0.95, 4, 2.776 }, { 0.95, 6, 2.447 }, { 0.95, 10, 2.228 },
		{ 0.95, 14, 2.145 }, { 0.95, 29, 2.045 }, { 0.95, 30, 2.042 },
		{ 0.95, 62, 1.999 }, { 0.95, 254, 1.969 },
		{ 0.99, 5, 4.032 }, { 0.99, 120, 2.617 }, { 0.5, 1, 1.000 },
		{ 0.95, 4000000000, 1.960 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double got = student_reach(rows[i].confidence,
					   rows[i].freedom);

		if (fabs(got - rows[i].want) > 0.0006)
			fail_msg("%g with %u: %.4f, not %.3f",
				 rows[i].confidence, rows[i].freedom, got,
				 rows[i].want);
		assert_true(fabs(student_within(got, rows[i].freedom) -
				 rows[i].confidence) < 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
