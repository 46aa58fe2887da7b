/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as JSON lines: an object a line, no blanks, every column in every row,
 * null too, as readers that find out columns by themselves look at the first
 * rows only.
 */
#ifndef EMIT_JSONL_H
#define EMIT_JSONL_H

#include "emit/row.h"

extern const struct row_ops jsonl_ops;

#endif
