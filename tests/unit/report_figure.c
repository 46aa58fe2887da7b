/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as pages show them; tests/script.t asks the script for the same. */
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
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
