/* SPDX-License-Identifier: GPL-2.0-only */
/* Pixels: what is drawn is there, and nothing beyond the borders. */
#include "picture.h"
#include "tools/iowatcher/movie_frames.h"

enum { WIDTH = 20, HEIGHT = 12, RED = 0xff0000 };

static void begin(struct canvas *c)
{
	assert_int_equal(canvas_init(c, WIDTH, HEIGHT), 0);
	canvas_rect(c, -5, -5, 100, 100, canvas_color(0));
}

static bool is(const struct canvas *c, int x, int y, int32_t rgb)
{
	const struct canvas_color color = canvas_color(rgb);
	size_t at = (size_t)y * WIDTH + (size_t)x;

	for (size_t i = 0; i < 3; i++)
		if (c->planes[i * WIDTH * HEIGHT + at] != color.part[i])
			return false;
	return true;
}

/* how many pixels are of that colour */
static unsigned int count(const struct canvas *c, int32_t rgb)
{
	unsigned int n = 0;

	for (int i = 0; i < WIDTH * HEIGHT; i++)
		n += is(c, i % WIDTH, i / WIDTH, rgb);
	return n;
}

/* as any table of BT.601 has them */
static void test_colors(void **state)
{
	static const struct {
		int32_t rgb;
		uint8_t part[3];
	} known[] = {
		{ 0x000000, { 16, 128, 128 } }, { 0xffffff, { 235, 128, 128 } },
		{ 0xff0000, { 81, 90, 240 } }, { 0x00ff00, { 145, 54, 34 } },
		{ 0x0000ff, { 41, 240, 110 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const struct canvas_color c = canvas_color(known[i].rgb);

		for (int k = 0; k < 3; k++)
			assert_in_range(c.part[k] + 1, known[i].part[k],
					known[i].part[k] + 2);
	}
}

static void test_shapes(void **state)
{
	struct canvas c;

	(void)state;
	begin(&c);
	assert_int_equal(count(&c, 0), WIDTH * HEIGHT);
	canvas_rect(&c, 2, 3, 4, 2, canvas_color(RED));
	assert_int_equal(count(&c, RED), 8);
	assert_true(is(&c, 2, 3, RED) && is(&c, 5, 4, RED));
	canvas_free(&c);
	begin(&c);
	canvas_line(&c, 0, 0, WIDTH - 1, HEIGHT - 1, canvas_color(RED));
	assert_in_range(count(&c, RED), WIDTH, WIDTH + HEIGHT);
	assert_true(is(&c, 0, 0, RED) && is(&c, WIDTH - 1, HEIGHT - 1, RED));
	canvas_line(&c, -50, 5, 50, 5, canvas_color(RED));
	assert_true(is(&c, 0, 5, RED) && is(&c, WIDTH - 1, 5, RED));
	canvas_free(&c);
}

static void test_digits(void **state)
{
	struct canvas c;

	(void)state;
	begin(&c);
	canvas_digits(&c, 1, 1, "1x", canvas_color(RED));
	/* eight dots of four pixels */
	assert_int_equal(count(&c, RED), 32);
	assert_true(is(&c, 3, 1, RED) && is(&c, 6, 10, RED));
	canvas_digits(&c, -4, HEIGHT - 1, "8.8", canvas_color(RED));
	canvas_free(&c);
}

static void test_stream(void **state)
{
	static const char head[] =
		"YUV4MPEG2 W20 H12 F25:1 Ip A1:1 C444\nFRAME\n";
	struct canvas c, other;
	struct buf b;

	(void)state;
	picture_begin(&b);
	begin(&c);
	begin(&other);
	canvas_set(&other, 1, canvas_color(RED));
	canvas_copy(&c, &other);
	canvas_write_head(&c, &b, 25);
	canvas_write(&c, &b);
	assert_int_equal(b.len, sizeof(head) - 1 + 3 * WIDTH * HEIGHT);
	assert_memory_equal(b.data, head, sizeof(head) - 1);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal((uint8_t)b.data[sizeof(head) +
						 i * WIDTH * HEIGHT],
				 canvas_color(RED).part[i]);
	canvas_free(&other);
	canvas_free(&c);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_colors),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
