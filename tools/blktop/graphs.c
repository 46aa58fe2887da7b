/* SPDX-License-Identifier: GPL-2.0-only */
/* Graphs of the last intervals; see graphs.h. */
#include <errno.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/heat_text.h"
#include "emit/signs.h"
#include "stat/heat.h"
#include "tools/blktop/graphs.h"
#include "tools/blktop/history.h"

enum {
	MAP_MIN = 8,		/* lines of a map, */
	MAP_OTHERS = 3,		/* of them heading, axis, times; */
	MAP_ROWS_MIN = MAP_MIN - MAP_OTHERS,	/* for all decades */
	FINE_LINES = 22,	/* from this on, a map has finer steps */
	CELL_BYTES = 3,		/* of a sign */
	SWITCH_BYTES = 16,	/* of a change of colour */
};

struct graphs {
	const struct look *look;
	const struct history *history;
	unsigned int back;
	unsigned int count;	/* intervals shown */
	unsigned int each;	/* columns of one */
};

/* --- bars ----------------------------------------------------------------- */

static double per_second(const struct sample *s, double count)
{
	uint64_t ns = s->depth.to - s->depth.from;

	return ns ? count * (double)NS_PER_SECOND / (double)ns : 0;
}

static double ios(const struct sample *s)
{
	return per_second(s, (double)(s->read.ios + s->write.ios +
				      s->rest.ios + s->flush_ios.count));
}

static double reads(const struct sample *s)
{
	return per_second(s, (double)s->read.ios);
}

static double writes(const struct sample *s)
{
	return per_second(s, (double)s->write.ios);
}

static double flushes(const struct sample *s)
{
	return per_second(s, (double)sample_flush(s)->count);
}

static double mib(const struct sample *s)
{
	return per_second(s, (double)(s->read.bytes + s->write.bytes)) /
	       (1 << 20);
}

static double depth(const struct sample *s)
{
	uint64_t ns = s->depth.to - s->depth.from;

	return ns ? wide_double(s->depth.integral) / (double)ns : 0;
}

static const struct bars {
	const char *title;
	double (*value)(const struct sample *s);
	unsigned int color;	/* 0: the default */
} all = { "IO/s", ios, 0 }, read = { "read IO/s", reads, SIGNS_BLUE },
  write = { "write IO/s", writes, SIGNS_ORANGE },
  flush = { "flush/s", flushes, 0 }, bytes = { "MiB/s", mib, 0 },
  queue = { "queue depth", depth, 0 };

enum { BARS_MOST = 5 };

/* which of them there are, by the lines for all of them */
static const struct {
	unsigned int lines, count;
	const struct bars *bars[BARS_MOST];
} sets[] = {
	{ 20, 5, { &read, &write, &flush, &bytes, &queue } },
	{ 12, 4, { &read, &write, &bytes, &queue } },
	{ 8, 3, { &read, &write, &queue } },
	{ 4, 2, { &all, &queue } },
	{ 0, 1, { &all } },
};

static const struct sample *nth(const struct graphs *g, unsigned int i)
{
	return history_get(g->history, g->back + g->count - 1 - i);
}

static double most_of(const struct graphs *g, const struct bars *bars)
{
	double most = 0;

	for (unsigned int i = 0; i < g->count; i++)
		if (bars->value(nth(g, i)) > most)
			most = bars->value(nth(g, i));
	return most;
}

/* the part of a value's bar in a row, in eighths; any value has one */
static unsigned int part_of(double value, double most, unsigned int rows,
			    unsigned int row)
{
	unsigned int sum, below = row * SIGNS_LEVELS;

	if (value <= 0)
		return 0;
	sum = (unsigned int)(value / most * rows * SIGNS_LEVELS + 0.5);
	sum = sum ? sum : 1;
	if (sum <= below)
		return 0;
	return sum - below < SIGNS_LEVELS ? sum - below : SIGNS_LEVELS;
}

static void put_row(struct buf *b, const struct graphs *g,
		    const struct bars *bars, double most, unsigned int rows,
		    unsigned int row)
{
	bool color = g->look->color && bars->color;
	unsigned int empty = 0;

	if (color)
		signs_color(b, bars->color);
	for (unsigned int i = 0; i < g->count; i++) {
		unsigned int part = part_of(bars->value(nth(g, i)), most, rows,
					    row);

		if (!part) {
			empty += g->each;
			continue;
		}
		signs_repeat(b, " ", empty);
		signs_repeat(b, signs_level(g->look->utf8, part), g->each);
		empty = 0;
	}
	if (color)
		signs_color(b, 0);
	buf_append(b, "\n", 1);
}

/* a heading, and rows from the highest value down to 0; in a single line its
 * title is beside it, not its scale */
static void put_bars(struct buf *b, const struct graphs *g,
		     const struct bars *bars, unsigned int lines)
{
	unsigned int rows = lines > 1 ? lines - 1 : 1;
	double most = most_of(g, bars);
	char label[UNIT_MAX];

	if (lines > 1)
		buf_printf(b, "%s\n", bars->title);
	unit_decimal(label, (uint64_t)(most * 1000 + 0.5), 1000);
	for (unsigned int row = rows; row--;) {
		heat_text_label(b, g->look, lines == 1 ? bars->title :
				!row && rows > 1 ? "0" :
				row == rows - 1 && most > 0 ? label : "");
		put_row(b, g, bars, most, rows, row);
	}
}

/* Those without any value are left out, unless all are. */
static unsigned int choose_bars(const struct graphs *g, unsigned int lines,
				const struct bars *shown[BARS_MOST])
{
	unsigned int set = 0, n = 0;

	while (lines < sets[set].lines)
		set++;
	for (unsigned int i = 0; i < sets[set].count; i++)
		if (most_of(g, sets[set].bars[i]) > 0)
			shown[n++] = sets[set].bars[i];
	for (unsigned int i = 0; !shown[0] && i < sets[set].count; i++)
		shown[n++] = sets[set].bars[i];
	return n;
}

static void put_all_bars(struct buf *b, const struct graphs *g,
			 unsigned int lines)
{
	const struct bars *shown[BARS_MOST] = { NULL };
	unsigned int n = choose_bars(g, lines, shown);

	for (unsigned int i = 0; i < n; i++)
		put_bars(b, g, shown[i], lines / n + (i < lines % n));
}

/* --- the map -------------------------------------------------------------- */

static unsigned int lines_in(const struct buf *b)
{
	unsigned int lines = 0;

	for (size_t i = 0; i < b->len; i++)
		lines += b->data[i] == '\n';
	return lines;
}

/* A map of at most this many lines in an empty buffer, or nothing if too few are
 * rows: how many are legend and marks is known when it is made.  0 or -ENOMEM. */
static int make_map(struct buf *b, const struct graphs *g, unsigned int lines)
{
	unsigned int rows = lines - MAP_OTHERS, over = 0;

	do {
		struct heat_map m;

		rows -= over;
		b->len = 0;
		if (history_map(g->history, g->back,
				heat_text_columns(g->look), rows,
				lines >= FINE_LINES, &m))
			return -ENOMEM;
		heat_text(b, g->look, "latency over time", &m);
		heat_map_free(&m);
		over = lines_in(b) > lines ? lines_in(b) - lines : 0;
	} while (over && rows - over >= MAP_ROWS_MIN);
	if (over)
		b->len = 0;
	return 0;
}

/* --- all of them ---------------------------------------------------------- */

/* lines of the map, of all: the rest is for bars */
static unsigned int map_lines(unsigned int lines)
{
	unsigned int map = lines - lines * 2 / 5;

	if (lines < MAP_MIN)
		return 0;
	map = map < MAP_MIN ? MAP_MIN : map;
	return map < lines ? map : lines;
}

static int with_map(struct buf *b, const struct graphs *g, unsigned int lines)
{
	size_t size = (size_t)lines * g->look->width *
		      (CELL_BYTES + SWITCH_BYTES);
	struct buf map;
	unsigned int most = map_lines(lines), left;
	int err = buf_init(&map, -1, size);

	if (err)
		return err;
	/* a legend and marks of several lines take them from bars */
	do
		err = make_map(&map, g, most);
	while (!err && !map.len && most++ < lines);
	left = lines - lines_in(&map);
	if (left)
		put_all_bars(b, g, left);
	buf_append(b, map.data, map.len);
	buf_free(&map);
	return err;
}

int graphs_text(struct buf *b, const struct look *look,
		const struct history *h, unsigned int back,
		unsigned int lines)
{
	unsigned int columns = heat_text_columns(look);
	struct graphs g = {
		.look = look, .history = h, .back = back,
		.count = history_shown(h, back, columns),
		.each = history_stretch(h, back, columns),
	};

	if (map_lines(lines))
		return with_map(b, &g, lines);
	put_all_bars(b, &g, lines);
	return 0;
}
