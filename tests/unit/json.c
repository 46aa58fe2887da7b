/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON in one line: nesting, numbers, texts from outside. */
#include <math.h>

#include "base/json.h"
#include "page.h"

static void test_numbers(void **state)
{
	struct page p;
	struct json j = { .b = &p.out };

	(void)state;
	page_init(&p);
	json_put_array(&j, NULL);
	json_put_number(&j, NULL, UINT64_MAX);
	json_put_signed(&j, NULL, -1);
	json_put_real(&j, NULL, 0.1234567);
	json_put_real(&j, NULL, 12345678.9);
	json_put_measured(&j, NULL, 1234.567891);
	json_put_measured(&j, NULL, 1e15);
	json_put_measured(&j, NULL, NAN);
	json_put_measured(&j, NULL, -INFINITY);
	json_put_array_end(&j);
	page_check(&p, "[18446744073709551615,-1,0.123457,12345679,"
		   "1234.567891,1e+15,null,null]");
	page_free(&p);
}

static void test_texts(void **state)
{
	struct page p;
	struct json j = { .b = &p.out, .page = true };

	(void)state;
	page_init(&p);
	json_put_object(&j, NULL);
	json_put_string(&j, "a", "\"\\</script>\x01\xff\xc2\xb5");
	json_put_string(&j, "b", NULL);
	json_put_object(&j, "c");
	json_put_bool(&j, "d", true);
	json_put_object_end(&j);
	json_put_text(&j, "e", "fgh", 2);
	json_put_object_end(&j);
	page_check(&p, "{\"a\":\"\\\"\\\\\\u003c/script>\xef\xbf\xbd"
		   "\xef\xbf\xbd\xc2\xb5\",\"b\":null,\"c\":{\"d\":true},"
		   "\"e\":\"fg\"}");
	page_free(&p);
}

/* what hides on a page reaches programs, as it is or escaped */
static void test_hidden(void **state)
{
	static const char text[] = "\x1b\x7f<\xc2\x85\xe2\x80\xae\xff\xe2\x80";
	struct page p;
	struct json j = { .b = &p.out }, page = { .b = &p.out, .page = true };

	(void)state;
	page_init(&p);
	json_put_text(&j, NULL, text, sizeof(text));
	json_put_string(&page, NULL, text);
	page_check(&p, "\"\\u001b\\u007f<\xc2\x85\xe2\x80\xae"
		   "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\\u0000\""
		   "\"\xef\xbf\xbd\xef\xbf\xbd\\u003c\xef\xbf\xbd"
		   "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
