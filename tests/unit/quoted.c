/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts and numbers in CSV, whatever they are. */
#include <math.h>

#include "emit/sink.h"
#include "page.h"

static void test_csv(void **state)
{
	struct page p;

	(void)state;
	page_init(&p);
	quoted_csv(&p.out, "plain");
	quoted_csv(&p.out, "a,\"b\"\n\xff");
	page_check(&p, "plain\"a,\"\"b\"\"\n\xef\xbf\xbd\"");
	quoted_csv_number(&p.out, 1234567);
	quoted_csv_number(&p.out, NAN);
	page_check(&p, "1234567");
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
