/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in expressions: "64K", "1.5ms", "12".
 */
#ifndef EXPR_VALUE_H
#define EXPR_VALUE_H

#include <stdint.h>

#include "expr/fields.h"

struct expr_error;		/* expr/error.h */

/*
 * The number at text, of that class, with its unit, to *value: ns or bytes.
 * Returns what stands behind it; NULL: why->phrase is set, and why->at is
 * counted from text.
 */
const char *expr_value_read(const char *text, enum expr_class class,
			    uint64_t *value, struct expr_error *why);

#endif
