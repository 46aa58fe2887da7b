/* SPDX-License-Identifier: GPL-2.0-only */
/* Between cards and their JSON parser; see card.h. */
#ifndef MACHINE_CARD_IMPL_H
#define MACHINE_CARD_IMPL_H

#include <stddef.h>

#include "machine/card.h"

/*
 * Copies a value with len bytes of text, unless its name is unknown and not
 * plain.  0; -EBADMSG: wrong kind, or too many; -ENOMEM.
 */
int card_add(struct card *c, const char *key, enum card_kind kind,
	     const char *text, size_t len, char why[CARD_WHY]);

/* for objects and lists: 0; -EBADMSG: wrong kind */
int card_check(const char *key, enum card_kind kind, char why[CARD_WHY]);

/* card_json.c, or card_none.c without jansson; as card_parse() */
int card_fill(struct card *c, const char *bytes, size_t len,
	      char why[CARD_WHY]);

#endif
