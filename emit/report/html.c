/* SPDX-License-Identifier: GPL-2.0-only */
/* A page as one file of HTML; see html.h. */
#include <string.h>

#include "base/buf.h"
#include "emit/report/assets.h"
#include "emit/report/columns.h"
#include "emit/report/html.h"
#include "emit/report/markup.h"
#include "emit/report/meta.h"
#include "emit/report/page.h"
#include "emit/report/table_rows.h"
#include "emit/report/tiles.h"

static void put(struct buf *b, const char *text)
{
	buf_append(b, text, strlen(text));
}

static void put_theme(const struct report_page *p, struct buf *b)
{
	if (p->theme)
		markup(b, " data-theme=\"%s\"", p->theme);
}

static void put_title(const struct report_page *p, struct buf *b)
{
	markup_text(b, p->title);
}

static void put_style(const struct report_page *p, struct buf *b)
{
	(void)p;
	put(b, report_style);
}

static void put_script(const struct report_page *p, struct buf *b)
{
	(void)p;
	put(b, report_script);
}

static void put_blocks(const struct report_page *p, struct buf *b)
{
	const struct report_columns *c = p->blocks->columns;

	for (uint32_t i = 0; i < c->block_count; i++) {
		markup(b, "<script type=\"text/plain\" id=\"b-%s\">",
		       c->blocks[i].name);
		columns_write(c, i, b);
		markup(b, "</script>\n");
	}
}

static const struct {
	const char *name;
	void (*put)(const struct report_page *p, struct buf *b);
} places[] = {
	{ "THEME", put_theme },
	{ "TITLE", put_title },
	{ "STYLE", put_style },
	{ "SUB", tiles_write_sub },
	{ "TILES", tiles_write },
	{ "FINDINGS", tiles_write_findings },
	{ "TABLES", table_rows_write },
	{ "ABOUT", table_rows_write_about },
	{ "META", report_meta_write },
	{ "BLOCKS", put_blocks },
	{ "SCRIPT", put_script },
};

/* Puts what belongs to the place that text begins with, "@NAME@"; returns how
 * long that is, or 0: it is no place. */
static size_t put_place(const struct report_page *p, struct buf *b,
			const char *text)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size_t len = strlen(places[i].name);

		if (strncmp(text + 1, places[i].name, len) ||
		    text[len + 1] != '@')
			continue;
		places[i].put(p, b);
		return len + 2;
	}
	return 0;
}

void report_html_write(const struct report_page *p, struct buf *b)
{
	const char *at = report_template;

	while (*at) {
		size_t len = strcspn(at, "@");

		buf_append(b, at, len);
		at += len;
		if (!*at)
			return;
		len = put_place(p, b, at);
		if (!len)
			buf_append(b, at, 1);
		at += len ? len : 1;
	}
}
