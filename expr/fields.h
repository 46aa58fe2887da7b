/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of expressions: flags, fields and ops, and how each is tested in an
 * I/O's record.
 */
#ifndef EXPR_FIELDS_H
#define EXPR_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/code.h"

/* bytes of a block, for misaligned */
enum { EXPR_BLOCK = 4096 };

enum expr_class {
	EXPR_IS_FLAG,
	EXPR_IS_OP,
	EXPR_IS_NAME,
	EXPR_IS_NUMBER,
	EXPR_IS_SIZE,
	EXPR_IS_TIME,
};

enum expr_compare {
	EXPR_EQUAL,
	EXPR_DIFFERS,
	EXPR_BELOW,
	EXPR_AT_MOST,
	EXPR_ABOVE,
	EXPR_AT_LEAST,
};

struct expr_word;

/* the flag or field with a name of len bytes, or NULL */
const struct expr_word *expr_word_find(const char *name, size_t len);

enum expr_class expr_word_class(const struct expr_word *w);

/* of EXPR_IS_NAME: an enum expr_naming */
int expr_word_naming(const struct expr_word *w);

/* its number among all words, below 64 */
unsigned int expr_word_number(const struct expr_word *w);

/* the steps of a flag */
struct expr_part expr_word_flag(struct expr_code *c, const struct expr_word *w);

/* the steps that compare a number, size or time, in its own unit */
struct expr_part expr_word_compare(struct expr_code *c,
				   const struct expr_word *w,
				   enum expr_compare how, uint64_t value);

/* the steps of all ops whose names fit the pattern; false: none */
bool expr_word_op(struct expr_code *c, const char *pattern, size_t len,
		  struct expr_part *part);

#endif
