/* SPDX-License-Identifier: GPL-2.0-only */
/* Without jansson, cards cannot be read; see card_impl.h. */
#include <errno.h>
#include <stdio.h>

#include "machine/card_impl.h"

int card_fill(struct card *c, const char *bytes, size_t len,
	      char why[CARD_WHY])
{
	(void)c;
	(void)bytes;
	(void)len;
	snprintf(why, CARD_WHY, "built without jansson, which reads it");
	return -EOPNOTSUPP;
}

bool card_is_readable(void)
{
	return false;
}
