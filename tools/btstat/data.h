/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btstat's tables for programs: times in ns, sizes in bytes, percentiles with
 * the ends of where they can be, nothing where nothing is known.
 */
#ifndef TOOLS_BTSTAT_DATA_H
#define TOOLS_BTSTAT_DATA_H

#include "emit/sink.h"
#include "tools/btstat/screen.h"

/* of a screen whose values are not for people; 0 or -ENOMEM */

/* csv: the table of phases, or of the slowest ios */
int data_csv(const struct screen *s);

/* json: what is known of the run and its tables; more may follow, then
 * data_json_end() */
int data_json(const struct screen *s, struct sink *k);
void data_json_end(struct sink *k);

#endif
