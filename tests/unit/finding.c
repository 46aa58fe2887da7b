/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings in words. */
#include "base/time.h"
#include "findings/course.h"
#include "findings/manual.h"
#include "findings/words.h"
#include "make.h"
#include "request/io.h"
#include "run/device.h"

static struct device disk = { .number = 8 << 20, .label = (char *)"sda" };

static const char *name_of(const void *names, uint16_t origin, uint32_t pid)
{
	(void)names;
	(void)origin;
	return pid == 1 ? "postgres" : pid == 2 ? "\x1b[31m{of}" : NULL;
}

static const struct finding_names people = { .name = name_of };

#define MS NS_PER_MS

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
	check_sentence(&f, "nothing completed for 300ms from 4.999s, while "
		       "174 requests waited (p90 is 620us)");
	f.numbers[FINDING_TIMES] = 3;
	check_sentence(&f, "nothing completed for 300ms from 4.999s, while "
		       "174 requests waited (p90 is 620us); 3 stalls in all");
	check_command(&f, "btstat -w 4.79:5.49 --heatmap");
	f.numbers[FINDING_TIMES] = FINDING_NONE;
	f.numbers[FINDING_OP2] = IO_READ;
	check_sentence(&f, "no read completed for 300ms from 4.999s, while "
		       "174 requests waited (p90 is 620us)");
}

static void check_in_flight(const struct in_flight *f, const char *want)
{
	char text[FINDING_TEXT_MAX];

	assert_int_equal(in_flight_text(text, f), strlen(want));
	assert_string_equal(text, want);
}

/* the words that every program has for I/Os in flight */
static void test_in_flight(void **state)
{
	struct in_flight f = { .count = 4, .age = 4230000000, .op = IO_WRITE,
			       .sector = 81920, .process = "postgres" };

	(void)state;
	check_in_flight(&f, "in flight 4, oldest 4.23s (write, sector 81920, "
			"postgres)");
	f.age = 35999999;
	f.process = "\x1b[31m";
	check_in_flight(&f, "in flight 4, oldest 36.0ms (write, sector 81920, "
			"\\x1b[31m)");
	f = (struct in_flight){ .count = 1, .age = 9960000000,
				.op = IO_FLUSH_OP };
	check_in_flight(&f, "in flight 1, oldest 9.96s (flush)");
	f.count = 0;
	check_in_flight(&f, "in flight 0");
}

/* a hang is named in the same words */
static void test_stuck(void **state)
{
	struct finding f = make(FINDING_STUCK);

	(void)state;
	f.numbers[FINDING_IN_FLIGHT] = 4;
	f.numbers[FINDING_AGE] = 4200000000;
	f.numbers[FINDING_OP] = IO_WRITE;
	f.numbers[FINDING_FIRST] = 81920;
	f.numbers[FINDING_PID] = 1;
	f.numbers[FINDING_COUNT] = 3;
	f.numbers[FINDING_LEAST] = 1000000000;
	f.numbers[FINDING_FROM] = 1500000000;
	check_sentence(&f, "in flight 4, oldest 4.20s (write, sector 81920, "
		       "postgres); 3 have waited 1.00s or longer, the oldest "
		       "since 1.500s");
	f.numbers[FINDING_QUIET] = 1889000000;
	check_sentence(&f, "in flight 4, oldest 4.20s (write, sector 81920, "
		       "postgres); 3 have waited 1.00s or longer, the oldest "
		       "since 1.500s; nothing has completed since 1.889s");
	check_command(&f, "btstat --where open --top=20");
}

/* a name can neither harm a terminal nor be taken for a number */
static void test_names(void **state)
{
	struct finding f = make(FINDING_MISALIGNED);

	(void)state;
	f.numbers[FINDING_SHARE] = 91;
	f.numbers[FINDING_BLOCK] = 4096;
	check_sentence(&f, "9% of writes do not start and end on 4K "
		       "boundaries: a device with such blocks must read "
		       "before it writes");
	f.numbers[FINDING_PID] = 2;
	check_sentence(&f, "9% of writes do not start and end on 4K "
		       "boundaries (\\x1b[31m{of}): a device with such blocks "
		       "must read before it writes");
	f.numbers[FINDING_PID] = 1;
	f.numbers[FINDING_PID2] = 77;
	f.numbers[FINDING_SHARE] = 997;
	check_sentence(&f, ">99% of writes do not start and end on 4K "
		       "boundaries (postgres and pid 77): a device with such "
		       "blocks must read before it writes");
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
	f.spans[f.span_count++] = (struct finding_span){ 1250 * MS, 3490 * MS };
	check_sentence(&f, "7 of 1000 I/Os failed (6 x EIO, 1 x error 200) "
		       "from 1.2 to 3.4 s in sectors 8 to 18446744073709551614, sent by "
		       "postgres");
}

/* times, and what I/Os wait for */
static void test_changes(void **state)
{
	struct finding f = make(FINDING_BURST);

	(void)state;
	f.numbers[FINDING_CULPRIT] = f.numbers[FINDING_PID] = 1;
	f.numbers[FINDING_OP2] = IO_WRITE;
	f.numbers[FINDING_OP] = IO_FLUSH_OP;
	f.numbers[FINDING_RATE] = 1550000;
	f.numbers[FINDING_RATE2] = 0;
	f.numbers[FINDING_WAIT] = COURSE_SCHEDULER;
	f.numbers[FINDING_LONGEST] = 84 * MS;
	f.spans[f.span_count++] = (struct finding_span){ 14231 * MS,
							 14232 * MS };
	check_sentence(&f, "from 14.231 to 14.232 s postgres writes 1.55k a "
		       "second, 0 otherwise; flushes of postgres wait up to "
		       "84.0ms in the scheduler");
	f.spans[f.span_count++] = (struct finding_span){ 36250 * MS,
							 37000 * MS };
	f.numbers[FINDING_TIMES] = 2;
	f.numbers[FINDING_PID] = FINDING_NONE;
	check_sentence(&f, "at 14.231 and 36.2 s postgres writes in bursts of "
		       "1.55k a second, 0 otherwise; flushes wait up to "
		       "84.0ms in the scheduler");
	for (int i = 0; i < 3; i++)
		f.spans[f.span_count++] = f.spans[1];
	f.numbers[FINDING_TIMES] = 9;
	check_sentence(&f, "at 14.231, 36.2, 36.2, 36.2 s and 5 more times "
		       "postgres writes in bursts of 1.55k a second, 0 "
		       "otherwise; flushes wait up to 84.0ms in the "
		       "scheduler");
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

/* each rule has its entry in the manual, with its thresholds filled in */
static void test_entries(void **state)
{
	char *text;
	size_t len;

	(void)state;
	for (int rule = 0; rule < FINDING_RULES; rule++) {
		FILE *f = open_memstream(&text, &len);

		assert_int_equal(finding_rule_print(f, rule, 80), 0);
		assert_int_equal(fclose(f), 0);
		assert_null(strpbrk(text, "{}"));
		assert_non_null(strstr(text, "\n  meaning    "));
		assert_non_null(strstr(text, "\n  threshold  "));
		assert_non_null(strstr(text, "\n  evidence   "));
		assert_non_null(strstr(text, "\n  caveat     "));
		assert_non_null(strstr(text, "\n  to do      "));
		free(text);
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
		cmocka_unit_test(test_in_flight),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
