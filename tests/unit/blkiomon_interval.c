/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What blkiomon counts in an interval, and the reports made of it.
 */
#include <errno.h>

#include "make.h"
#include "tools/blkiomon/interval.h"
#include "tools/blkiomon/pairs.h"

#define READ_DONE ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | CAT(READ))
#define WRITE_DONE ACT(BLK_TA_COMPLETE, CAT(COMPLETE) | CAT(WRITE))

static int book(struct interval *l, uint32_t device, uint32_t action,
		uint32_t bytes, uint64_t ns)
{
	struct seen issue = { .device = device, .bytes = bytes, .time = 5000 };
	struct seen done = { .device = device, .time = 5000 + ns,
			     .categories = (uint16_t)(action >> 16) };

	return interval_add(l, &issue, &done);
}

static void check_cell(const struct cell *c, uint64_t min, uint64_t max,
		       uint64_t sum, uint64_t squares, uint64_t num)
{
	assert_int_equal(c->min, min);
	assert_int_equal(c->max, max);
	assert_int_equal(c->sum, sum);
	assert_true(wide_same(c->squares, wide_of(squares)));
	assert_int_equal(c->num, num);
}

/* reads and writes apart; sizes are the issue's */
static void test_cells(void **state)
{
	struct interval l = { 0 };
	const struct cell *c;

	(void)state;
	assert_int_equal(book(&l, 8, READ_DONE, 4096, 10999), 0);
	assert_int_equal(book(&l, 8, READ_DONE, 1024, 2000), 0);
	assert_int_equal(book(&l, 8, WRITE_DONE, 512, 3000), 0);
	assert_int_equal(l.count, 1);
	c = l.devices[0].cells;
	check_cell(&c[SIZE_READ], 1024, 4096, 5120, 17825792, 2);
	check_cell(&c[LATENCY_READ], 2, 10, 12, 104, 2);
	check_cell(&c[SPEED_READ], 409600, 512000, 921600, 429916160000, 2);
	check_cell(&c[SIZE_WRITE], 512, 512, 512, 262144, 1);
	check_cell(&c[LATENCY_WRITE], 3, 3, 3, 9, 1);
	interval_free(&l);
}

/* neither read nor write: the histograms know it, the cells do not */
static void test_bidirectional(void **state)
{
	struct interval l = { 0 };

	(void)state;
	book(&l, 8, ACT(BLK_TA_COMPLETE, CAT(COMPLETE)), 4096, 1000);
	assert_int_equal(l.devices[0].bidirectional, 1);
	assert_int_equal(l.devices[0].sizes[3], 1);
	for (int i = 0; i < FIGURES; i++)
		check_cell(&l.devices[0].cells[i], UINT64_MAX, 0, 0, 0, 0);
	interval_free(&l);
}

/* no division by zero, and nothing is cut to 32 bits */
/* a flush has the READ bit: no read, but a request of no bytes */
static void test_flush(void **state)
{
	struct interval l = { 0 };

	(void)state;
	assert_int_equal(book(&l, 8, READ_DONE | CAT(FLUSH) << 16, 0, 3000), 0);
	assert_int_equal(l.devices[0].cells[SIZE_READ].num, 0);
	assert_int_equal(l.devices[0].cells[LATENCY_READ].num, 0);
	assert_int_equal(l.devices[0].sizes[0], 1);
	assert_int_equal(l.devices[0].bidirectional, 0);
	/* data with a flush before it are read, if that is possible at all */
	assert_int_equal(book(&l, 8, READ_DONE | CAT(FLUSH) << 16, 512, 3000),
			 0);
	assert_int_equal(l.devices[0].cells[SIZE_READ].num, 1);
	interval_free(&l);
}

static void test_extremes(void **state)
{
	struct interval l = { 0 };
	const struct cell *c;

	(void)state;
	book(&l, 8, WRITE_DONE, UINT32_MAX, 999);
	c = l.devices[0].cells;
	assert_int_equal(c[LATENCY_WRITE].max, 0);
	assert_int_equal(c[SPEED_WRITE].max, UINT32_MAX * 1000ull);
	assert_true(wide_same(c[SPEED_WRITE].squares,
			      wide_product(UINT32_MAX * 1000ull,
					   UINT32_MAX * 1000ull)));
	interval_free(&l);
}

/* a value that is a limit belongs to its bucket */
static void test_histograms(void **state)
{
	static const struct { uint32_t bytes; int bucket; } sizes[] = {
		{ 0, 0 }, { 1, 1 }, { 1024, 1 }, { 1025, 2 }, { 2048, 2 },
		{ 8388608, 14 }, { 8388609, 15 }, { UINT32_MAX, 15 },
	};
	static const struct { uint64_t us; int bucket; } latencies[] = {
		{ 0, 0 }, { 1, 1 }, { 8, 1 }, { 9, 2 }, { 33554432, 23 },
		{ 33554433, 24 },
	};
	struct interval l = { 0 };

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		book(&l, 1, READ_DONE, sizes[i].bytes, 0);
		assert_true(l.devices[0].sizes[sizes[i].bucket] > 0);
		interval_clear(&l);
	}
	for (size_t i = 0; i < 6; i++) {
		book(&l, 1, READ_DONE, 0, latencies[i].us * 1000);
		assert_true(l.devices[0].latencies[latencies[i].bucket] > 0);
		interval_clear(&l);
	}
	interval_free(&l);
}

/* devices in order of appearance, afresh after each interval, not endless */
static void test_devices(void **state)
{
	struct interval l = { 0 };

	(void)state;
	for (uint32_t d = 1; d <= INTERVAL_DEVICES; d++)
		assert_int_equal(book(&l, 7 * d, READ_DONE, 1, 1), 0);
	assert_int_equal(book(&l, 1, READ_DONE, 1, 1), -E2BIG);
	assert_int_equal(book(&l, 7, READ_DONE, 1, 1), 0);
	assert_int_equal(l.count, INTERVAL_DEVICES);
	assert_int_equal(l.devices[0].device, 7);
	assert_int_equal(l.devices[0].cells[SIZE_READ].num, 2);
	assert_int_equal(l.devices[INTERVAL_DEVICES - 1].device,
			 7 * INTERVAL_DEVICES);
	interval_clear(&l);
	assert_int_equal(l.count, 0);
	assert_int_equal(book(&l, 1, READ_DONE, 1, 1), 0);
	assert_int_equal(l.devices[0].cells[SIZE_READ].num, 1);
	interval_free(&l);
}

static uint64_t big_at(const uint8_t *raw, size_t at, size_t bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | raw[at++];
	return v;
}

/* the offsets that other programs read at */
static void test_binary(void **state)
{
	struct interval l = { 0 };
	uint8_t raw[REPORT_SIZE];

	(void)state;
	book(&l, 0x800005, READ_DONE, 4096, 10000);
	book(&l, 0x800005, WRITE_DONE, UINT32_MAX, 0);
	book(&l, 0x800005, ACT(BLK_TA_COMPLETE, 0), 0, 0);
	report_binary(raw, &l.devices[0], 1234567890);
	assert_int_equal(big_at(raw, 0, 8), 1234567890);
	assert_int_equal(big_at(raw, 8, 4), 1);		/* 0 bytes */
	assert_int_equal(big_at(raw, 8 + 3 * 4, 4), 1);	/* 4 KiB */
	assert_int_equal(big_at(raw, 8 + 15 * 4, 4), 1);
	assert_int_equal(big_at(raw, 72, 4), 2);	/* 0 us */
	assert_int_equal(big_at(raw, 72 + 2 * 4, 4), 1);	/* 10 us */
	assert_int_equal(big_at(raw, 172, 4), 0x800005);
	assert_int_equal(big_at(raw, 176, 8), 4096);	/* sizes read: min */
	assert_int_equal(big_at(raw, 176 + 24, 8), 4096 * 4096);
	assert_int_equal(big_at(raw, 176 + 32, 8), 1);
	assert_int_equal(big_at(raw, 256, 8), 10);	/* latency read */
	/* throughput write: the squares are beyond 64 bits */
	assert_int_equal(big_at(raw, 376 + 24, 8), UINT64_MAX);
	assert_int_equal(big_at(raw, 416, 8), 1);
	interval_free(&l);
}

static void read_back(FILE *file, char *text, size_t size)
{
	rewind(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

/* the variance holds where sums of squares need more than 64 bits */
static void test_text(void **state)
{
	struct interval l = { 0 };
	FILE *file = tmpfile();
	char text[4096];

	(void)state;
	for (int i = 0; i < 30; i++)
		book(&l, 0x800005, WRITE_DONE, i % 2 ? 4000000000 : 4000000002,
		     1000);
	assert_non_null(file);
	report_text(file, &l.devices[0], 0);
	read_back(file, text, sizeof(text));
	assert_non_null(strstr(text, "\ntime: Thu Jan  1 "));
	assert_non_null(strstr(text, "\ndevice: 8,5\nsizes read (bytes): num 0,"
				     " min -1, max 0, sum 0, squ 0, avg 0.0,"
				     " var 0.0\n"));
	assert_non_null(strstr(text, "squ 480000000240000000060,"
				     " avg 4000000001.0,"));
	assert_non_null(strstr(text, "    > 8388608:    30\nd2c"));
	assert_non_null(strstr(text, "\n    >33554432:     0\nbidirectional"
				     " requests: 0\n"));
	interval_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_bidirectional),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_histograms),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
