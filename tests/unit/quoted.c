/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts and numbers in JSON and CSV, whatever they are. */
#include <math.h>

#include "emit/quoted.h"
#include "page.h"

static void test_json(void **state)
{
	struct page p;

	(void)state;
	page_init(&p);
	quoted_json(&p.out, "a \"b\" \\ \n\x01 \xc2\xb5 \xff");
	page_check(&p, "\"a \\\"b\\\" \\\\ \\u000a\\u0001 \xc2\xb5"
		   " \xef\xbf\xbd\"");
	quoted_json_number(&p.out, 0.1);
	quoted_json_number(&p.out, NAN);
	quoted_json_number(&p.out, -INFINITY);
	quoted_json_number(&p.out, 1e15);
	page_check(&p, "0.1nullnull1e+15");
	page_free(&p);
}

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
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
