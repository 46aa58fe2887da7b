/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in expressions: "64K", "1.5ms", "12".
 */
#ifndef EXPR_VALUE_H
#define EXPR_VALUE_H

#include <stdint.h>

struct expr_error;		/* expr/error.h */

/* of a word of expressions; the last three have a value */
enum expr_class {
	EXPR_IS_FLAG,
	EXPR_IS_OP,
	EXPR_IS_NAME,
	EXPR_IS_NUMBER,
	EXPR_IS_SIZE,
	EXPR_IS_TIME,
};

/*
 * Reads a number with its unit into *value, ns or bytes.  Returns the text
 * after it; NULL: *why is set, its offset from text.
 */
const char *expr_value_read(const char *text, enum expr_class class,
			    uint64_t *value, struct expr_error *why);

#endif
