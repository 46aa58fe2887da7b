/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The marks of a run: in its head, and --marks, which is in place of tables.
 */
#ifndef TOOLS_BTSTAT_MARKED_H
#define TOOLS_BTSTAT_MARKED_H

struct screen;			/* tools/btstat/screen.h */
struct sink;			/* emit/sink.h */

/* a line about those in the window; none, if there are none */
void marked_head(const struct screen *s);

/* a line for each; 0 or -ENOMEM */
int marked_table(const struct screen *s);

/* csv: the same for programs; json: an array of that name */
void marked_data(const struct screen *s, struct sink *k, const char *name);

#endif
