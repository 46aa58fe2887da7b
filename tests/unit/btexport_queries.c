/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of tools/btexport/queries. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "tools/btexport/queries.h"

static const char *const names[] = {
	"latency", "phases", "processes", "cgroups", "throughput", "depth",
	"slowest", "seeks", "slo", "heatmap", "merged", "open", "list", NULL
};

static void all_are_named(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; names[i]; i++)
		assert_string_equal(queries_word(i), names[i]);
	assert_null(queries_word(i));
	assert_null(queries_word(i + 1));
}

/* each engine has each of them, with a line of words, and one statement */
static void engines_have_the_same(void **state)
{
	unsigned int i, engine;

	(void)state;
	for (engine = 0; engine < DDL_ENGINES; engine++) {
		const char *at = queries_text((enum ddl_engine)engine);

		for (i = 0; names[i + 1]; i++) {
			char mark[64];

			snprintf(mark, sizeof(mark), "\n-- name: %s\n-- ",
				 names[i]);
			at = strstr(at, mark);
			assert_non_null(at);
			at += strlen(mark);
		}
		assert_null(strstr(at, "\n-- name: "));
	}
}

static void each_is_found(void **state)
{
	struct query q;
	unsigned int i;

	(void)state;
	for (i = 0; names[i + 1]; i++) {
		assert_true(query_find(&q, names[i]));
		assert_true(q.words_len > 10 && q.words_len <= 68);
		assert_null(memchr(q.words, '\n', q.words_len));
		assert_ptr_equal(memmem(q.sql, q.sql_len, ";", 1),
				 q.sql + q.sql_len -
				 (q.sql[q.sql_len - 1] == '\n') - 1);
	}
	assert_false(query_find(&q, "list"));
	assert_false(query_find(&q, ""));
	assert_false(query_find(&q, "laten"));
	assert_false(query_find(&q, "latency2"));
}

static void what_they_are_about(void **state)
{
	struct query q;

	(void)state;
	assert_true(query_find(&q, "latency"));
	assert_int_equal(strncmp(q.sql, "WITH ranked", 11), 0);
	assert_true(query_reads(&q, "ios"));
	assert_false(query_reads(&q, "latency"));
	assert_true(query_names(&q, "host"));
	assert_true(query_names(&q, "total_ns"));
	assert_false(query_names(&q, "total"));
	assert_false(query_names(&q, "ns"));
	assert_false(query_names(&q, "sector"));
	assert_true(query_find(&q, "merged"));
	assert_true(query_reads(&q, "latency"));
	assert_false(query_reads(&q, "ios"));
	assert_true(query_names(&q, "high_ns"));
	assert_true(query_names(&q, "count"));
	assert_false(query_names(&q, "low_ns"));
}

static void list_has_a_line_each(void **state)
{
	static const char first[] = "latency     how long ios took";
	struct buf b;
	size_t i, lines = 0;

	(void)state;
	assert_int_equal(buf_init(&b, -1, 4096), 0);
	queries_list(&b);
	assert_memory_equal(b.data, first, strlen(first));
	for (i = 0; i < b.len; i++)
		lines += b.data[i] == '\n';
	assert_int_equal(lines, sizeof(names) / sizeof(*names) - 2);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_named),
		cmocka_unit_test(engines_have_the_same),
		cmocka_unit_test(each_is_found),
		cmocka_unit_test(what_they_are_about),
		cmocka_unit_test(list_has_a_line_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
