/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts from outside, and numbers that may be none, in JSON and CSV that are
 * written bit by bit; rows of tables are emit/jsonl's and emit/csv's.
 */
#ifndef EMIT_QUOTED_H
#define EMIT_QUOTED_H

struct buf;			/* base/buf.h */

/* "text", with what must be escaped, and U+FFFD for what is no UTF-8 */
void quoted_json(struct buf *b, const char *text);

/* text, in quotes if it needs them; U+FFFD the same */
void quoted_csv(struct buf *b, const char *text);

/* a number with ten digits at most; what is none is null, or nothing */
void quoted_json_number(struct buf *b, double number);
void quoted_csv_number(struct buf *b, double number);

#endif
