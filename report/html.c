/* SPDX-License-Identifier: GPL-2.0-only */
/* A page as one file of HTML; see html.h. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "report/blocks.h"
#include "report/cache_panel.h"
#include "report/columns.h"
#include "report/commit_panel.h"
#include "report/html.h"
#include "report/knees.h"
#include "report/markup.h"
#include "report/meta.h"
#include "report/page.h"
#include "report/table_rows.h"
#include "report/tiles.h"

/* --- template ------------------------------------------------------------- */

static void put(struct buf *b, const char *text)
{
	buf_append(b, text, strlen(text));
}

void template_style(const void *what, struct buf *b)
{
	(void)what;
	put(b, report_style);
}

/* the place at the start of text, "@NAME@", or NULL */
static const struct template_place *find(const struct template_place *places,
					 size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(places[i].name);

		if (!strncmp(text + 1, places[i].name, len) &&
		    text[len + 1] == '@')
			return &places[i];
	}
	return NULL;
}

void template_write(const struct template_place *places, size_t count,
		    const void *what, struct buf *b)
{
	const char *at = report_template;

	while (*at) {
		const struct template_place *place;
		size_t len = strcspn(at, "@");

		buf_append(b, at, len);
		at += len;
		if (!*at)
			return;
		place = find(places, count, at);
		if (place)
			place->put(what, b);
		else
			buf_append(b, at, 1);
		at += place ? strlen(place->name) + 2 : 1;
	}
}

/* --- html ----------------------------------------------------------------- */

static void put_theme(const void *page, struct buf *b)
{
	const struct report_page *p = page;

	if (p->theme)
		markup(b, " data-theme=\"%s\"", p->theme);
}

static void put_title(const void *page, struct buf *b)
{
	markup_text(b, ((const struct report_page *)page)->title);
}

static void put_sub(const void *page, struct buf *b)
{
	tiles_write_sub(page, b);
}

static void put_tiles(const void *page, struct buf *b)
{
	tiles_write(page, b);
}

static void put_nothing(const void *page, struct buf *b)
{
	(void)page;
	(void)b;
}

static void put_findings(const void *page, struct buf *b)
{
	tiles_write_findings(page, b);
}

static void put_tables(const void *page, struct buf *b)
{
	table_rows_write(page, b);
}

static void put_panels(const void *page, struct buf *b)
{
	const struct report_page *p = page;

	knees_write(p, b);
	cache_panel_write(p, b);
	commit_panel_write(p->commits, b);
}

static void put_about(const void *page, struct buf *b)
{
	table_rows_write_about(page, b);
}

static void put_meta(const void *page, struct buf *b)
{
	report_meta_write(page, b, true);
}

static void put_script(const void *page, struct buf *b)
{
	(void)page;
	put(b, report_script);
}

void report_html_blocks(const struct report_page *p, const char *prefix,
			struct buf *b)
{
	const struct report_columns *c = p->blocks->columns;

	for (uint32_t i = 0; i < c->block_count; i++) {
		markup(b, "<script type=\"text/plain\" id=\"%s%s\">", prefix,
		       c->blocks[i].name);
		report_columns_write(c, i, b);
		markup(b, "</script>\n");
	}
}

static void put_blocks(const void *page, struct buf *b)
{
	report_html_blocks(page, "b-", b);
}

static const struct template_place places[] = {
	{ "THEME", put_theme },
	{ "TITLE", put_title },
	{ "STYLE", template_style },
	{ "SUB", put_sub },
	{ "OUTCOME", put_nothing },
	{ "TILES", put_tiles },
	{ "VERDICTS", put_nothing },
	{ "FINDINGS", put_findings },
	{ "TABLES", put_tables },
	{ "PANELS", put_panels },
	{ "ABOUT", put_about },
	{ "META", put_meta },
	{ "SCRIPT", put_script },
	{ "BLOCKS", put_blocks },	/* the last */
};

void report_html_write(const struct report_page *p, struct buf *b)
{
	template_write(places, sizeof(places) / sizeof(places[0]), p, b);
}

/* more than that beside its blocks no page has; and of an element's tags */
enum { BESIDE_MAX = 64 << 20, TAGS = 64 };

int report_html_beside(const struct report_page *p, uint64_t *bytes)
{
	size_t count = sizeof(places) / sizeof(places[0]) - 1;
	struct buf b;

	/* it is not written: only touched pages take memory */
	if (buf_init(&b, -1, BESIDE_MAX))
		return -ENOMEM;
	template_write(places, count, p, &b);
	*bytes = b.error ? BESIDE_MAX :
		 b.len + (uint64_t)TAGS * p->blocks->columns->block_count;
	buf_free(&b);
	return 0;
}
