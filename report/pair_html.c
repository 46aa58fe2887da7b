/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of two runs as one file; see pair.h. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/unit.h"
#include "compare/comparison_text.h"
#include "compare/outcome.h"
#include "report/html.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/pair.h"
#include "report/pair_meta.h"
#include "report/table_rows.h"
#include "report/tiles.h"

/* --- outcome -------------------------------------------------------------- */

/* The outcome in a sentence, and what it is about, in btstat's words. */

/* of words about the work */
enum { WORDS = 4096 };

/* how an indented line is joined to the one before */
static const char *join_of(const char *before, const char *line)
{
	return *line == '(' || before[strlen(before) - 1] == ':' ? " " : "; ";
}

/* Lines of text, each as a paragraph with the indented ones after it. */
static void put_lines(char *text, struct buf *b)
{
	const char *before = NULL;

	for (char *rest, *line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		bool more = before && *line == ' ';

		line += strspn(line, " ");
		if (more) {
			markup(b, "%s", join_of(before, line));
		} else {
			markup(b, "%s<p>", before ? "</p>\n" : "");
			*line = (char)toupper((unsigned char)*line);
		}
		markup_text(b, line);
		before = line;
	}
	if (before)
		markup(b, "</p>\n");
}

/* text that is written into a buffer, as HTML */
static void put_written(const struct pair_verdict *v,
			void (*write)(const struct pair_verdict *v,
				      struct buf *words),
			void (*put)(char *text, struct buf *b), struct buf *b)
{
	struct buf words;

	if (buf_init(&words, -1, WORDS)) {
		b->error = ENOMEM;
		return;
	}
	write(v, &words);
	buf_append(&words, "", 1);
	put(words.data, b);
	buf_free(&words);
}

static void write_sentence(const struct pair_verdict *v, struct buf *words)
{
	outcome_sentence(&(struct outcome_words){ v->o.phase, true },
			 v->result, words);
}

static void write_work(const struct pair_verdict *v, struct buf *words)
{
	comparison_text_work(&v->result->work, true, words);
	comparison_text_unit(v->result, words);
}

static void put_text(char *text, struct buf *b)
{
	markup_text(b, text);
}

/* Q2C, or D2C of traces without it */
static const struct pair_verdict *main_verdict(const struct report_pair *pair)
{
	for (unsigned int i = 0; i < PAIR_VERDICTS; i++)
		if (pair->verdicts[i].result->tables)
			return &pair->verdicts[i];
	return &pair->verdicts[0];
}

static const char *direction_class(enum compare_verdict direction)
{
	switch (direction) {
	case COMPARE_SLOWER:
		return " slower";
	case COMPARE_FASTER:
		return " faster";
	default:
		return "";
	}
}

static const char runs_command[] =
	", as in <code>btstat --compare A1 A2 A3 A4 -- B1 B2 B3 B4</code>";

/* what is missing for a verdict about the mean, if it has none */
static void put_needs(const struct compare_result *r, struct buf *b)
{
	const struct compare_table *t = &r->table[0];
	char text[OUTCOME_DECIDES_MAX];

	if (!r->tables || outcome_direction(r) ||
	    !outcome_decides(t, &t->row[COMPARE_MEAN], r->unit, text))
		return;
	markup(b, "<p>Needed for a verdict: %s%s</p>\n", text,
	       t->state == COMPARE_JUDGED ? "" : runs_command);
}

static void pair_outcome_write(const struct report_pair *pair, struct buf *b)
{
	const struct pair_verdict *v = main_verdict(pair);

	markup(b, "<section id=\"outcome\" aria-label=\"Outcome\">"
	       "<p class=\"sentence%s\">",
	       direction_class(outcome_direction(v->result)));
	put_written(v, write_sentence, put_text, b);
	markup(b, "</p>\n");
	markup(b, "<details open><summary>Why, and what it is about</summary>\n");
	put_needs(v->result, b);
	put_written(v, write_work, put_lines, b);
	markup(b, "</details></section>\n");
}

/* --- tables --------------------------------------------------------------- */

/* What is different between two runs, in btstat's words, as HTML. */

static void put_cell(struct buf *b, const char *class, const char *text)
{
	markup(b, "<td class=\"%s\">", class);
	markup_text(b, text);
	markup(b, "</td>");
}

/* whether any row of a table has an interval */
static bool has_intervals(const struct pair_verdict *v)
{
	for (unsigned int i = 0; i < v->result->tables; i++)
		for (unsigned int k = 0; k < v->result->table[i].rows; k++)
			if (v->result->table[i].row[k].interval)
				return true;
	return false;
}

/* a row without an interval has the verdict in its place, too */
static void put_verdict_cell(const struct pair_verdict *v,
			     const struct compare_row *row,
			     const struct comparison_cells *c, struct buf *b)
{
	if (row->interval)
		put_cell(b, "num", c->interval + strspn(c->interval, " "));
	markup(b, "<td class=\"verdict%s\"%s>",
	       direction_class(compare_direction(row)),
	       !row->interval && has_intervals(v) ? " colspan=\"2\"" : "");
	markup_text(b, c->verdict);
	markup(b, "</td>");
}

/* what has decided a row, or would: its interval rules out a larger change */
static void put_decided(const struct pair_verdict *v,
			const struct compare_table *t,
			const struct compare_row *row,
			const struct comparison_cells *c, struct buf *b)
{
	char text[OUTCOME_DECIDES_MAX];

	outcome_decides(t, row, v->result->unit, text);
	put_cell(b, "decided", *text ? text : *c->p ? c->p :
		 row->verdict == COMPARE_SEPARATED ? "slices apart" :
		 "interval");
}

static void put_row(const struct pair_verdict *v, const struct compare_table *t,
		    const struct compare_row *row, struct buf *b)
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
	put_verdict_cell(v, row, &c, b);
	put_decided(v, t, row, &c, b);
	markup(b, "</tr>\n");
}

static unsigned int columns_of(const struct pair_verdict *v)
{
	return 6 + has_intervals(v);
}

static void put_remark(const struct pair_verdict *v, const char *text,
		       struct buf *b)
{
	markup(b, "<tr><td colspan=\"%u\" class=\"remark\">",
	       columns_of(v));
	markup_text(b, text);
	markup(b, "</td></tr>\n");
}

/* below the rows */
static void put_remarks(const struct pair_verdict *v,
			const struct compare_table *t, struct buf *b)
{
	char power[COMPARISON_POWER_MAX];

	if (comparison_has_separated(t))
		put_remark(v, comparison_separated, b);
	if (!t->power.known)
		return;
	comparison_power(t, v->result->unit, power);
	put_remark(v, power, b);
}

static void put_table(const struct pair_verdict *v,
		      const struct compare_table *t, struct buf *b)
{
	markup(b, "<tbody><tr class=\"group\"><th colspan=\"%u\""
	       " scope=\"rowgroup\">%s %s", columns_of(v), v->o.phase,
	       t->all ? "all" : io_op_name(t->op));
	if (t->state == COMPARE_DRIFTS)
		markup(b, ": <b>no verdict: %s</b>", comparison_drifts);
	markup(b, "</th></tr>\n");
	for (unsigned int i = 0; i < t->rows; i++)
		put_row(v, t, &t->row[i], b);
	put_remarks(v, t, b);
	markup(b, "</tbody>\n");
}

static void put_heads(const struct pair_verdict *v, struct buf *b)
{
	markup(b, "<div class=\"wide\"><table><caption class=\"aside\">B"
	       " compared to A</caption><thead><tr><th scope=\"col\">Latency"
	       "</th><th scope=\"col\" class=\"num\">A</th><th scope=\"col\""
	       " class=\"num\">B</th><th scope=\"col\" class=\"num\">Change"
	       "</th>%s<th scope=\"col\" class=\"verdict\">Verdict</th>"
	       "<th scope=\"col\" class=\"decided\">Decided by</th></tr>"
	       "</thead>\n",
	       has_intervals(v) ? "<th scope=\"col\" class=\"num\">95% interval"
				  "</th>" : "");
}

static void put_verdict(const struct pair_verdict *v, struct buf *b)
{
	put_heads(v, b);
	if (!v->result->tables)
		markup(b, "<tbody><tr class=\"group\"><th colspan=\"%u\">%s: %s"
		       "</th></tr></tbody>\n", columns_of(v), v->o.phase,
		       comparison_nothing);
	for (unsigned int i = 0; i < v->result->tables; i++)
		put_table(v, &v->result->table[i], b);
	markup(b, "</table></div>\n");
}

/* a section: tables of verdicts */
static void pair_verdicts_write(const struct report_pair *pair, struct buf *b)
{
	markup(b, "<section id=\"verdicts\" aria-label=\"Verdicts\">"
	       "<h2>Differences</h2>\n<div class=\"beside\">\n");
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

static void put_outcome(const void *pair, struct buf *b)
{
	pair_outcome_write(pair, b);
}

static void put_verdicts(const void *pair, struct buf *b)
{
	pair_verdicts_write(pair, b);
}

/* Panels are of one run. */
static void put_nothing(const void *pair, struct buf *b)
{
	(void)pair;
	(void)b;
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

static void put_script(const void *pair, struct buf *b)
{
	(void)pair;
	buf_append(b, report_script_pair, strlen(report_script_pair));
}

static const struct template_place places[] = {
	{ "THEME", put_theme },
	{ "TITLE", put_title },
	{ "STYLE", template_style },
	{ "SUB", put_sub },
	{ "OUTCOME", put_outcome },
	{ "TILES", put_tiles },
	{ "VERDICTS", put_verdicts },
	{ "FINDINGS", put_findings },
	{ "TABLES", put_tables },
	{ "PANELS", put_nothing },
	{ "ABOUT", put_about },
	{ "META", put_meta },
	{ "BLOCKS", put_blocks },
	{ "SCRIPT", put_script },
};

void pair_html_write(const struct report_pair *pair, struct buf *b)
{
	template_write(places, sizeof(places) / sizeof(places[0]), pair, b);
}
