/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of an expression, read once from left to right into steps.
 */
#ifndef EXPR_PARSE_H
#define EXPR_PARSE_H

#include <stdint.h>

struct expr_code;		/* expr/code.h */
struct expr_error;		/* expr/error.h */
struct expr_matcher;		/* expr/matcher.h */

enum { EXPR_BRACKETS_MAX = 64 };

/*
 * The steps of text to *code, the names in it to *matcher, both zeroed before;
 * bits of the words in it to *words.  0; -EINVAL and *why; or -ENOMEM.
 */
int expr_parse(const char *text, struct expr_code *code,
	       struct expr_matcher *matcher, uint64_t *words,
	       struct expr_error *why);

#endif
