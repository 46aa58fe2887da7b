/* SPDX-License-Identifier: GPL-2.0-only */
/* A timeline as an output: what is said in the end. */
#include "tools/btexport/formats.h"

#include <unistd.h>

#include "make.h"

/* what is written to standard error when so many ios end, into text */
static void end_with(uint64_t ios, char text[256])
{
	struct output out = { .rows = ios };
	int kept = dup(STDERR_FILENO), ends[2];
	ssize_t len;

	assert_int_equal(buf_init(&out.file.buf, -1, 4096), 0);
	assert_int_equal(timeline_begin(&out), 0);
	assert_int_equal(pipe(ends), 0);
	assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
	assert_int_equal(timeline_end(&out), 0);
	assert_true(dup2(kept, STDERR_FILENO) >= 0);
	close(kept);
	close(ends[1]);
	len = read(ends[0], text, 255);
	assert_true(len >= 0);
	text[len] = '\0';
	close(ends[0]);
	timeline_free(&out);
	buf_free(&out.file.buf);
}

static void test_too_many(void **state)
{
	char text[256];

	(void)state;
	end_with(TIMELINE_IOS, text);
	assert_string_equal(text, "");
	end_with(TIMELINE_IOS + 1, text);
	assert_non_null(strstr(text, "2000001 I/Os take some 2 GiB in a browser,"
			       " which may not have them; -w START:END"));
	end_with(10000000, text);
	assert_non_null(strstr(text, "10000000 I/Os take some 12 GiB"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
