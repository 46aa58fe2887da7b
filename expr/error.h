/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong with the text of an expression.
 */
#ifndef EXPR_ERROR_H
#define EXPR_ERROR_H

#include <stddef.h>

struct expr_error {
	size_t at;		/* where, in bytes; may be the text's end */
	const char *phrase;	/* what, without a full stop; a constant */
};

#endif
