/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as pages show them; tests/script.t asks the script for the same. */
#include <math.h>

#include "figures.h"
#include "make.h"
#include "report/markup.h"

static struct figure figure_of(enum figure_kind kind, double v)
{
	switch (kind) {
	case COUNT: return figure_count((uint64_t)v);
	case DECIMAL: return figure_decimal(v);
	case TIME: return figure_time(v);
	case SIZE: return figure_size(v);
	default: return figure_share(v, 1);
	}
}

/* with ~ for thin spaces */
static void plain(char *to, const char *text)
{
	while (*text) {
		bool thin = !strncmp(text, THIN, strlen(THIN));

		*to++ = thin ? '~' : *text;
		text += thin ? strlen(THIN) : 1;
	}
	*to = '\0';
}

static void test_figures(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		char text[FIGURE_TEXT_MAX], got[FIGURE_TEXT_MAX];

		plain(got, figure_text(text, figure_of(figures[i].kind,
						       figures[i].value)));
		assert_string_equal(got, figures[i].text);
	}
}

/* three digits as printf(3) has them, but halves go up */
static void test_rounding(void **state)
{
	char wanted[64];

	(void)state;
	for (unsigned int i = 0; i < 99900; i++) {
		/* steps of quarters of the last digit, and some next to them */
		double n = (double)(4 * 100 + i % 3600) / 4;
		double part = 1e-7 * (i % 7 - 3);
		double v = (n + (i % 2 ? part : 0)) / (i % 5 == 0 ? 1 :
			   i % 5 == 1 ? 10 : i % 5 == 2 ? 100 :
			   i % 5 == 3 ? 1000 : 100000);
		char digits[64];

		if (v >= 999.5)
			continue;
		snprintf(digits, sizeof(digits), "%.19e", v);
		snprintf(wanted, sizeof(wanted), "%.3g",
			 strncmp(digits + 4, "5000000000000000", 16) ? v :
			 nextafter(v, INFINITY));
		assert_string_equal(figure_decimal(v).value, wanted);
	}
}

static void test_nothing(void **state)
{
	char text[FIGURE_TEXT_MAX];

	(void)state;
	assert_string_equal(figure_text(text, figure_none()), DASH);
	assert_string_equal(figure_text(text, figure_share(0, 0)), DASH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
