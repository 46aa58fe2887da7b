/* SPDX-License-Identifier: GPL-2.0-only */
/* A page as one file of HTML. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>
#include <stdint.h>

/* --- assets --------------------------------------------------------------- */

/*
 * The files of report/page as texts; make writes the source.
 */

extern const char report_template[];	/* page.html, with places as @NAME@ */
extern const char report_style[];	/* page.css */
/* scripts in their order, one in base64 of gzip: of pages of one run, of two */
extern const char report_script[], report_script_pair[];

/* --- template ------------------------------------------------------------- */

/*
 * The page's template, with places that the caller fills.
 */

struct buf;			/* base/buf.h: keeps errors of writing */

struct template_place {
	const char *name;	/* of @NAME@ */
	void (*put)(const void *what, struct buf *b);
};

/* a place without a name in the list stays; what is passed on */
void template_write(const struct template_place *places, size_t count,
		    const void *what, struct buf *b);

/* the place of any page: the style */
void template_style(const void *what, struct buf *b);

/* --- html ----------------------------------------------------------------- */

struct report_page;		/* report/page.h */

/* appends to b; a write error is stored in b */
void report_html_write(const struct report_page *p, struct buf *b);

/* its blocks, as elements with a prefix of their ids */
void report_html_blocks(const struct report_page *p, const char *prefix,
			struct buf *b);

/* *bytes: size of the file without its blocks' text; 0 or -ENOMEM */
int report_html_beside(const struct report_page *p, uint64_t *bytes);

#endif
