/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The marks of a run: in its head, and as the table of --marks.
 */
#ifndef TOOLS_BTSTAT_MARKED_H
#define TOOLS_BTSTAT_MARKED_H

struct screen;			/* tools/btstat/screen.h */
struct sink;			/* emit/sink.h */

/* a line about the marks in the window; nothing without marks */
void marked_head(const struct screen *s);

/* a line per mark; 0 or -ENOMEM */
int marked_table(const struct screen *s);

/* CSV rows, or a JSON array of that name */
void marked_data(const struct screen *s, struct sink *k, const char *name);

#endif
