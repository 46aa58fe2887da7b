/* SPDX-License-Identifier: GPL-2.0-only */
/* Rolling means: of what is less than the window back, without gaps. */
#include <math.h>

#include "make.h"
#include "tools/iowatcher/figure.h"

static void test_window(void **state)
{
	const double x[] = { 0, 1, 2, 3, 10 };
	double y[] = { 4, 8, NAN, 6, 1 };

	(void)state;
	smooth(x, y, 5, 2);
	assert_true(y[0] == 4 && y[1] == 6 && isnan(y[2]));
	assert_true(y[3] == 6 && y[4] == 1);
	smooth(x, y, 5, 100);
	assert_true(y[4] == 17.0 / 4);
	smooth(x, y, 0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
