/* SPDX-License-Identifier: GPL-2.0-only */
/* What makes a recorder write: when rules become true, and mistakes in them. */
#include <errno.h>

#include "base/time.h"
#include "cli/where.h"
#include "expr/error.h"
#include "make.h"
#include "request/io.h"
#include "stat/trigger.h"

#define MS NS_PER_MS
#define BEGIN (100 * NS_PER_SECOND)

static struct trigger *made(const char *text)
{
	struct expr_error why = { 0, "" };
	struct trigger *t = NULL;

	if (trigger_compile(&t, text, &why))
		fail_msg("%s: %s at %zu", text, why.phrase, why.at);
	assert_string_equal(trigger_text(t), text);
	return t;
}

/* an io that ended at ms and took us */
static struct io io_of(uint64_t id, uint64_t ms, uint64_t us)
{
	return (struct io){
		.id = id, .rq = id, .kind = IO_BIO, .birth = 'Q',
		.bytes = 4096, .time = BEGIN + ms * MS - us * NS_PER_US,
		.total = us * NS_PER_US, .has = 1u << IO_D2C,
		.phase = { [IO_D2C] = us * NS_PER_US },
	};
}

static void check_value(const struct trigger *t, const char *text)
{
	char value[TRIGGER_VALUE];

	trigger_value(t, value);
	assert_string_equal(value, text);
}

/* --- of an io ------------------------------------------------------------- */

static void test_completed(void **state)
{
	struct trigger *t = made("error || q2c>50ms && op==read");
	struct io fast = io_of(1, 10, 50000), slow = io_of(2, 20, 50001);
	struct io failed = io_of(3, 30, 10);

	(void)state;
	failed.error = 5;
	assert_false(trigger_wants_open(t));
	assert_false(trigger_wants_exit(t));
	assert_false(trigger_io(t, &fast));
	assert_true(trigger_io(t, &slow));
	check_value(t, "q2c 50.0ms");
	assert_true(trigger_io(t, &failed));
	check_value(t, "errno 5");
	slow.op = IO_WRITE;
	assert_false(trigger_io(t, &slow));
	assert_false(trigger_time(t, BEGIN + 3600 * NS_PER_SECOND));
	trigger_free(t);
}

/* an open io makes it true once, and not again when it completes */
static void test_age(void **state)
{
	struct trigger *t = made("age>5s");
	struct io io = io_of(1, 1, 1000), done = io_of(1, 9001, 9000000),
		  other = io_of(2, 9001, 9000000);

	(void)state;
	io.ended = IO_ENDED_OPEN;
	io.age = IO_NONE;
	io.total = IO_NONE;
	assert_true(trigger_wants_open(t));
	assert_false(trigger_open(t, &io, BEGIN + 5000 * MS));
	assert_true(trigger_open(t, &io, BEGIN + 5250 * MS));
	check_value(t, "age 5.25s");
	assert_false(trigger_open(t, &io, BEGIN + 5500 * MS));
	assert_false(trigger_io(t, &done));
	assert_true(trigger_io(t, &other));
	trigger_free(t);
}

/* when events were lost nobody knows whether it is still open */
static void test_age_gap(void **state)
{
	struct trigger *t = made("age>5s");
	struct io io = io_of(1, 1, 1000);

	(void)state;
	io.ended = IO_ENDED_OPEN;
	io.age = IO_NONE;
	io.total = IO_NONE;
	io.gap = true;
	assert_false(trigger_open(t, &io, BEGIN + 9000 * MS));
	trigger_free(t);
}

static void test_exit(void **state)
{
	struct trigger *t = made(" exit ");
	struct io io = io_of(1, 10, 10);

	(void)state;
	assert_true(trigger_wants_exit(t));
	assert_false(trigger_io(t, &io));
	assert_false(trigger_time(t, BEGIN));
	trigger_free(t);
}

/* --- statistics ----------------------------------------------------------- */

/* so many ios of us each in a tenth of a second from ms on; whether the
 * trigger became true in that time */
static bool feed(struct trigger *t, uint64_t ms, unsigned int count,
		 uint64_t us)
{
	bool becomes = false;

	for (unsigned int i = 0; i < count; i++) {
		struct io io = io_of(i + 1, ms + i * 100 / count, us);

		becomes |= trigger_io(t, &io);
	}
	return becomes | trigger_time(t, BEGIN + (ms + 100) * MS);
}

/* So many in a second with as many slow ones; true when all of that came. */
static bool second_of(struct trigger *t, unsigned int count, unsigned int slow)
{
	bool becomes = trigger_time(t, BEGIN);

	for (uint64_t ms = 0; ms < 1000; ms += 100) {
		becomes |= feed(t, ms, count / 10, 100);
		becomes |= ms == 500 && feed(t, ms, slow, 9000);
	}
	return becomes;
}

static void check_second(const char *text, unsigned int count,
			 unsigned int slow, const char *value)
{
	struct trigger *t = made(text);

	assert_int_equal(second_of(t, count, slow), value != NULL);
	if (value)
		check_value(t, value);
	trigger_free(t);
}

static void test_statistics(void **state)
{
	(void)state;
	check_second("max(q2c) > 8ms over 1s", 100, 1, "max(q2c) 9.00ms");
	check_second("max(q2c) > 9ms over 1s", 100, 1, NULL);
	check_second("p99(d2c) > 8ms over 1s", 1000, 20, "p99(d2c) 9.00ms");
	/* 4 ios are above p99 of 490 */
	check_second("p99(d2c) > 8ms over 1s", 400, 90, NULL);
	check_second("p50(d2c) > 8ms over 1s", 10, 30, "p50(d2c) 9.00ms");
	check_second("mean(q2c) > 4ms over 1s", 10, 10, "mean(q2c) 5.34ms");
	check_second("mean(q2c) > 4ms over 1s", 0, 4, NULL);
	check_second("count > 109 over 1s", 100, 10, "count 110");
	check_second("count > 110 over 1s", 100, 10, NULL);
	check_second("count where q2c>5ms > 9 over 1s", 100, 10, "count 10.0");
	check_second("rate > 50 over 2s", 100, 10, "rate 55.0");
	check_second("rate > 200 over 1s", 100, 10, NULL);
	/* 9 ms times 500 in a second */
	check_second("depth where op==read > 4 over 1s", 0, 500,
		     "depth 4.50");
	check_second("depth > 5 over 1s", 0, 500, NULL);
}

/* true once; again when it has been false */
static void test_edge(void **state)
{
	struct trigger *t = made("count > 15 over 1s");
	unsigned int times = 0;

	(void)state;
	for (uint64_t ms = 0; ms < 5000; ms += 100)
		times += feed(t, ms, 2, 100);
	assert_int_equal(times, 1);
	for (uint64_t ms = 5000; ms < 7000; ms += 100)
		times += trigger_time(t, BEGIN + ms * MS);
	for (uint64_t ms = 7000; ms < 9000; ms += 100)
		times += feed(t, ms, 2, 100);
	assert_int_equal(times, 2);
	trigger_free(t);
}

/* the end of all time is reached at once */
static void test_far(void **state)
{
	struct trigger *t = made("count > 0 over 1s");
	struct io io = io_of(1, 10, 10);

	(void)state;
	assert_false(trigger_io(t, &io));
	assert_false(trigger_time(t, UINT64_MAX - 1));
	trigger_free(t);
}

/* --- mistakes ------------------------------------------------------------- */

static void check_error(const char *text, const char *shown)
{
	struct expr_error why = { 0, "" };
	struct trigger *t = NULL;
	char buf[WHERE_MAX];

	assert_int_equal(trigger_compile(&t, text, &why), -EINVAL);
	assert_null(t);
	assert_true(why.at <= strlen(text));
	where_text(buf, "--on", text, why.at, why.phrase);
	assert_string_equal(buf, shown);
}

static void test_errors(void **state)
{
	(void)state;
	check_error("q2c>50",
		    "--on: a time needs its unit (ns us ms s m)\n"
		    "  q2c>50\n"
		    "        ^");
	check_error("p99 > 5ms over 10s",
		    "--on: a phase is expected: p99(d2c)\n"
		    "  p99 > 5ms over 10s\n"
		    "      ^");
	check_error("p99(d2d) > 5ms over 10s",
		    "--on: unknown phase\n"
		    "  p99(d2d) > 5ms over 10s\n"
		    "      ^");
	check_error("p99(d2c > 5ms over 10s",
		    "--on: ) is expected\n"
		    "  p99(d2c > 5ms over 10s\n"
		    "          ^");
	check_error("max(d2c) where op=read > 5ms over 10s",
		    "--on: equal is ==\n"
		    "  max(d2c) where op=read > 5ms over 10s\n"
		    "                   ^");
	check_error("max(d2c) where op==read",
		    "--on: expected a limit, like > 5ms over 10s\n"
		    "  max(d2c) where op==read\n"
		    "                         ^");
	check_error("max(d2c) where op==read over 10s",
		    "--on: > and a value are expected before over\n"
		    "  max(d2c) where op==read over 10s\n"
		    "                                  ^");
	check_error("count < 5 over 10s",
		    "--on: > or where is expected\n"
		    "  count < 5 over 10s\n"
		    "        ^");
	check_error("count > 5ms over 10s",
		    "--on: this number takes no unit\n"
		    "  count > 5ms over 10s\n"
		    "           ^");
	check_error("count > 5",
		    "--on: a time is expected: over 10s\n"
		    "  count > 5\n"
		    "           ^");
	check_error("count > 5 over 10",
		    "--on: a time needs its unit (ns us ms s m)\n"
		    "  count > 5 over 10\n"
		    "                   ^");
	check_error("count > 5 over 10ms",
		    "--on: this time is 100ms to 1440m\n"
		    "  count > 5 over 10ms\n"
		    "                 ^");
	check_error("count > 5 over 10s please",
		    "--on: unexpected text after it\n"
		    "  count > 5 over 10s please\n"
		    "                     ^");
	check_error("exit now",
		    "--on: exit stands alone\n"
		    "  exit now\n"
		    "       ^");
	check_error("depth>5 over",
		    "--on: expected a number\n"
		    "  depth>5 over\n"
		    "              ^");
	check_error("",
		    "--on: expected a field or flag\n"
		    "  \n"
		    "  ^");
}

/* depth is a field, and names may be whatever they like */
static void test_meanings(void **state)
{
	struct trigger *t = made("depth>5");
	struct io io = io_of(1, 10, 10);

	(void)state;
	io.depth = 6;
	assert_true(trigger_io(t, &io));
	trigger_free(t);
	t = made("count where process==\"> over it\" > 5 over 10s");
	trigger_free(t);
	t = made("process==\"a over b\"");
	trigger_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_completed),
		cmocka_unit_test(test_age),
		cmocka_unit_test(test_age_gap),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_statistics),
		cmocka_unit_test(test_edge),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_meanings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
