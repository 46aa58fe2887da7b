/* SPDX-License-Identifier: GPL-2.0-only */
/* What is wrong with the text of an expression, and where. */
#include <errno.h>

#include "cli/where.h"
#include "expr/error.h"
#include "expr/expr.h"
#include "make.h"

static void check_error(const char *text, const char *shown)
{
	struct expr_error why = { 0, "" };
	struct expr *e = NULL;
	char buf[WHERE_MAX];

	assert_int_equal(expr_compile(&e, text, &why), -EINVAL);
	assert_null(e);
	assert_true(why.at <= strlen(text));
	where_text(buf, "--where", text, why.at, why.phrase);
	assert_string_equal(buf, shown);
}

static void test_values(void **state)
{
	(void)state;
	check_error("op==read && d2c > 5",
		    "--where: a time needs its unit (ns us ms s m)\n"
		    "  op==read && d2c > 5\n"
		    "                     ^");
	check_error("d2c>5 && error",
		    "--where: a time needs its unit (ns us ms s m)\n"
		    "  d2c>5 && error\n"
		    "       ^");
	check_error("q2c>5sec",
		    "--where: units of time are ns us ms s m\n"
		    "  q2c>5sec\n"
		    "       ^");
	check_error("size >= 64kB",
		    "--where: units of size are B K KiB M MiB G GiB sectors\n"
		    "  size >= 64kB\n"
		    "            ^");
	check_error("pid==5ms",
		    "--where: this number takes no unit\n"
		    "  pid==5ms\n"
		    "        ^");
	check_error("pid==18446744073709551616",
		    "--where: the number is too large\n"
		    "  pid==18446744073709551616\n"
		    "       ^");
	check_error("size<17179869184G",
		    "--where: the number is too large\n"
		    "  size<17179869184G\n"
		    "       ^");
	check_error("total<18446744073709551.616us",
		    "--where: the number is too large\n"
		    "  total<18446744073709551.616us\n"
		    "        ^");
	check_error("total<999999999999999999999999999999m",
		    "--where: the number is too large\n"
		    "  total<999999999999999999999999999999m\n"
		    "        ^");
	check_error("depth>1.5",
		    "--where: this must be a whole number\n"
		    "  depth>1.5\n"
		    "        ^");
	check_error("cpu==-1",
		    "--where: expected a number\n"
		    "  cpu==-1\n"
		    "       ^");
	check_error("total>0.1234us",
		    "--where: not a whole number of ns\n"
		    "  total>0.1234us\n"
		    "        ^");
	check_error("pid>11111111111111111111111111111111111",
		    "--where: the number has too many digits\n"
		    "  pid>11111111111111111111111111111111111\n"
		    "      ^");
}

static void test_names(void **state)
{
	(void)state;
	check_error("op == reed",
		    "--where: op is read write flush discard zero zone "
		    "passthrough or other\n"
		    "  op == reed\n"
		    "        ^");
	check_error("process>fio",
		    "--where: names are compared by == and != only\n"
		    "  process>fio\n"
		    "         ^");
	check_error("process== && sync",
		    "--where: expected a name\n"
		    "  process== && sync\n"
		    "            ^");
	check_error("cgroup==\"/a b",
		    "--where: unclosed quote\n"
		    "  cgroup==\"/a b\n"
		    "          ^");
}

static void test_words(void **state)
{
	(void)state;
	check_error("",
		    "--where: expected a field or flag\n"
		    "  \n"
		    "  ^");
	check_error("sync && latency>5ms",
		    "--where: unknown field or flag\n"
		    "  sync && latency>5ms\n"
		    "          ^");
	check_error("error==1",
		    "--where: a flag has no value\n"
		    "  error==1\n"
		    "       ^");
	check_error("open != 1",
		    "--where: a flag has no value\n"
		    "  open != 1\n"
		    "       ^");
	check_error("!q2c",
		    "--where: expected a comparison (== != < <= > >=)\n"
		    "  !q2c\n"
		    "      ^");
	check_error("pid=5",
		    "--where: equal is ==\n"
		    "  pid=5\n"
		    "     ^");
}

static void test_joins(void **state)
{
	(void)state;
	check_error("error sync",
		    "--where: expected && or ||\n"
		    "  error sync\n"
		    "        ^");
	check_error("error & sync",
		    "--where: and is &&\n"
		    "  error & sync\n"
		    "        ^");
	check_error("(error | sync)",
		    "--where: or is ||\n"
		    "  (error | sync)\n"
		    "         ^");
	check_error("sync || (error && (gap)",
		    "--where: unclosed bracket\n"
		    "  sync || (error && (gap)\n"
		    "          ^");
	check_error("(error sync)",
		    "--where: expected &&, || or )\n"
		    "  (error sync)\n"
		    "         ^");
	check_error("error) && sync",
		    "--where: unexpected )\n"
		    "  error) && sync\n"
		    "       ^");
	check_error("error &&",
		    "--where: expected a field or flag\n"
		    "  error &&\n"
		    "          ^");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_joins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
