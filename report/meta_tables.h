/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables and the slowest of a page, as members of an object of JSON. */
#ifndef REPORT_META_TABLES_H
#define REPORT_META_TABLES_H

struct json;			/* base/json.h */
struct report_page;		/* report/page.h */

void meta_tables_write(const struct report_page *p, struct json *j);

/* with pids by their place in the list of all */
void meta_slowest_write(const struct report_page *p, struct json *j);

#endif
