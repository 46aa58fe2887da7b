/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample for programs: a line of json for the interval, then one for each
 * row of its table.
 */
#ifndef TOOLS_BLKTOP_JSON_H
#define TOOLS_BLKTOP_JSON_H

struct buf;			/* base/buf.h */
struct sample;			/* tools/blktop/sample.h */
struct sample_table;

/* the table may be NULL */
void json_sample(struct buf *b, const struct sample *s,
		 const struct sample_table *table);

/* the lines of devices that are late, with which that begins */
void json_late(struct buf *b, const struct sample *s);

#endif
