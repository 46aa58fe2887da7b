/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of emit/sqlite_none, here whether the library is there or not. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emit/sqlite_none.c"

static void nothing_works_and_says_so(void **state)
{
	struct sqlite *s = (void *)1;
	struct sqlite_answer *a = (void *)1;

	(void)state;
	assert_int_equal(sqlite_open(&s, NULL, 1), -ENOSYS);
	assert_null(s);
	assert_string_equal(sqlite_error(s),
			    "this program was built without SQLite");
	sqlite_stop_when(s, NULL, 1);
	assert_int_equal(sqlite_table(s, NULL), -ENOSYS);
	assert_int_equal(sqlite_row(s, 0, NULL), -ENOSYS);
	assert_int_equal(sqlite_end(s, NULL), -ENOSYS);
	assert_int_equal(sqlite_ask(s, "", 0, &a), -ENOSYS);
	assert_null(a);
	assert_null(sqlite_answer_shape(a));
	assert_int_equal(sqlite_answer_next(a, NULL), -ENOSYS);
	sqlite_answer_free(a);
	sqlite_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_works_and_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
