/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows as JSON lines: one object per line, without blanks.  Every row has every
 * column, also null ones: some readers infer columns from the first rows.
 */
#ifndef EMIT_JSONL_H
#define EMIT_JSONL_H

#include "emit/row.h"

extern const struct row_ops jsonl_ops;

#endif
