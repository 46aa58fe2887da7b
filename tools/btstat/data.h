/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btstat's CSV and JSON: times in ns, sizes in bytes, percentiles with their
 * bounds, unknown values empty (CSV) or null (JSON).
 */
#ifndef TOOLS_BTSTAT_DATA_H
#define TOOLS_BTSTAT_DATA_H

#include "emit/sink.h"
#include "tools/btstat/screen.h"

/* The screen's values are not those for text.  Both return 0 or -ENOMEM. */

/* CSV: the table of phases, or of the slowest I/Os */
int data_csv(const struct screen *s);

/* JSON: the run and its tables; data_json_end() closes the object */
int data_json(const struct screen *s, struct sink *k);
void data_json_end(struct sink *k);

#endif
