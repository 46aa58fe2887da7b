/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat maps as text; see heat_text.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/heat_text.h"
#include "emit/signs.h"
#include "stat/heat.h"

enum {
	LABEL = 6,		/* columns of a row's label */
	LEFT = LABEL + 2,	/* with a blank and the axis */
	SHADES_MAX = 9,
	ROWS = 12,		/* without a terminal */
	AROUND = 8,		/* lines of a terminal besides rows */
	ROWS_MIN = 3,
	LABEL_ROOM = 9,		/* columns for each label below */
	LEGEND = 40,		/* bytes for a shade's text */
};

struct brush {
	const char *cells[SHADES_MAX + 1];	/* the first is empty */
	unsigned int shades;
	const char *side, *corner, *line;
};

static const struct brush utf8 = {
	{ " ", "░", "▒", "▓", "█" }, 4, "│", "└", "─"
};

static const struct brush ascii = {
	{ " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" }, 9, "|", "+", "-"
};

static const unsigned char hues[] = {
	SIGNS_RAMP_1, SIGNS_RAMP_2, SIGNS_RAMP_3, SIGNS_RAMP_4,
	SIGNS_RAMP_5, SIGNS_RAMP_6, SIGNS_RAMP_7, SIGNS_RAMP_8,
};
enum { HUES = sizeof(hues) / sizeof(*hues) };

struct drawing {
	struct buf *out;
	const struct look *look;
	const struct heat_map *map;
	const struct brush *brush;
	uint64_t start[SHADES_MAX];	/* the lowest count of each shade */
	uint64_t hue_start[HUES];	/* and of each colour */
};

unsigned int heat_text_columns(const struct look *l)
{
	return l->width - LEFT;
}

unsigned int heat_text_rows(const struct look *l)
{
	if (!l->height)
		return ROWS;
	return l->height < AROUND + ROWS_MIN ? ROWS_MIN : l->height - AROUND;
}

static void end_line(struct drawing *d)
{
	buf_append(d->out, "\n", 1);
}

/* The colours of a count are finer than its signs; 0: none. */
static unsigned int hue_of(const struct drawing *d, uint64_t count)
{
	unsigned int hue = 0;

	while (hue < HUES && count >= d->hue_start[hue])
		hue++;
	return d->look->color && hue ? hues[hue - 1] : 0;
}

/* --- heading -------------------------------------------------------------- */

/* whether any count has the shade, from 0 */
static bool shade_is_used(const struct drawing *d, unsigned int i)
{
	if (d->start[i] > d->map->most)
		return false;
	return i + 1 == d->brush->shades || d->start[i + 1] > d->start[i];
}

/* "░ 1+"; returns its columns, 0 if no count has the shade */
static unsigned int legend_of(const struct drawing *d, unsigned int i,
			      char text[LEGEND])
{
	if (!shade_is_used(d, i))
		return 0;
	snprintf(text, LEGEND, "%s %" PRIu64 "+", d->brush->cells[i + 1],
		 d->start[i]);
	return signs_width(text);
}

/* columns of all shades, with the blanks before each */
static unsigned int legend_width(const struct drawing *d)
{
	unsigned int sum = 0;
	char text[LEGEND];

	for (unsigned int i = 0; i < d->brush->shades; i++) {
		unsigned int width = legend_of(d, i, text);

		sum += width ? width + 2 : 0;
	}
	return sum - 1;
}

/* the sign of a shade in its colour, and its count */
static void put_entry(struct drawing *d, unsigned int i, const char *text)
{
	unsigned int hue = hue_of(d, d->start[i]);
	size_t sign = strlen(d->brush->cells[i + 1]);

	if (hue)
		signs_color(d->out, hue);
	buf_append(d->out, text, sign);
	if (hue)
		signs_color(d->out, 0);
	buf_append(d->out, text + sign, strlen(text + sign));
}

/* in as many lines as necessary, starting at column at */
static void put_legend(struct drawing *d, unsigned int at)
{
	unsigned int gap = 1;
	char text[LEGEND];

	for (unsigned int i = 0; i < d->brush->shades; i++) {
		unsigned int width = legend_of(d, i, text);

		if (!width)
			continue;
		if (at + gap + width > d->look->width) {
			end_line(d);
			at = gap = 0;
		}
		at += signs_append(d->out, "  ", gap);
		put_entry(d, i, text);
		at += width;
		gap = 2;
	}
	end_line(d);
}

/* the legend is on the title's line if all of it fits */
static void put_heading(struct drawing *d, const char *title)
{
	static const char cell[] = "a cell:";
	unsigned int width = d->look->width;
	unsigned int at = signs_append(d->out, title, width);

	if (at + 2 + strlen(cell) + legend_width(d) <= width) {
		at += signs_append(d->out, ", ", 2);
	} else {
		end_line(d);
		at = 0;
	}
	put_legend(d, at + signs_append(d->out, cell, width));
}

/* --- rows ---------------------------------------------------------------- */

/* 0 for no count, else from 1 */
static unsigned int shade_of(const struct drawing *d, uint64_t count)
{
	unsigned int shade = count > 0;

	while (shade && shade < d->brush->shades && count >= d->start[shade])
		shade++;
	return shade;
}

static void put_cells(struct drawing *d, const uint64_t *counts)
{
	unsigned int columns = d->map->columns, hue = 0;

	while (columns && !counts[columns - 1])
		columns--;
	for (unsigned int i = 0; i < columns; i++) {
		unsigned int shade = shade_of(d, counts[i]);
		const char *cell = d->brush->cells[shade];

		/* a blank shows no colour */
		if (shade && hue_of(d, counts[i]) != hue) {
			hue = hue_of(d, counts[i]);
			signs_color(d->out, hue);
		}
		buf_append(d->out, cell, strlen(cell));
	}
	if (hue)
		signs_color(d->out, 0);
}

void heat_text_label(struct buf *out, const struct look *l, const char *label)
{
	buf_printf(out, "%*s %s", LABEL, label,
		   l->utf8 ? utf8.side : ascii.side);
}

static void put_row(struct drawing *d, unsigned int row)
{
	const struct heat_map *m = d->map;
	char label[UNIT_MAX];

	unit_step(label, steps_low(m->steps, m->step + row));
	heat_text_label(d->out, d->look, label);
	put_cells(d, m->counts + (size_t)row * m->columns);
	end_line(d);
}

static void put_axis(struct drawing *d)
{
	signs_repeat(d->out, " ", LEFT - 1);
	signs_append(d->out, d->brush->corner, 1);
	signs_repeat(d->out, d->brush->line, d->map->columns);
	end_line(d);
}

/* --- marks --------------------------------------------------------------- */

static const struct mark {
	enum heat_mark mark;
	const char *name, *sign;
	unsigned char color;
} marks[] = {
	{ HEAT_ERROR, "errors", "E", SIGNS_RED },
	{ HEAT_LOST, "lost", "!", 0 },
	{ HEAT_REQUEUE, "requeue", "R", 0 },
	{ HEAT_LABEL, "marks", "M", 0 },
};

static void put_marks(struct drawing *d, const struct mark *k)
{
	bool color = d->look->color && k->color;
	unsigned int last = 0;

	buf_printf(d->out, "%*s ", LEFT - 1, k->name);
	for (unsigned int i = 0; i < d->map->columns; i++) {
		if (d->map->marks[i] & k->mark)
			last = i;
	}
	if (color)
		signs_color(d->out, k->color);
	for (unsigned int i = 0; i <= last; i++)
		buf_append(d->out, d->map->marks[i] & k->mark ? k->sign : " ",
			   1);
	if (color)
		signs_color(d->out, 0);
	end_line(d);
}

/* --- labels of time ------------------------------------------------------ */

/* labels use the largest unit of which a step has a tenth */
static const struct {
	uint64_t size;
	const char *name;
} units[] = {
	{ NS_PER_SECOND, "s" }, { NS_PER_MS, "ms" }, { NS_PER_US, "us" },
	{ 1, "ns" }
};

/* the smallest step of 1-2-5 that has room for each label */
static uint64_t step_of(const struct heat_map *m)
{
	uint64_t least = m->width > UINT64_MAX / LABEL_ROOM ?
		UINT64_MAX : m->width * LABEL_ROOM;
	unsigned int step = steps_find(STEPS_3, least);

	return steps_low(STEPS_3, step) < least ?
		steps_low(STEPS_3, step + 1) : least;
}

/* "0.5"; the first one has the unit */
static void time_label(char *text, size_t size, uint64_t time, uint64_t step,
		       bool first)
{
	unsigned int u = 0, tenths = 0;
	int len;

	while (units[u].size / 10 > step)
		u++;
	if (units[u].size > 1)
		tenths = (unsigned int)(time % units[u].size /
					(units[u].size / 10));
	len = snprintf(text, size, "%" PRIu64, time / units[u].size);
	if (tenths)
		len += snprintf(text + len, size - (size_t)len, ".%u", tenths);
	if (first)
		snprintf(text + len, size - (size_t)len, " %s", units[u].name);
}

/* labels start below the column of their time */
static void put_times(struct drawing *d)
{
	const struct heat_map *m = d->map;
	uint64_t step = step_of(m), end = heat_map_end(m);
	uint64_t time = m->from - m->from % step;
	unsigned int at = 0;
	char text[40];

	if (time < m->from)
		time = time > UINT64_MAX - step ? UINT64_MAX : time + step;
	while (time < end) {
		unsigned int column =
			LEFT + (unsigned int)((time - m->from) / m->width);

		time_label(text, sizeof(text), time, step, !at);
		if (column + strlen(text) <= d->look->width &&
		    (!at || column > at)) {
			signs_repeat(d->out, " ", column - at);
			at = column + signs_append(d->out, text, LEFT * 3);
		}
		if (time > UINT64_MAX - step)
			break;
		time += step;
	}
	end_line(d);
}

/* --- the map -------------------------------------------------------------- */

void heat_text(struct buf *out, const struct look *l, const char *title,
	       const struct heat_map *m)
{
	struct drawing d = { .out = out, .look = l, .map = m,
			     .brush = l->utf8 ? &utf8 : &ascii };

	if (!m->rows) {
		signs_append(out, title, l->width);
		end_line(&d);
		return;
	}
	heat_map_shades(m, d.brush->shades, d.start);
	heat_map_shades(m, HUES, d.hue_start);
	put_heading(&d, title);
	for (unsigned int row = m->rows; row--;)
		put_row(&d, row);
	put_axis(&d);
	for (unsigned int i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (m->all_marks & marks[i].mark)
			put_marks(&d, &marks[i]);
	}
	put_times(&d);
}
