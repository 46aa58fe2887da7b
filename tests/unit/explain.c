/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings as lines for people. */
#include "findings/explain.h"
#include "findings/findings.h"
#include "findings/words.h"
#include "made_recipes.h"

static char label[] = "s\x1b" "da";
static struct device disk = { .number = 8 << 20, .label = label };
static const struct finding_names names = { .name = made_name };

/* failing requests, of which some are pushed back */
static struct findings *two_faults(void)
{
	struct made_disk d = made_plain(3);
	struct findings *f;

	make_errors(&d);
	made_run(&d);
	spoil_requeued(&d);
	f = made_findings(&d, &disk);
	assert_int_equal(findings_count(f), 2);
	return f;
}

struct printed {
	FILE *out;
	char *text;
	size_t len;
};

static void open_text(struct printed *p)
{
	p->out = open_memstream(&p->text, &p->len);
	assert_non_null(p->out);
}

static size_t longest_line(const char *text)
{
	size_t longest = 0;

	for (; *text; text += strcspn(text, "\n") + 1)
		if (strcspn(text, "\n") > longest)
			longest = strcspn(text, "\n");
	return longest;
}

/* the gravest first; lines end in time, and words stay whole */
static void test_widths(void **state)
{
	static const unsigned int widths[] = { 40, 60, 80, 200 };
	struct findings *f = two_faults();

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct printed p;

		open_text(&p);
		assert_int_equal(explain_print(p.out, f, &names, 0, 9,
					       widths[i]),
				 2);
		fclose(p.out);
		assert_true(longest_line(p.text) <= widths[i]);
		assert_memory_equal(p.text, "high     errors     s\\x1bda: ",
				    28);
		assert_non_null(strstr(p.text, "\nmedium   requeued   "));
		assert_null(strstr(p.text, "\n                    %"));
		free(p.text);
	}
	findings_free(f);
}

static void test_most(void **state)
{
	struct findings *f = two_faults();
	struct printed p;

	(void)state;
	open_text(&p);
	assert_int_equal(explain_print(p.out, f, &names, 0, 1, 80), 1);
	fclose(p.out);
	assert_null(strstr(p.text, "requeued"));
	free(p.text);
	findings_free(f);
}

/* evidence is there for what was not found, too */
static void test_evidence(void **state)
{
	struct findings *f = two_faults();
	struct printed p;

	(void)state;
	open_text(&p);
	explain_evidence(p.out, f, &names, FINDING_REQUEUED);
	explain_evidence(p.out, f, &names, FINDING_TAIL);
	fclose(p.out);
	assert_memory_equal(p.text, "requeued  s\\x1bda: found\n  count  ", 33);
	assert_non_null(strstr(p.text, "\ntail  s\\x1bda: absent\n"));
	assert_non_null(strstr(p.text, "\n  rare_ns         "));
	free(p.text);
	findings_free(f);
}

/* brackets and quotes come in pairs, and a device is as in other tables */
static void test_json(void **state)
{
	struct findings *f = two_faults();
	int open = 0, quotes = 0;
	struct printed p;

	(void)state;
	open_text(&p);
	explain_json(p.out, f, &names);
	fclose(p.out);
	for (const char *c = p.text; *c; c++) {
		open += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
		quotes += *c == '"';
	}
	assert_int_equal(open, 0);
	assert_int_equal(quotes % 2, 0);
	assert_memory_equal(p.text, "[{\"severity\":\"high\",\"rule\":\""
			    "errors\",\"device\":\"s\\u001bda\",\"sen", 56);
	free(p.text);
	findings_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
