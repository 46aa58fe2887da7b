/* SPDX-License-Identifier: GPL-2.0-only */
/* Between a card's list and what reads JSON; see card.h. */
#ifndef MACHINE_CARD_IMPL_H
#define MACHINE_CARD_IMPL_H

#include <stddef.h>

#include "machine/card.h"

/*
 * Adds a value, which is copied; text has len bytes.  One of an unknown name
 * that is not plain is passed over.  0; -EBADMSG: another kind was expected, or
 * there are too many; -ENOMEM.
 */
int card_add(struct card *c, const char *key, enum card_kind kind,
	     const char *text, size_t len, char why[CARD_WHY]);

/* objects and lists are looked at, too: 0 or -EBADMSG */
int card_check(const char *key, enum card_kind kind, char why[CARD_WHY]);

/* card_json.c, or card_none.c where there is no library; as card_parse() */
int card_fill(struct card *c, const char *bytes, size_t len,
	      char why[CARD_WHY]);
bool card_fills(void);

#endif
