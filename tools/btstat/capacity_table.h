/* SPDX-License-Identifier: GPL-2.0-only */
/* What devices can do, for people and programs. */
#ifndef TOOLS_BTSTAT_CAPACITY_TABLE_H
#define TOOLS_BTSTAT_CAPACITY_TABLE_H

struct screen;			/* tools/btstat/screen.h */
struct sink;			/* emit/sink.h */

/* sentences and tables for each device; 0 or -ENOMEM */
int capacity_table(const struct screen *s);

/* JSON: an array "capacities", if they were wanted; 0 or -ENOMEM */
int capacity_table_data(const struct screen *s, struct sink *k);

#endif
