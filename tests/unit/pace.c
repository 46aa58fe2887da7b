/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a request without a completion was surely at its device: beside the
 * trace of two CPUs, of which one has nothing after 1 s.
 */
#include "base/time.h"
#include "place.h"
#include "request/io.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/pace.h"

#define S NS_PER_SECOND
#define MS NS_PER_MS
/* as pace.c has it: at least, and so many times the longest */
#define LEAST (100 * MS)
enum { TIMES = 8 };

enum { GOES_ON, ENDS };		/* CPUs */

static const struct device disk = { .id = 0 };

static void add_event(struct bytes *b, uint32_t cpu, uint32_t number,
		      uint64_t time)
{
	const struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)),
		.sequence = number, .time = 50 * S + time, .cpu = cpu,
		.device = BLK_DEVICE(8, 0), .bytes = 4096);

	add_record(b, &ev);
}

/* last: the number of the last event; 2, or records are missing before it */
static struct reader *read_trace(uint32_t last)
{
	const struct reader_options o = { .window = WINDOW_ALL };
	struct bytes *goes_on = bytes_new(), *ends = bytes_new();
	const struct event *ev;
	struct reader *r;

	add_event(goes_on, GOES_ON, 1, 0);
	add_event(goes_on, GOES_ON, last, 100 * S);
	add_event(ends, ENDS, 1, S);
	place_write("sda.blktrace.0", goes_on->data, goes_on->len);
	place_write("sda.blktrace.1", ends->data, ends->len);
	free(goes_on);
	free(ends);
	assert_int_equal(reader_open(&r, &o), 0);
	assert_int_equal(reader_add(r, "sda"), 0);
	while (reader_next(r, &ev) == 1)
		;
	return r;
}

/* one completed on a CPU */
static void complete(struct paces *p, uint32_t cpu, uint64_t from, uint64_t to)
{
	const struct io io = { .disk = &disk, .cpu_c = cpu };
	const struct depth_span span = { from, to };

	assert_int_equal(paces_add(p, &io, &span), 0);
}

/* up to when one that did not is sure to be there */
static uint64_t until(struct paces *p, const struct reader *r, bool sure,
		      uint64_t from, uint64_t to)
{
	const struct io io = { .disk = &disk, .sure = sure };
	const struct depth_span span = { from, to };

	return paces_until(p, r, &io, &span);
}

/* a younger one may be ahead for a while */
static void test_passed(void **state)
{
	struct reader *r = read_trace(2);
	struct paces p = { .count = 0 };

	(void)state;
	assert_int_equal(until(&p, r, true, S, 9 * S), 9 * S);
	assert_false(paces_get(&p, 0).passed);
	complete(&p, GOES_ON, 2 * S, 2 * S + MS);
	assert_int_equal(until(&p, r, true, 2 * S - LEAST, 9 * S), 9 * S);
	assert_int_equal(until(&p, r, true, 3 * S, 9 * S), 9 * S);
	assert_false(paces_get(&p, 0).passed);
	assert_int_equal(until(&p, r, true, 2 * S - LEAST - 1, 9 * S),
			 2 * S - LEAST - 1);
	assert_true(paces_get(&p, 0).passed);
	assert_false(paces_get(&p, 0).silent);
	paces_free(&p);
	reader_close(r);
}

/* on a slow device for longer, measured by its slowest request */
static void test_patience(void **state)
{
	struct reader *r = read_trace(2);
	struct paces p = { .count = 0 };
	uint64_t longest = LEAST / TIMES + MS, ahead = TIMES * longest;

	(void)state;
	complete(&p, GOES_ON, 2 * S, 2 * S + longest);
	complete(&p, GOES_ON, 3 * S, 3 * S + MS);
	assert_int_equal(until(&p, r, true, 3 * S - ahead, 9 * S), 9 * S);
	assert_int_equal(until(&p, r, true, 3 * S - ahead - 1, 9 * S),
			 3 * S - ahead - 1);
	/* too long for a number */
	complete(&p, GOES_ON, 0, UINT64_MAX / 4);
	assert_int_equal(until(&p, r, true, 0, 9 * S), 9 * S);
	paces_free(&p);
	reader_close(r);
}

/* The CPU of the last completion has no record after it, another has. */
static void test_silent(void **state)
{
	struct reader *r = read_trace(2);
	struct paces p = { .count = 0 };

	(void)state;
	complete(&p, ENDS, S - MS, S);
	assert_int_equal(until(&p, r, true, S - MS, S + LEAST), S + LEAST);
	assert_false(paces_get(&p, 0).silent);
	assert_int_equal(until(&p, r, true, S - MS, S + LEAST + 1), S);
	assert_true(paces_get(&p, 0).silent);
	assert_false(paces_get(&p, 0).passed);
	assert_int_equal(until(&p, r, true, S + MS, 9 * S), S + MS);
	/* it goes on */
	complete(&p, GOES_ON, S, S + MS);
	assert_int_equal(until(&p, r, true, S - MS, 9 * S), 9 * S);
	/* so slow a device may be silent for longer */
	complete(&p, ENDS, 0, S);
	assert_int_equal(until(&p, r, true, S, S + TIMES * S),
			 S + TIMES * S);
	assert_int_equal(until(&p, r, true, S, S + TIMES * S + 1), S);
	paces_free(&p);
	reader_close(r);
}

/* Where no record is missing only one that is not sure may have completed. */
static void test_proven(void **state)
{
	static const char card[] = "{\"schema\":1,\"end\":{\"cpus\":["
		"{\"cpu\":0,\"events\":2},{\"cpu\":1,\"events\":1}]}}";
	struct paces p = { .count = 0 };
	struct reader *r;

	(void)state;
	place_text("sda.blktrace.json", card);
	r = read_trace(2);
	complete(&p, ENDS, S - MS, S);
	assert_int_equal(until(&p, r, true, 0, 9 * S), 9 * S);
	assert_int_equal(until(&p, r, false, S - MS, 9 * S), 9 * S);
	assert_int_equal(until(&p, r, false, 0, 9 * S), 0);
	paces_free(&p);
	reader_close(r);
}

/* its completion may be among them */
static void test_missing(void **state)
{
	struct reader *r = read_trace(5);
	struct paces p = { .count = 0 };

	(void)state;
	assert_int_equal(until(&p, r, true, S, 9 * S), S);
	paces_free(&p);
	reader_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(test_passed),
		PLACE_TEST(test_patience),
		PLACE_TEST(test_silent),
		PLACE_TEST(test_proven),
		PLACE_TEST(test_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
