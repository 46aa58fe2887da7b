/* SPDX-License-Identifier: GPL-2.0-only */
/* A page of two runs as one file; see pair_html.h. */
#include "report/html.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/pair.h"
#include "report/pair_html.h"
#include "report/pair_meta.h"
#include "report/pair_tables.h"
#include "report/pair_tiles.h"
#include "report/pair_verdicts.h"
#include "report/template.h"

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
