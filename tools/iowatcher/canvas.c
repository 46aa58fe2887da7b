/* SPDX-License-Identifier: GPL-2.0-only */
/* A frame as pixels; see canvas.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tools/iowatcher/canvas.h"

/* a digit: five rows of three bits, each so many px */
enum { DIGIT_ROWS = 5, DIGIT_COLUMNS = 3, DOT = 2, DIGIT_WIDE = 8 };

static size_t pixels(const struct canvas *c)
{
	return (size_t)c->width * c->height;
}

int canvas_init(struct canvas *c, unsigned int width, unsigned int height)
{
	*c = (struct canvas){ .width = width, .height = height };
	c->planes = calloc(3, pixels(c));
	return c->planes ? 0 : -ENOMEM;
}

void canvas_free(struct canvas *c)
{
	free(c->planes);
	c->planes = NULL;
}

void canvas_copy(struct canvas *c, const struct canvas *from)
{
	memcpy(c->planes, from->planes, 3 * pixels(c));
}

/* --- colours -------------------------------------------------------------- */

/* ITU-R BT.601, 16 to 235 */
struct canvas_color canvas_color(int32_t rgb)
{
	double r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
	const double yuv[] = {
		16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256,
		128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256,
		128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256,
	};
	struct canvas_color c;

	for (int i = 0; i < 3; i++)
		c.part[i] = (uint8_t)lround(yuv[i]);
	return c;
}

void canvas_set(struct canvas *c, size_t pixel, struct canvas_color color)
{
	for (int i = 0; i < 3; i++)
		c->planes[i * pixels(c) + pixel] = color.part[i];
}

/* --- shapes --------------------------------------------------------------- */

static void set(struct canvas *c, int x, int y, struct canvas_color color)
{
	if (x < 0 || y < 0 || x >= (int)c->width || y >= (int)c->height)
		return;
	canvas_set(c, (size_t)y * c->width + (size_t)x, color);
}

void canvas_rect(struct canvas *c, int x, int y, int width, int height,
		 struct canvas_color color)
{
	for (int row = y; row < y + height; row++)
		for (int column = x; column < x + width; column++)
			set(c, column, row, color);
}

void canvas_line(struct canvas *c, double x0, double y0, double x1, double y1,
		 struct canvas_color color)
{
	double far = fmax(fabs(x1 - x0), fabs(y1 - y0));
	int steps = far < 100000 ? (int)far + 1 : 0;

	for (int i = 0; i <= steps; i++) {
		double part = steps ? (double)i / steps : 0;

		set(c, (int)lround(x0 + (x1 - x0) * part),
		    (int)lround(y0 + (y1 - y0) * part), color);
	}
}

/* --- digits --------------------------------------------------------------- */

static uint8_t row_of(char digit, int row)
{
	static const uint8_t rows[10][DIGIT_ROWS] = {
		{ 7, 5, 5, 5, 7 }, { 2, 6, 2, 2, 7 }, { 7, 1, 7, 4, 7 },
		{ 7, 1, 7, 1, 7 }, { 5, 5, 7, 1, 1 }, { 7, 4, 7, 1, 7 },
		{ 7, 4, 7, 5, 7 }, { 7, 1, 1, 1, 1 }, { 7, 5, 7, 5, 7 },
		{ 7, 5, 7, 1, 7 },
	};

	if (digit == '.')
		return row == DIGIT_ROWS - 1 ? 2 : 0;
	return digit >= '0' && digit <= '9' ? rows[digit - '0'][row] : 0;
}

static void put_digit(struct canvas *c, int x, int y, char digit,
		      struct canvas_color color)
{
	for (int row = 0; row < DIGIT_ROWS; row++)
		for (int bit = 0; bit < DIGIT_COLUMNS; bit++)
			if (row_of(digit, row) >> (DIGIT_COLUMNS - 1 - bit) & 1)
				canvas_rect(c, x + bit * DOT, y + row * DOT,
					    DOT, DOT, color);
}

void canvas_digits(struct canvas *c, int x, int y, const char *text,
		   struct canvas_color color)
{
	for (; *text; text++, x += DIGIT_WIDE)
		put_digit(c, x, y, *text, color);
}

/* --- the stream ----------------------------------------------------------- */

void canvas_write_head(const struct canvas *c, struct buf *b,
		       unsigned int rate)
{
	buf_printf(b, "YUV4MPEG2 W%u H%u F%u:1 Ip A1:1 C444\n", c->width,
		   c->height, rate);
}

void canvas_write(const struct canvas *c, struct buf *b)
{
	static const char head[] = "FRAME\n";

	buf_append(b, head, sizeof(head) - 1);
	buf_append(b, c->planes, 3 * pixels(c));
}
