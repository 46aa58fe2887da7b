/* SPDX-License-Identifier: GPL-2.0-only */
/* The movie frame by frame; see movie_frames.h. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/msg.h"
#include "base/time.h"
#include "stat/rates.h"
#include "tools/iowatcher/graphs.h"
#include "tools/iowatcher/movie.h"
#include "tools/iowatcher/movie_frames.h"
#include "tools/iowatcher/options.h"

/* --- canvas --------------------------------------------------------------- */

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

/* --- movie frames --------------------------------------------------------- */

enum {
	BACKGROUND = 0xf4f6f8, CARD = 0xffffff, EDGE = 0xdfe4ea,
	BAND = 0xd6d5f1, CURSOR = 0xc2264b, INK = 0x18212c, TEXT_MAX = 32,
};

static const double TURN = 2 * 3.14159265358979323846;

/* what is to be seen of a cell */
struct lit {
	uint8_t ages[RATE_CLASSES];	/* frames; MOVIE_FADE: no more */
};

/* a pixel of the device's area */
struct spot {
	uint32_t pixel, cell;
};

struct frames {
	struct movie movie;
	struct time_frame time;
	struct movie_card cards[MOVIE_CARDS];
	struct canvas still;	/* what is in all frames */
	struct canvas now;
	struct lit *lit;	/* by cell */
	struct canvas_color *colors;	/* the same */
	struct spot *spots;
	size_t spot_count;
	const struct movie_run **runs;	/* by frame */
};

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		msg_die("out of memory");
	return p;
}

/* --- what stands still ---------------------------------------------------- */

static void draw_frame(struct canvas *c, int x, int y, int width, int height)
{
	canvas_rect(c, x - 1, y - 1, width + 2, height + 2, canvas_color(EDGE));
	canvas_rect(c, x, y, width, height, canvas_color(CARD));
}

static void draw_band(struct canvas *c, const struct movie_card *card,
		      const struct curve *curve)
{
	for (size_t i = 0; i < curve->count; i++) {
		size_t next = i + 1 < curve->count ? i + 1 : i;
		int x = (int)scale_at(&card->across, curve->x[i]);
		int end = (int)scale_at(&card->across, curve->x[next]);
		int top = (int)scale_at(&card->up, curve->y[i]);

		canvas_rect(c, x, top, end - x + 1,
			    (int)scale_at(&card->up, curve->low[i]) - top,
			    canvas_color(BAND));
	}
}

static void draw_line(struct canvas *c, const struct movie_card *card,
		      const struct curve *curve)
{
	for (size_t i = 1; i < curve->count; i++) {
		if (isnan(curve->y[i - 1]) || isnan(curve->y[i]))
			continue;
		canvas_line(c, scale_at(&card->across, curve->x[i - 1]),
			    scale_at(&card->up, curve->y[i - 1]),
			    scale_at(&card->across, curve->x[i]),
			    scale_at(&card->up, curve->y[i]),
			    canvas_color(curve->color));
	}
}

static void draw_card(struct canvas *c, const struct movie_card *card)
{
	char text[TEXT_MAX];

	draw_frame(c, CARD_X, (int)card->y, CARD_WIDTH, CARD_HEIGHT);
	for (size_t i = card->figure.count; i--;) {
		const struct curve *curve = &card->figure.curves[i];

		if (curve->swatch == SVG_BAND)
			draw_band(c, card, curve);
		else if (curve->swatch == SVG_LINE)
			draw_line(c, card, curve);
	}
	snprintf(text, sizeof(text), "%.1f", card->most);
	canvas_digits(c, CARD_X, (int)card->y - 16, text, canvas_color(INK));
}

static void draw_still(struct frames *f)
{
	struct canvas *c = &f->still;

	canvas_rect(c, 0, 0, MOVIE_WIDTH, MOVIE_HEIGHT,
		    canvas_color(BACKGROUND));
	for (int i = 0; i < MOVIE_CARDS; i++)
		draw_card(c, &f->cards[i]);
	draw_frame(c, MAP_X - 8, MAP_Y - 8, MAP_WIDTH + 16, MAP_HEIGHT + 16);
}

/* --- setting up ----------------------------------------------------------- */

static void find_spots(struct frames *f)
{
	f->spots = allocate((size_t)MAP_WIDTH * MAP_HEIGHT, sizeof(*f->spots));
	for (unsigned int y = MAP_Y; y < MAP_Y + MAP_HEIGHT; y++) {
		for (unsigned int x = MAP_X; x < MAP_X + MAP_WIDTH; x++) {
			uint32_t cell = movie_map_at(&f->movie.map, x, y);

			if (cell != UINT32_MAX)
				f->spots[f->spot_count++] = (struct spot){
					y * MOVIE_WIDTH + x, cell };
		}
	}
}

static int by_frame(const void *a, const void *b)
{
	const struct movie_run *one = *(const struct movie_run *const *)a;
	const struct movie_run *other = *(const struct movie_run *const *)b;

	if (one->frame != other->frame)
		return one->frame < other->frame ? -1 : 1;
	return (one > other) - (one < other);
}

static void sort_runs(struct frames *f)
{
	f->runs = allocate(f->movie.count, sizeof(*f->runs));
	for (size_t i = 0; i < f->movie.count; i++)
		f->runs[i] = &f->movie.runs[i];
	qsort(f->runs, f->movie.count, sizeof(*f->runs), by_frame);
}

static void set_up(struct frames *f, const struct watch_options *o,
		   const struct sources *s)
{
	uint32_t cells;

	time_frame_find(&f->time, o, s);
	movie_make(&f->movie, o->movie_style, o, &f->time, s);
	movie_cards_make(f->cards, o, &f->time, s);
	if (canvas_init(&f->still, MOVIE_WIDTH, MOVIE_HEIGHT) ||
	    canvas_init(&f->now, MOVIE_WIDTH, MOVIE_HEIGHT))
		msg_die("out of memory");
	cells = movie_map_cells(&f->movie.map);
	f->lit = allocate(cells, sizeof(*f->lit));
	memset(f->lit, MOVIE_FADE, cells * sizeof(*f->lit));
	f->colors = allocate(cells, sizeof(*f->colors));
	find_spots(f);
	sort_runs(f);
	draw_still(f);
}

static void tear_down(struct frames *f)
{
	movie_cards_free(f->cards);
	movie_free(&f->movie);
	canvas_free(&f->still);
	canvas_free(&f->now);
	free(f->lit);
	free(f->colors);
	free(f->spots);
	free(f->runs);
}

/* --- a frame -------------------------------------------------------------- */

/* from the next run on; the first that is of a later frame */
static size_t light(struct frames *f, size_t next, unsigned int frame)
{
	for (; next < f->movie.count && f->runs[next]->frame == frame; next++) {
		const struct movie_run *r = f->runs[next];

		for (uint32_t cell = r->from; cell < r->to; cell++)
			f->lit[cell].ages[r->class] = 0;
	}
	return next;
}

static bool is_dark(const struct lit *l)
{
	for (int i = 0; i < RATE_CLASSES; i++)
		if (l->ages[i] < MOVIE_FADE)
			return false;
	return true;
}

/* one class above the other, as in SVG */
static int32_t color_of_cell(const struct lit *l)
{
	int32_t color = CARD;

	for (unsigned int i = RATE_CLASSES; i--;)
		color = color_mix(color, movie_color(i),
				  movie_strength(l->ages[i]));
	return color;
}

static void draw_cells(struct frames *f)
{
	uint32_t cells = movie_map_cells(&f->movie.map);

	for (uint32_t i = 0; i < cells; i++)
		f->colors[i] = is_dark(&f->lit[i]) ? canvas_color(CARD) :
			canvas_color(color_of_cell(&f->lit[i]));
	for (size_t i = 0; i < f->spot_count; i++)
		canvas_set(&f->now, f->spots[i].pixel,
			   f->colors[f->spots[i].cell]);
}

static void make_older(struct frames *f)
{
	uint32_t cells = movie_map_cells(&f->movie.map);

	for (uint32_t i = 0; i < cells; i++)
		for (int k = 0; k < RATE_CLASSES; k++)
			f->lit[i].ages[k] += f->lit[i].ages[k] < MOVIE_FADE;
}

static void draw_hand(struct frames *f, double part)
{
	double angle = TURN * MOVIE_TURNS * part;

	canvas_line(&f->now, MAP_MIDDLE_X, MAP_MIDDLE_Y,
		    MAP_MIDDLE_X + (MAP_HUB - 6) * sin(angle),
		    MAP_MIDDLE_Y - (MAP_HUB - 6) * cos(angle),
		    canvas_color(CURSOR));
}

static void draw_moment(struct frames *f, unsigned int frame)
{
	double part = (double)frame / MOVIE_FRAMES;
	uint64_t ns = f->time.from + (uint64_t)((double)(f->time.to -
							 f->time.from) * part);
	int x = CARD_X + (int)(CARD_WIDTH * part);
	char text[TEXT_MAX];

	for (int i = 0; i < MOVIE_CARDS; i++)
		canvas_rect(&f->now, x, (int)f->cards[i].y, 1, CARD_HEIGHT,
			    canvas_color(CURSOR));
	if (f->movie.map.style == MOVIE_SPINDLE)
		draw_hand(f, part);
	snprintf(text, sizeof(text), "%.3f",
		 (double)ns / (double)NS_PER_SECOND);
	canvas_digits(&f->now, MAP_X - 8, 20, text, canvas_color(INK));
}

static bool write_frame(const struct frames *f, struct buf *const outputs[],
			unsigned int count)
{
	bool good = true;

	for (unsigned int i = 0; i < count; i++) {
		canvas_write(&f->now, outputs[i]);
		good &= !outputs[i]->error;
	}
	return good;
}

void movie_frames_write(struct buf *const outputs[], unsigned int count,
			const struct watch_options *o, const struct sources *s)
{
	struct frames f = { .spot_count = 0 };
	bool good = true;
	size_t next = 0;

	set_up(&f, o, s);
	for (unsigned int i = 0; i < count; i++)
		canvas_write_head(&f.now, outputs[i], MOVIE_RATE);
	for (unsigned int i = 0; good && !*o->stop && i < MOVIE_FRAMES; i++) {
		make_older(&f);
		next = light(&f, next, i);
		canvas_copy(&f.now, &f.still);
		draw_cells(&f);
		draw_moment(&f, i);
		good = write_frame(&f, outputs, count);
	}
	tear_down(&f);
}
