/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes a card again, without some of its values, or with others in place. */
#ifndef TOOLS_BTPACK_RECARD_H
#define TOOLS_BTPACK_RECARD_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/card.h"

enum { RECARD_TEXT = 4096 };	/* bytes of a value, with its NUL */

/* a value as it is written; first as it was read */
struct recard_value {
	char key[CARD_KEY];	/* the path */
	enum card_kind kind;
	char text[RECARD_TEXT];	/* cut, if it was longer */
};

/* changes a value; false: it is left out */
typedef bool recard_change(void *ctx, struct recard_value *v);

/* The text of the card, with true flags; the caller frees it.  NULL: no
 * memory. */
char *recard(const struct card *c, const char *const *flags, size_t count,
	     recard_change *change, void *ctx);

#endif
