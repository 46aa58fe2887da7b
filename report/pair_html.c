/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of two runs as one file; see pair.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/unit.h"
#include "compare/comparison_text.h"
#include "report/html.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/pair.h"
#include "report/pair_meta.h"
#include "report/table_rows.h"
#include "report/tiles.h"

/* --- pair verdicts -------------------------------------------------------- */

/* What is different between two runs, in btstat's words, as HTML. */

/* of words about the work */
enum { WORDS = 4096 };

/* Lines of text, each as a paragraph; those that belong to the one before
 * begin with blanks. */
static void put_lines(char *text, struct buf *b)
{
	for (char *rest, *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		markup(b, "<p%s>", *line == ' ' ? " class=\"more\"" : "");
		markup_text(b, line);
		markup(b, "</p>\n");
	}
}

/* the lines around the names of the sides in a terminal */
static void put_words(const struct compare_result *r, struct buf *b)
{
	struct buf words;

	if (buf_init(&words, -1, WORDS)) {
		b->error = ENOMEM;
		return;
	}
	comparison_text_work(&r->work, true, &words);
	comparison_text_unit(r, &words);
	buf_append(&words, "", 1);
	put_lines(words.data, b);
	buf_free(&words);
}

/* --- tables --------------------------------------------------------------- */

static void put_cell(struct buf *b, const char *class, const char *text)
{
	markup(b, "<td class=\"%s\">", class);
	markup_text(b, text);
	markup(b, "</td>");
}

static const char *class_of(const struct compare_row *row)
{
	switch (compare_direction(row)) {
	case COMPARE_SLOWER:
		return "verdict slower";
	case COMPARE_FASTER:
		return "verdict faster";
	default:
		return "verdict";
	}
}

static void put_row(const struct compare_row *row, struct buf *b)
{
	struct comparison_cells c;

	comparison_cells(row, &c);
	if (row->kind != COMPARE_RATE) {
		unit_space(c.value[COMPARE_A]);
		unit_space(c.value[COMPARE_B]);
	}
	markup(b, "<tr><th scope=\"row\">%s</th>", c.name);
	put_cell(b, "num", c.value[COMPARE_A]);
	put_cell(b, "num", c.value[COMPARE_B]);
	put_cell(b, "num", c.change);
	put_cell(b, "num", c.interval + strspn(c.interval, " "));
	put_cell(b, class_of(row), c.verdict);
	put_cell(b, "num", c.p);
	markup(b, "</tr>\n");
}

static void put_remark(const char *text, struct buf *b)
{
	markup(b, "<tr><td colspan=\"7\" class=\"remark\">");
	markup_text(b, text);
	markup(b, "</td></tr>\n");
}

/* below the rows */
static void put_remarks(const struct compare_table *t, enum compare_unit unit,
			struct buf *b)
{
	char power[COMPARISON_POWER_MAX];

	if (comparison_has_separated(t))
		put_remark(comparison_separated, b);
	comparison_power(t, unit, power);
	put_remark(power, b);
}

static void put_table(const struct pair_verdict *v,
		      const struct compare_table *t, struct buf *b)
{
	markup(b, "<tbody><tr class=\"group\"><th colspan=\"7\""
	       " scope=\"rowgroup\">%s %s", v->o.phase,
	       t->all ? "all" : io_op_name(t->op));
	if (t->state == COMPARE_DRIFTS)
		markup(b, ": <b>no verdict: %s</b>", comparison_drifts);
	markup(b, "</th></tr>\n");
	for (unsigned int i = 0; i < t->rows; i++)
		put_row(&t->row[i], b);
	put_remarks(t, v->result->unit, b);
	markup(b, "</tbody>\n");
}

static void put_heads(struct buf *b)
{
	static const char *const heads[] = { "A", "B", "Change",
					     "95% interval" };

	markup(b, "<div class=\"wide\"><table><caption class=\"aside\">B"
	       " compared to A</caption><thead><tr><th scope=\"col\">Latency"
	       "</th>");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		markup(b, "<th scope=\"col\" class=\"num\">");
		markup_text(b, heads[i]);
		markup(b, "</th>");
	}
	markup(b, "<th scope=\"col\">Verdict</th><th scope=\"col\""
	       " class=\"num\">p</th></tr></thead>\n");
}

static void put_verdict(const struct pair_verdict *v, struct buf *b)
{
	put_heads(b);
	if (!v->result->tables)
		markup(b, "<tbody><tr class=\"group\"><th colspan=\"7\">%s: %s"
		       "</th></tr></tbody>\n", v->o.phase, comparison_nothing);
	for (unsigned int i = 0; i < v->result->tables; i++)
		put_table(v, &v->result->table[i], b);
	markup(b, "</table></div>\n");
}

/* a section: what verdicts are about, and a table of them */
static void pair_verdicts_write(const struct report_pair *pair, struct buf *b)
{
	markup(b, "<section id=\"verdicts\" aria-label=\"Verdicts\">"
	       "<h2>Differences</h2>\n");
	put_words(pair->verdicts[0].result, b);
	markup(b, "<div class=\"beside\">\n");
	for (unsigned int i = 0; i < PAIR_VERDICTS; i++)
		put_verdict(&pair->verdicts[i], b);
	markup(b, "</div></section>\n");
}

/* --- pair html ------------------------------------------------------------ */

static void put_theme(const void *pair, struct buf *b)
{
	const struct report_pair *p = pair;
	const char *theme = p->side[COMPARE_A]->theme;

	if (theme)
		markup(b, " data-theme=\"%s\"", theme);
	markup(b, " data-pair");
}

static void put_title(const void *pair, struct buf *b)
{
	markup_text(b, ((const struct report_pair *)pair)->title);
}

static void put_sub(const void *pair, struct buf *b)
{
	pair_tiles_write_sub(pair, b);
}

static void put_tiles(const void *pair, struct buf *b)
{
	pair_tiles_write(pair, b);
}

static void put_findings(const void *pair, struct buf *b)
{
	pair_tiles_write_findings(pair, b);
}

static void put_tables(const void *pair, struct buf *b)
{
	table_rows_write_pair(pair, b);
}

static void put_verdicts(const void *pair, struct buf *b)
{
	pair_verdicts_write(pair, b);
}

static void put_about(const void *pair, struct buf *b)
{
	table_rows_write_pair_about(pair, b);
}

static void put_meta(const void *pair, struct buf *b)
{
	pair_meta_write(pair, b, true);
}

static void put_blocks(const void *pair, struct buf *b)
{
	const struct report_pair *p = pair;

	report_html_blocks(p->side[COMPARE_A], "a-", b);
	report_html_blocks(p->side[COMPARE_B], "b-", b);
}

static const struct template_place places[] = {
	{ "THEME", put_theme },
	{ "TITLE", put_title },
	{ "STYLE", template_style },
	{ "SUB", put_sub },
	{ "TILES", put_tiles },
	{ "VERDICTS", put_verdicts },
	{ "FINDINGS", put_findings },
	{ "TABLES", put_tables },
	{ "ABOUT", put_about },
	{ "META", put_meta },
	{ "BLOCKS", put_blocks },
	{ "SCRIPT", template_script },
};

void pair_html_write(const struct report_pair *pair, struct buf *b)
{
	template_write(places, sizeof(places) / sizeof(places[0]), pair, b);
}
