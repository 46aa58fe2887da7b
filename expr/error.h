/* SPDX-License-Identifier: GPL-2.0-only */
/* A mistake in the text of an expression. */
#ifndef EXPR_ERROR_H
#define EXPR_ERROR_H

#include <stddef.h>

struct expr_error {
	size_t at;		/* offset in bytes; may be the text's end */
	const char *phrase;	/* a constant, without a full stop */
};

#endif
