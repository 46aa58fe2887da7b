/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page's template, filled: what stands at its places is the caller's.
 */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include <stddef.h>

struct buf;			/* base/buf.h: keeps errors of writing */

struct template_place {
	const char *name;	/* of @NAME@ */
	void (*put)(const void *what, struct buf *b);
};

/* a place of no name in the list stays as it is; what is passed on */
void template_write(const struct template_place *places, size_t count,
		    const void *what, struct buf *b);

/* places of any page: the style and the script */
void template_style(const void *what, struct buf *b);
void template_script(const void *what, struct buf *b);

#endif
