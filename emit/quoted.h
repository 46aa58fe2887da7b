/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts from outside, and numbers that may be none, in CSV that is
 * written bit by bit; rows of tables are emit/csv's.
 */
#ifndef EMIT_QUOTED_H
#define EMIT_QUOTED_H

struct buf;			/* base/buf.h */

/* text, in quotes if it needs them; U+FFFD for what is no UTF-8 */
void quoted_csv(struct buf *b, const char *text);

/* a number with ten digits at most; what is none is nothing */
void quoted_csv_number(struct buf *b, double number);

#endif
