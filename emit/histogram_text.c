/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms as text; see histogram_text.h. */
#include <stdio.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/unit.h"
#include "emit/histogram_text.h"
#include "emit/signs.h"
#include "stat/steps.h"

enum {
	ROWS = 16,		/* where there is no terminal */
	AROUND = 8,		/* lines of a terminal that are no rows */
	ROWS_MIN = 3,
	/* columns of what is before the bars */
	LABEL = 7,
	COUNT = 8,
	SHARE = 7,
	UP_TO = 9,
	UP_TO_WIDTH = 60,	/* narrower lines do without it */
	COUNT_MAX = 99999999,	/* greater ones have three digits */
	SHARE_DECIMALS = 2,
	UP_TO_DECIMALS = 3,	/* one more: it is what tails are read from */
	EIGHTHS = 8,
	HUE = 37,		/* as the middle shade of a heat map */
};

static const char *const eighths[EIGHTHS] = {
	"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"
};

unsigned int histogram_text_rows(const struct look *l)
{
	if (!l->height)
		return ROWS;
	return l->height < AROUND + ROWS_MIN ? ROWS_MIN : l->height - AROUND;
}

/* count of most, of a bar of so many parts; at least one if there is any */
static unsigned int length_of(uint64_t count, uint64_t most, unsigned int parts)
{
	unsigned int n = (unsigned int)wide_share(count, parts, most);

	return n ? n : count > 0;
}

static void put_bar(struct buf *out, const struct look *l, uint64_t count,
		    uint64_t most, unsigned int room)
{
	unsigned int n;

	if (!l->utf8) {
		signs_repeat(out, "#", length_of(count, most, room));
		return;
	}
	n = length_of(count, most, room * EIGHTHS);
	signs_repeat(out, "█", n / EIGHTHS);
	signs_append(out, eighths[n % EIGHTHS], 1);
}

static void count_text(char text[UNIT_MAX], uint64_t count)
{
	if (count > COUNT_MAX)
		unit_decimal(text, count, 1);
	else
		snprintf(text, UNIT_MAX, "%u", (unsigned int)count);
}

/* returns how many columns it took */
static unsigned int put_texts(struct buf *out, const struct look *l,
			      const char *from, const char *to,
			      const char *count, const char *share,
			      const char *up_to)
{
	buf_printf(out, "%*s %*s %*s %*s", LABEL, from, LABEL, to, COUNT, count,
		   SHARE, share);
	if (l->width < UP_TO_WIDTH)
		return 2 * LABEL + COUNT + SHARE + 3;
	buf_printf(out, " %*s", UP_TO, up_to);
	return 2 * LABEL + COUNT + SHARE + UP_TO + 4;
}

static unsigned int put_numbers(struct buf *out, const struct look *l,
				const struct bins *b, const struct bin *row)
{
	char from[UNIT_MAX], to[UNIT_MAX], count[UNIT_MAX];
	char share[UNIT_MAX], up_to[UNIT_MAX];

	unit_step(from, row->from);
	unit_step(to, row->to);
	count_text(count, row->count);
	unit_share_exact(share, row->count, b->total, SHARE_DECIMALS);
	unit_share_exact(up_to, row->up_to, b->total, UP_TO_DECIMALS);
	return put_texts(out, l, from, to, count, share, up_to);
}

static void put_row(struct buf *out, const struct look *l,
		    const struct bins *b, const struct bin *row)
{
	unsigned int at = put_numbers(out, l, b, row) + 2;

	if (row->count) {
		buf_append(out, "  ", 2);
		if (l->color)
			signs_color(out, HUE);
		put_bar(out, l, row->count, b->most, l->width - at);
		if (l->color)
			signs_color(out, 0);
	}
	buf_append(out, "\n", 1);
}

void histogram_text(struct buf *out, const struct look *l,
		    const struct bins *b)
{
	put_texts(out, l, "from", "to", "count", "share", "up to");
	buf_append(out, "\n", 1);
	for (unsigned int i = 0; i < b->count; i++)
		put_row(out, l, b, &b->rows[i]);
}
