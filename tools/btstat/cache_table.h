/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --cache: what a cache in front of each device would serve, by its size.
 */
#ifndef TOOLS_BTSTAT_CACHE_TABLE_H
#define TOOLS_BTSTAT_CACHE_TABLE_H

struct screen;			/* tools/btstat/screen.h */
struct sink;			/* emit/sink.h */

/* a table for each device; 0 or -ENOMEM */
int cache_table(const struct screen *s);

/* JSON: an array "caches", if caches were wanted; 0 or -ENOMEM */
int cache_table_data(const struct screen *s, struct sink *k);

#endif
