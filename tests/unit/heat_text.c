/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat maps as text. */
#include "emit/heat_text.h"
#include "picture.h"
#include "stat/heat.h"

#define US 1000ull
#define MS 1000000ull

/* 4 s: fast ios all the time, slow ones in the middle, marks */
static struct heat *make_heat(void)
{
	struct heat *h;

	assert_int_equal(heat_new(&h, &HEAT_SIZE), 0);
	for (uint64_t t = 0; t < 4000; t += 4)
		heat_add(h, t * MS, (100 + t % 100) * US);
	for (uint64_t t = 1500; t < 2500; t += 50)
		heat_add(h, t * MS, (t - 1400) * 20 * US);
	heat_mark(h, 1000 * MS, HEAT_ERROR);
	heat_mark(h, 1500 * MS, HEAT_ERROR | HEAT_LOST);
	heat_mark(h, 3990 * MS, HEAT_REQUEUE);
	return h;
}

static void draw(struct buf *b, const struct heat *h, const struct look *l)
{
	struct heat_map m;

	picture_begin(b);
	assert_int_equal(heat_map_make(&m, h, heat_text_columns(l),
				       heat_text_rows(l)), 0);
	heat_text(b, l, "Q2C of 1020 ios by time of completion", &m);
	heat_map_free(&m);
}

static void expect(const struct look *l, const char *want)
{
	struct heat *h = make_heat();
	struct buf b;

	draw(&b, h, l);
	assert_string_equal(picture_text(&b), want);
	buf_free(&b);
	heat_free(h);
}

static void test_ascii(void **state)
{
	static const struct look look = { .width = 60 };

	(void)state;
	expect(&look,
	       "Q2C of 1020 ios by time of completion\n"
	       "a cell: . 1+  - 2+  = 3+  + 4+  * 6+  # 8+  % 12+  @ 17+\n"
	       "  20ms |                              ..\n"
	       "  10ms |                        .-.--..\n"
	       "   5ms |                     -.-\n"
	       "   2ms |                   -.\n"
	       "   1ms |\n"
	       " 500us |\n"
	       " 200us |\n"
	       " 100us |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@#\n"
	       "       +----------------------------------------------------\n"
	       " errors             E      E\n"
	       "   lost                    !\n"
	       "requeue                                                    R\n"
	       "        0 s         1            2            3            4\n");
}

static void test_utf8(void **state)
{
	static const struct look look = { .width = 60, .utf8 = true };

	(void)state;
	expect(&look,
	       "Q2C of 1020 ios by time of completion\n"
	       "a cell: ░ 1+  ▒ 2+  ▓ 5+  █ 13+\n"
	       "  20ms │                              ░░\n"
	       "  10ms │                        ░▒░▒▒░░\n"
	       "   5ms │                     ▒░▒\n"
	       "   2ms │                   ▒░\n"
	       "   1ms │\n"
	       " 500us │\n"
	       " 200us │\n"
	       " 100us │███████████████████████████████████████████████████▓\n"
	       "       └────────────────────────────────────────────────────\n"
	       " errors             E      E\n"
	       "   lost                    !\n"
	       "requeue                                                    R\n"
	       "        0 s         1            2            3            4\n");
}

/* the legend is on the title's line when just all of it fits */
static void test_legend(void **state)
{
	static const char title[] = "Q2C of 1020 ios by time of completion";
	struct heat *h = make_heat();

	(void)state;
	for (unsigned int width = 60; width < 120; width++) {
		struct look look = { .width = width, .utf8 = true };
		const char *legend, *line;
		struct buf b;

		draw(&b, h, &look);
		line = picture_text(&b) + strlen(title);
		legend = strstr(line, "a cell: ");
		if (*line == '\n')
			assert_true(width < strlen(title) + 33);
		else
			assert_memory_equal(line, ", a cell: ", 10);
		assert_non_null(legend);
		assert_true(strchr(legend, '\n') > strstr(legend, "█"));
		buf_free(&b);
	}
	heat_free(h);
}

/* eight steps of one hue, finer than the signs; red for errors and for nothing
 * else */
static void test_color(void **state)
{
	static const struct look look = {
		.width = 40, .height = 12, .utf8 = true, .color = true
	};

	(void)state;
	expect(&look,
	       "Q2C of 1020 ios by time of completion\n"
	       "a cell: \033[38;5;23m░\033[0m 1+  \033[38;5;30m▒\033[0m 2+"
	       "  \033[38;5;51m▓\033[0m 6+  \033[38;5;123m█\033[0m 18+\n"
	       "  10ms │               \033[38;5;37m▒\033[38;5;30m▒"
	       "\033[38;5;37m▒\033[38;5;30m▒▒\033[0m\n"
	       "   1ms │           \033[38;5;23m░\033[38;5;30m▒\033[38;5;37m▒"
	       "\033[38;5;30m▒\033[0m\n"
	       " 100us │\033[38;5;159m███████████████████████████████"
	       "\033[38;5;123m█\033[0m\n"
	       "       └────────────────────────────────\n"
	       " errors \033[38;5;196m       E   E\033[0m\n"
	       "   lost            !\n"
	       "requeue                                R\n"
	       "        0 s            2               4\n");
}

/* any width has its picture: no line beyond it, colours add nothing to it, and
 * all signs but those of rows and lines are ASCII */
static void test_widths(void **state)
{
	struct heat *h = make_heat();

	(void)state;
	for (unsigned int i = 0; i < 4 * 240; i++) {
		struct look look = { .width = 40 + i / 4, .height = i % 50,
				     .utf8 = i & 1, .color = i & 2 };
		struct buf plain, b;

		draw(&b, h, &look);
		assert_in_range(picture_width(&b), look.width * 3 / 4,
				look.width);
		assert_true(look.utf8 || !strpbrk(picture_text(&b), "█▒│└─"));
		look.color = false;
		draw(&plain, h, &look);
		assert_string_equal(picture_text(&plain), picture_text(&b));
		buf_free(&plain);
		buf_free(&b);
	}
	heat_free(h);
}

/* the axis of a part of a trace, and of traces from ns to centuries */
static void test_axis(void **state)
{
	static const struct look look = { .width = 56 };
	static const struct {
		uint64_t from, length;
		const char *last;
	} wants[] = {
		{ 0, 70u,
		  "        0 ns      20        40        60\n" },
		{ 0, 3000u,
		  "        0 us           1               2              3\n" },
		{ 0, 250000u,
		  "        0 us     50        100      150       200\n" },
		{ 0, 12345678u,
		  "        0 ms               5                  10\n" },
		{ 0, 900000000u,
		  "        0 s       0.2        0.4       0.6        0.8\n" },
		{ 0, 2700600000u,
		  "        0 s              1                 2\n" },
		{ 4800000000u, 700000000u,
		  "        4.8 s        5             5.2          5.4\n" },
		{ 0, 3600000000000u,
		  "        0 s          1000         2000         3000\n" },
		{ 1000000000000000000u, 5u,
		  "        1000000000000000000 ns\n" },
		{ 0, 18446744073709551615u,
		  "        0 s         5000000000   10000000000\n" },
		{ 9223372036854775808u, 9223372036854775807u,
		  "            10000000000 s       14000000000\n" },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		struct heat_size size = { 2048, STEPS_6, wants[i].from };
		struct heat *h;
		struct buf b;
		const char *line;

		assert_int_equal(heat_new(&h, &size), 0);
		heat_add(h, wants[i].from + wants[i].length, 1000);
		draw(&b, h, &look);
		assert_in_range(picture_width(&b), 20, 56);
		line = strrchr(picture_text(&b), '-') + 2;
		assert_string_equal(line, wants[i].last);
		buf_free(&b);
		heat_free(h);
	}
}

/* of nothing there is the title only */
static void test_nothing(void **state)
{
	static const struct look look = { .width = 40 };
	struct heat *h;
	struct buf b;

	(void)state;
	assert_int_equal(heat_new(&h, &HEAT_SIZE), 0);
	heat_mark(h, 5, HEAT_ERROR);
	draw(&b, h, &look);
	assert_string_equal(picture_text(&b),
			    "Q2C of 1020 ios by time of completion\n");
	buf_free(&b);
	heat_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_legend),
		cmocka_unit_test(test_color),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_axis),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
