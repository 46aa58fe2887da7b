/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings that only one side of a comparison has. */
#include "base/buf.h"
#include "findings/findings.h"
#include "findings/words.h"
#include "made_recipes.h"
#include "tools/btstat/versus.h"

static char label[] = "sda";
static struct device disk = { .number = 8 << 20, .label = label };
static const struct finding_names names = { .name = made_name };

enum fault { HEALTHY, ERRORS = 1, REQUEUED = 2 };

/* a run with these faults */
static void add(struct contrast *c, enum compare_side side, const char *run,
		unsigned int faults)
{
	struct made_disk d = made_plain(3);
	struct findings *f;

	if (faults & ERRORS)
		make_errors(&d);
	else
		make_clean(&d);
	made_run(&d);
	if (faults & REQUEUED)
		spoil_requeued(&d);
	f = made_findings(&d, &disk);
	assert_int_equal(findings_count(f),
			 !!(faults & ERRORS) + !!(faults & REQUEUED));
	assert_int_equal(contrast_add(c, side, run, f, &names), 0);
	findings_free(f);
}

static char *text_of(const struct contrast *c,
		     void (*write)(const struct contrast *, struct buf *),
		     struct buf *b)
{
	char *end;

	assert_int_equal(buf_init(b, -1, 1 << 16), 0);
	write(c, b);
	end = buf_room(b, 1);
	assert_non_null(end);
	*end = 0;
	return b->data;
}

static void test_none(void **state)
{
	struct contrast c = { .width = 80 };
	struct buf b;

	(void)state;
	add(&c, COMPARE_A, "a", ERRORS);
	add(&c, COMPARE_B, "b", ERRORS);
	assert_string_equal(text_of(&c, contrast_print, &b), "");
	buf_free(&b);
	assert_string_equal(text_of(&c, contrast_json, &b), "[]");
	buf_free(&b);
	contrast_free(&c);
}

static void test_sides(void **state)
{
	struct contrast c = { .width = 80 };
	struct buf b;
	char *text;

	(void)state;
	add(&c, COMPARE_A, "a", ERRORS);
	add(&c, COMPARE_B, "b", REQUEUED);
	text = text_of(&c, contrast_print, &b);
	assert_memory_equal(text, "\nfound in A only:\nhigh     errors ", 33);
	text = strstr(text, "\n\nfound in B only:\nmedium   requeued ");
	assert_non_null(text);
	assert_non_null(strstr(text, " sda: "));
	assert_null(strstr(text, "errors  "));
	assert_null(strstr(text, " runs"));
	buf_free(&b);
	contrast_free(&c);
}

/* a rule that one run has is on that side */
static void test_runs(void **state)
{
	struct contrast c = { .width = 80 };
	struct buf b;
	char *text;

	(void)state;
	add(&c, COMPARE_A, "a1", HEALTHY);
	add(&c, COMPARE_A, "a\0332", ERRORS | REQUEUED);
	add(&c, COMPARE_A, "a3", ERRORS);
	add(&c, COMPARE_A, "a4", HEALTHY);
	add(&c, COMPARE_B, "b1", HEALTHY);
	add(&c, COMPARE_B, "b2", REQUEUED);
	text = text_of(&c, contrast_print, &b);
	assert_non_null(strstr(text, "in 2 of 4 runs, first in a\\x1b2:\n"
			       "high     errors "));
	assert_null(strchr(text, '\033'));
	assert_null(strstr(text, "requeued"));
	assert_null(strstr(text, "B only"));
	buf_free(&b);
	text = text_of(&c, contrast_json, &b);
	assert_memory_equal(text, "[\n{\"side\":\"a\",\"run\":\"a\\u001b2\","
			    "\"runs\":2,\"severity\":\"high\",", 58);
	assert_int_equal(strcmp(text + strlen(text) - 3, "]}]"), 0);
	buf_free(&b);
	contrast_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_sides),
		cmocka_unit_test(test_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
