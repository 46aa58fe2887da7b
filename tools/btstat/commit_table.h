/* SPDX-License-Identifier: GPL-2.0-only */
/* --by=commit: what calls that wait for the disk waited for. */
#ifndef TOOLS_BTSTAT_COMMIT_TABLE_H
#define TOOLS_BTSTAT_COMMIT_TABLE_H

struct screen;			/* tools/btstat/screen.h */
struct sink;			/* emit/sink.h */

/* by file, by process, in all, and the slowest; 0 or -ENOMEM */
int commit_table_text(const struct screen *s);

/* JSON: an object "commits", if it is wanted */
void commit_table_data(const struct screen *s, struct sink *k);

#endif
