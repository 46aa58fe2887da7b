/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of two runs as one file; see pair.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
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
#include "run/cgroups.h"
#include "stat/group_row.h"

/* --- pair tables ---------------------------------------------------------- */

/* The tables of a page of two runs, and what stands below them, as HTML. */

struct buf;			/* base/buf.h */
struct report_pair;		/* report/pair.h */

/* what three rows are about */
struct subject {
	unsigned int kind;	/* enum report_table_kind */
	const char *data;	/* which the script knows it by */
	char key[PAGE_NAME_MAX], name[PAGE_NAME_MAX];
	const struct report_table_row *row[COMPARE_SIDES];	/* or NULL */
	bool off[COMPARE_SIDES];	/* a device that does not count */
};

/* --- three rows ----------------------------------------------------------- */

static void begin_row(const struct subject *s, unsigned int side, bool off,
		      struct buf *b)
{
	static const char *const sides[] = { "a", "b", "change" };

	markup(b, "<tr data-%s=\"%s\" data-side=\"%s\" class=\"%s%s\">",
	       s->data, s->key, sides[side], side ? "same" : "first",
	       off ? " off" : "");
	if (!side) {
		markup(b, "<th scope=\"rowgroup\" rowspan=\"3\">");
		markup_text(b, s->name);
		markup(b, "</th>");
	}
	if (side < COMPARE_SIDES)
		markup(b, "<th scope=\"row\" class=\"side-%s\">%s</th>",
		       sides[side], pair_letter(side));
	else
		markup(b, "<th scope=\"row\">B to A</th>");
}

static void put_side(const struct report_pair *pair, const struct subject *s,
		     unsigned int side, double values[TABLE_ROW_VALUES],
		     struct buf *b)
{
	const struct report_table_row *row = s->row[side];

	begin_row(s, side, s->off[side], b);
	if (s->kind == REPORT_BY_PROCESS && row)
		table_rows_share(pair->side[side], row, b);
	else if (s->kind == REPORT_BY_PROCESS)
		markup_cell(b, figure_none());
	for (unsigned int i = 0; i < TABLE_ROW_VALUES; i++)
		values[i] = NAN;
	if (row)
		table_rows_values(pair->side[side], row, values);
	table_rows_numbers(values, b);
	markup(b, "</tr>\n");
}

static void put_subject(const struct report_pair *pair,
			const struct subject *s, struct buf *b)
{
	double values[COMPARE_SIDES][TABLE_ROW_VALUES];
	char change[PAIR_CHANGE_MAX];

	for (unsigned int side = 0; side < COMPARE_SIDES; side++)
		put_side(pair, s, side, values[side], b);
	begin_row(s, COMPARE_SIDES, false, b);
	if (s->kind == REPORT_BY_PROCESS)
		markup(b, "<td></td>");
	for (unsigned int i = 0; i < TABLE_ROW_VALUES; i++)
		markup(b, "<td class=\"num\">%s</td>",
		       pair_change(change, values[COMPARE_A][i],
				   values[COMPARE_B][i]));
	markup(b, "</tr>\n");
}

/* --- tables --------------------------------------------------------------- */

/* An operation that a side has none of is 0 there, unlike a process or device
 * that is not there at all. */
static const struct report_table_row *op_row(const struct report_page *p,
					     unsigned int op)
{
	static const struct report_table_row none = { .key = 0 };
	const struct report_table_row *row = pair_row(p, REPORT_BY_OP, op);

	return row ? row : &none;
}

static void put_operations(const struct report_pair *pair, struct buf *b)
{
	for (unsigned int op = 0; op < REPORT_OPS; op++) {
		struct subject s = { .kind = REPORT_BY_OP, .data = "op" };

		for (unsigned int i = 0; i < COMPARE_SIDES; i++)
			s.row[i] = op_row(pair->side[i], op);
		if (!s.row[COMPARE_A]->sums.count &&
		    !s.row[COMPARE_B]->sums.count)
			continue;
		snprintf(s.key, sizeof(s.key), "%s", page_op_key(op));
		snprintf(s.name, sizeof(s.name), "%s", page_op_name(op));
		*s.name = (char)toupper((unsigned char)*s.name);
		put_subject(pair, &s, b);
	}
}

static void put_processes(const struct report_pair *pair, struct buf *b)
{
	for (uint32_t i = 0; i < pair->processes.count; i++) {
		struct subject s = { .kind = REPORT_BY_PROCESS,
				     .data = "process" };

		snprintf(s.key, sizeof(s.key), "%" PRIu32, i);
		for (unsigned int k = 0; k < COMPARE_SIDES; k++) {
			uint32_t at = pair->processes.list[i][k];
			const struct report_page *p = pair->side[k];

			if (at == PAIR_NONE)
				continue;
			page_process(p, at, s.name);
			s.row[k] = pair_row(p, s.kind, p->processes[at]);
		}
		put_subject(pair, &s, b);
	}
}

static void put_devices(const struct report_pair *pair, struct buf *b)
{
	for (uint32_t i = 0; i < pair->devices.count; i++) {
		struct subject s = { .kind = REPORT_BY_DISK,
				     .data = "device" };

		snprintf(s.key, sizeof(s.key), "%" PRIu32, i);
		for (unsigned int k = 0; k < COMPARE_SIDES; k++) {
			uint32_t at = pair->devices.list[i][k];
			const struct report_page *p = pair->side[k];

			if (at == PAIR_NONE)
				continue;
			page_device(p, at, s.name);
			s.row[k] = pair_row(p, s.kind, p->r->disks.order[at]);
			s.off[k] = !p->r->disks.list[p->r->disks.order[at]].on;
		}
		put_subject(pair, &s, b);
	}
}

/* a cgroup's key on the other side; UINT64_MAX, which is no key: it is not
 * there */
static uint64_t key_there(const struct report_pair *pair, unsigned int side,
			  uint64_t key)
{
	const char *path = page_cgroup_path(pair->side[side], key);
	const struct cgroups *there = pair->side[!side]->r->o.cgroups;
	int64_t number = path && there ? cgroups_find_path(there, path) : -1;

	if (!path)
		return key;
	return number < 0 ? UINT64_MAX : GROUP_NAMED | (uint64_t)number;
}

/* those of a side that have not been put with the other's */
static void put_cgroups_of(const struct report_pair *pair, unsigned int side,
			   struct buf *b)
{
	const struct report_table *t =
		&pair->side[side]->tables->of[REPORT_BY_CGROUP];

	for (uint32_t i = 0; i < t->count; i++) {
		struct subject s = { .kind = REPORT_BY_CGROUP,
				     .data = "cgroup" };

		s.row[side] = &t->rows[i];
		s.row[!side] = pair_row(pair->side[!side], s.kind,
					key_there(pair, side,
						  t->rows[i].key));
		if (side == COMPARE_B && s.row[COMPARE_A])
			continue;
		/* numbers of paths are a side's own */
		snprintf(s.key, sizeof(s.key), "%s%" PRIu64,
			 side == COMPARE_B &&
			 group_key_cgroup(t->rows[i].key) >= 0 ? "b" : "",
			 t->rows[i].key);
		page_cgroup(pair->side[side], t->rows[i].key, s.name);
		put_subject(pair, &s, b);
	}
}

static void put_cgroups(const struct report_pair *pair, struct buf *b)
{
	put_cgroups_of(pair, COMPARE_A, b);
	put_cgroups_of(pair, COMPARE_B, b);
}

static const struct {
	enum report_table_kind kind;
	void (*put)(const struct report_pair *pair, struct buf *b);
} tables[] = {
	{ REPORT_BY_OP, put_operations },
	{ REPORT_BY_PROCESS, put_processes },
	{ REPORT_BY_DISK, put_devices },
	{ REPORT_BY_CGROUP, put_cgroups },
};

/* Only the table by cgroup may be left out. */
static bool is_there(const struct report_pair *pair, unsigned int kind)
{
	return kind != REPORT_BY_CGROUP ||
	       pair->side[COMPARE_A]->tables->of[kind].count ||
	       pair->side[COMPARE_B]->tables->of[kind].count;
}

/*
 * By operation, process, device, cgroup if any has one: of each three rows, A,
 * B, and what B is more or less; the slowest of each side.
 */
static void pair_tables_write(const struct report_pair *pair, struct buf *b)
{
	table_rows_open(pair->side[COMPARE_A], "t-open-a",
			"In flight at the end of A", b);
	table_rows_open(pair->side[COMPARE_B], "t-open-b",
			"In flight at the end of B", b);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (!is_there(pair, tables[i].kind))
			continue;
		table_rows_begin(tables[i].kind,
				 "<th scope=\"col\">Run</th>", b);
		tables[i].put(pair, b);
		table_rows_end(b);
	}
	table_rows_slowest(pair->side[COMPARE_A], "t-slowest-a",
			   "Slowest requests of A", b);
	table_rows_slowest(pair->side[COMPARE_B], "t-slowest-b",
			   "Slowest requests of B", b);
}

/* how much was read of each side, kept, and could not be joined */
static void pair_tables_write_about(const struct report_pair *pair,
				    struct buf *b)
{
	for (unsigned int side = 0; side < COMPARE_SIDES; side++) {
		markup(b, "<h2>About %s</h2><dl>\n<dt>Trace</dt><dd>",
		       pair_letter(side));
		markup_text(b, pair->name[side]);
		markup(b, "</dd>\n");
		table_rows_counts(pair->side[side], b);
		markup(b, "</dl>\n");
	}
	markup(b, "<h2>About this page</h2><dl>\n");
	table_rows_made(pair->side[COMPARE_A], b);
	markup(b, "</dl>");
}

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

/* what stands before and behind the names of the sides in a terminal */
static void put_words(const struct compare_result *r, struct buf *b)
{
	struct buf words;

	if (buf_init(&words, -1, WORDS)) {
		b->error = ENOMEM;
		return;
	}
	comparison_text_work(&r->work, &words);
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
		markup(b, ": <b>%s</b>", comparison_drifts);
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
	pair_tables_write(pair, b);
}

static void put_verdicts(const void *pair, struct buf *b)
{
	pair_verdicts_write(pair, b);
}

static void put_about(const void *pair, struct buf *b)
{
	pair_tables_write_about(pair, b);
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
