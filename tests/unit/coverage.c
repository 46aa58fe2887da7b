/* SPDX-License-Identifier: GPL-2.0-only */
/* How much has been measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "request/io.h"
#include "run/device.h"
#include "stat/coverage.h"

static const struct device disk = { .id = 1 };

static struct io io_of(char birth, enum io_ended ended, uint32_t events)
{
	return (struct io){ .birth = birth, .ended = ended, .disk = &disk,
			    .events = events, .total = 1 };
}

static void add(struct coverages *c, const struct io *io)
{
	assert_int_equal(coverages_add(c, io), 0);
}

static uint64_t gone(const struct coverages *c)
{
	struct coverage d = coverages_get(c, 1);

	return coverage_gone(&d, 100);
}

/* what is gone is counted by the io that left fewest records */
static void test_gone(void **state)
{
	struct coverages c = { .count = 0 };
	struct io io = io_of('Q', IO_ENDED_C, 5);

	(void)state;
	assert_int_equal(gone(&c), 100);
	add(&c, &io);
	assert_int_equal(gone(&c), 20);
	/* what is open, or lost its Q, could have left more */
	io = io_of('Q', IO_ENDED_OPEN, 1);
	add(&c, &io);
	io = io_of('D', IO_ENDED_C, 2);
	add(&c, &io);
	assert_int_equal(gone(&c), 20);
	io = io_of('Q', IO_ENDED_C, 4);
	io.gap = true;
	add(&c, &io);
	assert_int_equal(gone(&c), 25);
	/* merged, and its request's end is lost */
	io = io_of('Q', IO_ENDED_LOST, 2);
	io.merge = IO_MERGED_BACK;
	add(&c, &io);
	assert_int_equal(gone(&c), 50);
	assert_int_equal(coverages_get(&c, 1).gap, 1);
	assert_int_equal(coverages_get(&c, 1).lost, 1);
	coverages_free(&c);
}

/* of a trace without Q the others count; of both together the fewest */
static void test_no_q(void **state)
{
	struct coverages c = { .count = 0 };
	struct io io = io_of('D', IO_ENDED_C, 2);
	struct coverage all;

	(void)state;
	add(&c, &io);
	assert_int_equal(gone(&c), 50);
	all = coverages_get(&c, 1);
	coverage_merge(&all, &all);
	assert_int_equal(coverage_measured(&all), 2);
	io = io_of('Q', IO_ENDED_C, 5);
	add(&c, &io);
	assert_int_equal(gone(&c), 20);
	coverages_free(&c);
}

/*
 * Two lost records give one request another's end, and all that ride in it, if
 * its place was used before.
 */
static void test_wrong(void **state)
{
	struct coverages c = { .count = 0 };
	struct io io = io_of('Q', IO_ENDED_C, 5);
	struct coverage d;

	(void)state;
	io.bytes = 4096;
	io.sure = true;
	for (io.sector = 0; io.sector < 80; io.sector += 8)
		add(&c, &io);
	d = coverages_get(&c, 1);
	assert_int_equal(coverage_wrong(&d, 100), 0);
	for (io.sector = 0; io.sector < 32; io.sector += 8)
		add(&c, &io);
	io.bytes = 512;
	add(&c, &io);
	d = coverages_get(&c, 1);
	assert_int_equal(coverage_wrong(&d, 6), 3);
	assert_int_equal(coverage_wrong(&d, 100), 4);
	assert_int_equal(d.unsure, 0);
	io.sector = 1 << 20;
	io.rq_ios = 3;
	io.sure = false;
	add(&c, &io);
	d = coverages_get(&c, 1);
	assert_int_equal(coverage_astray(&d, 100), 4);
	assert_int_equal(coverage_wrong(&d, 100), 12);
	assert_int_equal(d.unsure, 1);
	coverages_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_no_q),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
