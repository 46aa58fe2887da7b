/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands above the graphs of two runs; see pair_tiles.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/comparison_cells.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/pair.h"
#include "report/pair_tiles.h"
#include "report/tiles.h"

_Static_assert((int)PAIR_CHANGE_MAX == (int)COMPARISON_CELL_MAX,
	       "a change is a comparison's cell");

const char *pair_change(char text[PAIR_CHANGE_MAX], double a, double b)
{
	*text = '\0';
	if (a > 0 && !isnan(b))
		comparison_change(true, b / a - 1, text);
	return text;
}

void pair_tiles_write_sub(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		const char *letter = pair_letter(side);

		markup(b, "<span class=\"one\"><b class=\"side-%c\">%s</b> ",
		       "ab"[side], letter);
		markup_text(b, pair->name[side]);
		markup(b, " \xc2\xb7 ");
		tiles_write_sub(pair->side[side], b);
		markup(b, "</span> ");
	}
}

/* --- tiles ---------------------------------------------------------------- */

/* Percentiles of another latency are no number to compare with. */
static bool is_other_span(const struct report_pair *pair, unsigned int tile)
{
	enum { P50 = 4, SLOWEST = 6 };

	return tile >= P50 && tile <= SLOWEST &&
	       page_span(pair->side[COMPARE_A]) !=
	       page_span(pair->side[COMPARE_B]);
}

/* A comparison's rates are over the time from its first I/O to its last, as those
 * of its tables are. */
static void set_rate(const struct report_pair *pair, unsigned int side,
		     struct tile *t)
{
	const struct compare_result *r = pair->verdicts[0].result;

	if (!strcmp(t->key, "rate") && r->work.seconds[side] > 0)
		tiles_set_rate(pair->side[side], r->work.seconds[side], t);
}

static void put_side(const struct tile *t, unsigned int side, struct buf *b)
{
	markup(b, "<div class=\"line%s\"><b class=\"side-%c\">%s</b>",
	       t->bad ? " bad" : "", "ab"[side], pair_letter(side));
	tiles_write_value(t, b);
	markup(b, "</div><div class=\"note\">");
	markup_text(b, t->note);
	markup(b, "</div>");
}

static void put_tile(const struct report_pair *pair, unsigned int i,
		     struct buf *b)
{
	struct tile t[COMPARE_SIDES];
	char change[PAIR_CHANGE_MAX];

	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		tiles_get(pair->side[side], i, &t[side]);
		set_rate(pair, side, &t[side]);
	}
	pair_change(change, t[COMPARE_A].value, t[COMPARE_B].value);
	markup(b, "<div class=\"tile\" data-tile=\"%s\"><div class=\"label\">"
	       "%s <b class=\"change\">%s</b></div>", t[0].key, t[0].label,
	       is_other_span(pair, i) ? "" : change);
	put_side(&t[COMPARE_A], COMPARE_A, b);
	put_side(&t[COMPARE_B], COMPARE_B, b);
	markup(b, "</div>\n");
}

void pair_tiles_write(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int i = 0; i < TILES; i++)
		put_tile(pair, i, b);
}

/* --- findings ------------------------------------------------------------- */

void pair_tiles_write_findings(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		const struct report_page *p = pair->side[side];

		if (!p->remarks->count)
			continue;
		markup(b, "<h2><b class=\"side-%c\">%s</b> only</h2>",
		       "ab"[side], pair_letter(side));
		tiles_write_findings(p, b);
	}
}
