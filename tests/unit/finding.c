/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings in words. */
#include "emit/finding.h"
#include "make.h"
#include "request/io.h"
#include "trace/device.h"

static struct device disk = { .number = 8 << 20, .label = (char *)"sda" };

static const char *name_of(const void *names, uint16_t origin, uint32_t pid)
{
	(void)names;
	(void)origin;
	return pid == 1 ? "postgres" : pid == 2 ? "\x1b[31m{of}" : NULL;
}

static const struct finding_names people = { name_of, NULL };

static struct finding make(enum finding_rule rule)
{
	struct finding f = { .rule = rule, .disk = &disk };

	memset(f.numbers, 0xff, sizeof(f.numbers));
	return f;
}

static void check_sentence(const struct finding *f, const char *want)
{
	char text[FINDING_TEXT_MAX];

	assert_int_equal(finding_sentence(text, f, &people), strlen(want));
	assert_string_equal(text, want);
}

static void check_command(const struct finding *f, const char *want)
{
	char text[FINDING_TEXT_MAX];

	assert_int_equal(finding_command(text, f), strlen(want));
	assert_string_equal(text, want);
}

static struct finding stall(void)
{
	struct finding f = make(FINDING_STALL);

	f.numbers[FINDING_LONGEST] = 300000000;
	f.numbers[FINDING_FROM] = 4999400000;
	f.numbers[FINDING_COUNT] = 174;
	f.numbers[FINDING_USUAL] = 620000;
	f.numbers[FINDING_LOOK_FROM] = 4799400000;
	f.numbers[FINDING_LOOK_UNTIL] = 5499400000;
	return f;
}

/* what stands in brackets comes with its number only */
static void test_stall(void **state)
{
	struct finding f = stall();

	(void)state;
	check_sentence(&f, "for 300ms from 4.999 s on nothing completed, with "
		       "174 requests waiting (9 in 10 take 620us)");
	f.numbers[FINDING_TIMES] = 3;
	check_sentence(&f, "for 300ms from 4.999 s on nothing completed, with "
		       "174 requests waiting (9 in 10 take 620us); 3 such "
		       "times");
	check_command(&f, "btstat -w 4.79:5.49 --heatmap");
}

/* a name can neither harm a terminal nor be taken for a number */
static void test_names(void **state)
{
	struct finding f = make(FINDING_MISALIGNED);

	(void)state;
	f.numbers[FINDING_SHARE] = 91;
	f.numbers[FINDING_BLOCK] = 4096;
	check_sentence(&f, "9.1 % of the writes do not begin and end at "
		       "borders of 4.00K: a device with such blocks must read "
		       "first");
	f.numbers[FINDING_PID] = 2;
	check_sentence(&f, "9.1 % of the writes do not begin and end at "
		       "borders of 4.00K (\\x1b[31m{of}): a device with such "
		       "blocks must read first");
	f.numbers[FINDING_PID] = 1;
	f.numbers[FINDING_PID2] = 77;
	f.numbers[FINDING_SHARE] = 996;
	check_sentence(&f, "100 % of the writes do not begin and end at "
		       "borders of 4.00K (postgres and pid 77): a device with "
		       "such blocks must read first");
}

static void test_errors(void **state)
{
	struct finding f = make(FINDING_ERRORS);

	(void)state;
	f.numbers[FINDING_COUNT] = 7;
	f.numbers[FINDING_OF] = 1000;
	f.numbers[FINDING_ERRNO] = 5;
	f.numbers[FINDING_ERRORS1] = 6;
	f.numbers[FINDING_ERRNO2] = 200;
	f.numbers[FINDING_ERRORS2] = 1;
	f.numbers[FINDING_FIRST] = 8;
	f.numbers[FINDING_LAST] = UINT64_MAX - 1;
	f.numbers[FINDING_PID] = 1;
	check_sentence(&f, "7 of 1000 ios failed (6 x EIO, 1 x error 200), "
		       "sectors 8 to 18446744073709551614, from postgres");
}

/* the device's directory, if its name can stand in a command */
static void test_queue(void **state)
{
	struct finding f = make(FINDING_SCHEDULER_HOLDS);
	struct device other = { .number = 254 << 20 | 16 };

	(void)state;
	check_command(&f, "cat /sys/block/sda/queue/scheduler");
	f.disk = &other;
	check_command(&f, "cat /sys/dev/block/254:16/queue/scheduler");
	other.label = (char *)"x;reboot";
	check_command(&f, "cat /sys/dev/block/254:16/queue/scheduler");
	other.label = (char *)"../../x";
	other.number = 0;
	check_command(&f, "cat /sys/block/DEV/queue/scheduler");
}

/* each rule has its words, and each number a key */
static void test_all(void **state)
{
	char text[FINDING_TEXT_MAX], key[FINDING_TEXT_MAX];

	(void)state;
	for (int rule = 0; rule < FINDING_RULES; rule++) {
		struct finding f = make(rule);

		assert_int_equal(finding_rule_find(finding_rule_name(rule)),
				 rule);
		memset(f.numbers, 0, sizeof(f.numbers));
		assert_true(finding_sentence(text, &f, NULL) > 30);
		assert_null(strpbrk(text, "{}[]"));
		assert_true(finding_command(text, &f) > 5);
		assert_null(strpbrk(text, "{}[]"));
	}
	assert_int_equal(finding_rule_find("stal"), -1);
	for (int n = 0; n < FINDING_NUMBERS; n++)
		for (int k = 0; k < n; k++) {
			finding_number_key(text, n);
			finding_number_key(key, k);
			assert_string_not_equal(text, key);
		}
}

static void test_json(void **state)
{
	struct finding f = make(FINDING_STALL);
	char text[FINDING_TEXT_MAX];

	(void)state;
	f.numbers[FINDING_SHARE] = 91;
	f.numbers[FINDING_OP] = IO_WRITE;
	f.numbers[FINDING_LONGEST] = 1234;
	finding_number_json(text, &f, FINDING_SHARE);
	assert_string_equal(text, "0.091");
	finding_number_json(text, &f, FINDING_OP);
	assert_string_equal(text, "\"write\"");
	finding_number_json(text, &f, FINDING_LONGEST);
	assert_string_equal(text, "1234");
	finding_number_key(text, FINDING_LONGEST);
	assert_string_equal(text, "longest_ns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stall),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
