/* SPDX-License-Identifier: GPL-2.0-only */
/* A field of a format of blkparse -f, as it is in a line. */
#ifndef IMPORT_PRINTED_FIELD_H
#define IMPORT_PRINTED_FIELD_H

#include <stdbool.h>
#include <stdint.h>

struct printed;			/* import/printed_event.h */
struct printed_field;
struct scan;			/* import/scan.h */

enum { PRINTED_NS_DIGITS = 9 };	/* of %t without a width */

/* what it consists of, which says where it ends */
enum printed_kind {
	PRINTED_NO_KIND,
	PRINTED_NUMBER,
	PRINTED_WORD,		/* in capital letters */
	PRINTED_HEX,
	PRINTED_FIXED,		/* always as long */
	PRINTED_LOOSE,		/* where the rest of the line fits */
};

struct printed_letter {
	enum printed_kind kind;
	/* takes it with its padding; NULL: it is loose */
	bool (*take)(struct scan *s, const struct printed_field *f,
		     struct printed *p);
	const char *lacking;	/* what lines without it lack, or NULL */
};

struct printed_field {
	const struct printed_letter *of;	/* NULL: only text */
	char letter;
	bool left;		/* padded on the right */
	uint32_t width;
	uint16_t at, len;	/* of the text after it */
};

/* NULL: no field has this letter */
const struct printed_letter *printed_letter(char c);

#endif
