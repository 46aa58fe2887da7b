/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be in a card: names, kinds, and words for people. */
#ifndef MACHINE_CARD_FIELD_H
#define MACHINE_CARD_FIELD_H

enum card_kind {
	CARD_TEXT,
	CARD_NUMBER,		/* whole, not negative */
	CARD_FLAG,
	CARD_OBJECT,
	CARD_LIST,
};

struct card_field {
	const char *key;	/* a path; of a device's, its last part */
	enum card_kind kind;
	const char *words;	/* or NULL: it is not for people */
	const char *unit;	/* behind a number: "B", "KiB", or "" */
};

/*
 * What a path is: those below "device" go by their last part, as devices are
 * in each other.  NULL: it is unknown.
 */
const struct card_field *card_field_of(const char *path);

#endif
