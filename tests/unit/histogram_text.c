/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms as text. */
#include "base/histogram.h"
#include "emit/series_text.h"
#include "picture.h"
#include "stat/scale.h"

/* 7,500 numbers around one */
static void make(struct histogram *h)
{
	*h = (struct histogram){ 0 };
	histogram_add_times(h, 900, 1493);
	histogram_add_times(h, 1500, 5532);
	histogram_add_times(h, 4000, 470);
	histogram_add_times(h, 15000, 4);
	histogram_add_times(h, 60000, 1);
}

static void draw(struct buf *b, const struct histogram *h,
		 const struct look *l)
{
	struct bins bins;

	bins_make(&bins, h, histogram_text_rows(l));
	picture_begin(b);
	histogram_text(b, l, &bins);
}

static void expect(const struct look *l, const char *want)
{
	struct histogram h;
	struct buf b;

	make(&h);
	draw(&b, &h, l);
	assert_string_equal(picture_text(&b), want);
	buf_free(&b);
	histogram_free(&h);
}

static void test_utf8(void **state)
{
	static const struct look look = {
		.width = 60, .height = 16, .utf8 = true
	};

	(void)state;
	expect(&look,
	       "   from      to    count   share     up to\n"
	       "  500ns     1us     1493  19.91%   19.907%  ████▎\n"
	       "    1us     2us     5532  73.76%   93.667%  ████████████████\n"
	       "    2us     5us      470   6.27%   99.933%  █▎\n"
	       "    5us    10us        0   0.00%   99.933%\n"
	       "   10us    20us        4   0.05%   99.987%  ▏\n"
	       "   20us    50us        0   0.00%   99.987%\n"
	       "   50us   100us        1   0.01%  100.000%  ▏\n");
}

static void test_ascii(void **state)
{
	static const struct look look = { .width = 40, .height = 14 };

	(void)state;
	expect(&look,
	       "   from      to    count   share\n"
	       "  100ns     1us     1493  19.91%  #\n"
	       "    1us    10us     6002  80.03%  ######\n"
	       "   10us   100us        5   0.07%  #\n");
}

/* no terminal: there is room for the finer steps */
static void test_color(void **state)
{
	static const struct look look = {
		.width = 44, .utf8 = true, .color = true
	};

	(void)state;
	expect(&look,
	       "   from      to    count   share\n"
	       "  700ns     1us     1493  19.91%  \033[38;5;37m██▋\033[0m\n"
	       "    1us   1.5us     5532  73.76%  \033[38;5;37m██████████\033[0m\n"
	       "  1.5us     2us        0   0.00%\n"
	       "    2us     3us        0   0.00%\n"
	       "    3us     5us      470   6.27%  \033[38;5;37m▊\033[0m\n"
	       "    5us     7us        0   0.00%\n"
	       "    7us    10us        0   0.00%\n"
	       "   10us    15us        0   0.00%\n"
	       "   15us    20us        4   0.05%  \033[38;5;37m▏\033[0m\n"
	       "   20us    30us        0   0.00%\n"
	       "   30us    50us        0   0.00%\n"
	       "   50us    70us        1   0.01%  \033[38;5;37m▏\033[0m\n");
}

/* no line is beyond the width, the longest bar ends there, and the numbers of
 * hostile traces have their columns */
static void test_widths(void **state)
{
	struct histogram h;
	struct buf b;

	(void)state;
	make(&h);
	histogram_add_times(&h, UINT64_MAX, 1ull << 62);
	for (unsigned int i = 0; i < 4 * 200; i++) {
		struct look look = { .width = 40 + i / 4, .height = i % 60,
				     .utf8 = i & 1, .color = i & 2 };

		draw(&b, &h, &look);
		assert_int_equal(picture_width(&b), look.width);
		buf_free(&b);
	}
	histogram_free(&h);
}

static void test_nothing(void **state)
{
	static const struct look look = { .width = 40 };
	struct histogram h = { 0 };
	struct buf b;

	(void)state;
	draw(&b, &h, &look);
	assert_string_equal(picture_text(&b),
			    "   from      to    count   share\n");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_color),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
