/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics by time as text. */
#include "base/histogram.h"
#include "emit/series_text.h"
#include "picture.h"
#include "stat/series.h"

#define MS 1000000ull
#define SECOND 1000000000ull

/* 533 ios in half a second, from 1 s on */
static void make(struct histogram *h, struct series_row *row)
{
	*h = (struct histogram){ 0 };
	histogram_add_times(h, 198 * 1000, 500);
	histogram_add_times(h, 4000 * 1000, 32);
	histogram_add_times(h, 8410 * 1000, 1);
	*row = (struct series_row){
		.ios = 533, .bytes = 4052746, .spans = h,
		.depth = { .from = SECOND, .to = SECOND + 500 * MS,
			   .integral = { 120 * MS, 0 }, .busy = 80 * MS,
			   .most = 4,
			   .exact = true },
	};
}

static void draw(struct buf *b, unsigned int width, uint64_t interval,
		 const struct series_row *row)
{
	static const uint32_t percentiles[] = { 50000, 99000 };
	struct look look = { .width = width };
	struct series_text t;

	series_text_init(&t, &look, interval, percentiles, 2);
	picture_begin(b);
	series_text_heading(b, &t);
	series_text_row(b, &t, row);
}

static void expect(unsigned int width, uint64_t interval,
		   const struct series_row *row, const char *want)
{
	struct buf b;

	draw(&b, width, interval, row);
	assert_string_equal(picture_text(&b), want);
	buf_free(&b);
}

static void test_widths(void **state)
{
	struct series_row row;
	struct histogram h;

	(void)state;
	make(&h, &row);
	expect(80, 500 * MS, &row,
	       "    from   I/Os    IO/s   MiB/s  errs  depth  most  busy"
	       "     p50     p99     max\n"
	       "  1.000s    533   1.07k    7.73     0   0.24     4   16%"
	       "   198us  4.01ms  8.41ms\n");
	expect(60, 500 * MS, &row,
	       "    from   I/Os    IO/s  depth  busy     p50     p99     max\n"
	       "  1.000s    533   1.07k   0.24   16%   198us  4.01ms  8.41ms\n");
	expect(40, 500 * MS, &row,
	       "    from   I/Os    IO/s     p50     p99\n"
	       "  1.000s    533   1.07k   198us  4.01ms\n");
	histogram_free(&h);
}

/* other percentiles, and more of them than there is room for */
static void test_percentiles(void **state)
{
	static const uint32_t list[] = { 10000, 99900, 99995, 50000, 1 };
	struct series_text t;
	struct series_row row;
	struct histogram h;
	struct buf b;

	(void)state;
	make(&h, &row);
	series_text_init(&t, &(struct look){ .width = 56 }, SECOND, list, 5);
	picture_begin(&b);
	series_text_heading(&b, &t);
	series_text_row(&b, &t, &row);
	assert_string_equal(picture_text(&b),
			    "    from   I/Os     p10   p99.9 p99.995     p50"
			    "  p0.001\n"
			    "  1.000s    533   198us       -       -   198us"
			    "   198us\n");
	buf_free(&b);
	series_text_init(&t, &(struct look){ .width = 40 }, SECOND, list, 5);
	picture_begin(&b);
	series_text_heading(&b, &t);
	assert_string_equal(picture_text(&b),
			    "    from   I/Os     p10   p99.9 p99.995\n");
	buf_free(&b);
	histogram_free(&h);
}

/* few ios, none, and what is not exact */
static void test_unknown(void **state)
{
	struct histogram h = { 0 };
	struct series_row row;

	(void)state;
	make(&h, &row);
	histogram_free(&h);
	row.ios = row.bytes = 0;
	row.left_out = 7;
	row.depth.exact = false;
	row.depth.most = 0;
	row.depth.integral = wide_of(0);
	row.depth.busy = 0;
	expect(80, SECOND, &row,
	       "    from   I/Os    IO/s   MiB/s  errs  depth  most  busy"
	       "     p50     p99     max\n"
	       "... 7 intervals without a completion\n"
	       "  1.000s      0       0       0     0    >=0     0    0%"
	       "       -       -       -\n");
	histogram_add(&h, 5);
	row.left_out = 0;
	row.ios = 1;
	row.depth.exact = true;
	expect(40, SECOND, &row,
	       "    from   I/Os    IO/s     p50     p99\n"
	       "  1.000s      1    2.00       -       -\n");
	histogram_add_times(&h, 5, 98);
	expect(40, SECOND, &row,
	       "    from   I/Os    IO/s     p50     p99\n"
	       "  1.000s      1    2.00     5ns       -\n");
	histogram_free(&h);
}

/* rows of short intervals can be told apart; long times stay in their column */
static void test_time(void **state)
{
	static const struct {
		uint64_t interval, from;
		const char *want;
	} wants[] = {
		{ SECOND, 0, "  0.000s" },
		{ SECOND, 12345678 * MS, "12345.6s" },
		{ SECOND, 123456 * SECOND, " 123456s" },
		{ SECOND, 1234567 * SECOND, "1234567s" },
		{ 2 * MS, 2 * MS, "  0.002s" },
		{ 100000, 12300000, "  0.0123s" },
		{ 1, 999999999, "  0.999999999s" },
		{ 1, 100 * SECOND + 1, "100.000000001s" },
	};
	struct series_row row;
	struct histogram h;
	struct buf b;

	(void)state;
	make(&h, &row);
	for (unsigned int i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		row.depth.from = wants[i].from;
		row.depth.to = wants[i].from + wants[i].interval;
		draw(&b, 80, wants[i].interval, &row);
		assert_memory_equal(strchr(picture_text(&b), '\n') + 1,
				    wants[i].want, strlen(wants[i].want));
		assert_true(picture_width(&b) <= 80);
		buf_free(&b);
	}
	histogram_free(&h);
}

/* what no trace should have stays within the width */
static void test_hostile(void **state)
{
	struct histogram h = { 0 };
	struct series_row row = {
		.ios = UINT64_MAX, .bytes = UINT64_MAX, .errors = UINT64_MAX,
		.spans = &h,
		.depth = { .from = UINT64_MAX - 1, .to = UINT64_MAX,
			   .integral = WIDE_MOST, .busy = UINT64_MAX,
			   .most = UINT32_MAX },
	};

	(void)state;
	histogram_add_times(&h, UINT64_MAX, 1ull << 63);
	for (unsigned int width = 40; width < 100; width++) {
		for (uint64_t interval = 1; interval < SECOND; interval *= 10) {
			struct buf b;

			draw(&b, width, interval, &row);
			assert_in_range(picture_width(&b), 20, width);
			buf_free(&b);
		}
	}
	histogram_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
