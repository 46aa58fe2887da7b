/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The card of a trace, NAME.blktrace.json: the machine, the device and the
 * clock; see blktrace(5).
 *
 * Here a card is a list of values by path, "host", "device.scheduler",
 * "device.slaves.0.name".  All are optional.  Unknown ones are in the list,
 * too, if their names are plain.
 */
#ifndef MACHINE_CARD_H
#define MACHINE_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum card_kind {
	CARD_TEXT,
	CARD_NUMBER,		/* whole, not negative */
	CARD_FLAG,
	CARD_OBJECT,
	CARD_LIST,
};

/* a known value */
struct card_field {
	const char *key;	/* its path; of a device's, the last part */
	enum card_kind kind;
	const char *words;	/* for people, or NULL */
	const char *unit;	/* of a number: "B", "KiB", or "" */
};

/* the field of a path, by the last part below "device", as devices are nested;
 * NULL: unknown */
const struct card_field *card_field_of(const char *path);

struct card;

/* follows the name of a device's files */
#define CARD_SUFFIX ".blktrace.json"

enum {
	CARD_SCHEMA = 1,	/* the only one that we write and read */
	CARD_BYTES = 1 << 20,	/* of a file, at most */
	CARD_VALUES = 4096,	/* of a card, at most */
	CARD_KEY = 256,		/* bytes of a path, with its NUL */
	CARD_WHY = 128,
};

struct card_value {
	const char *key;	/* the path */
	enum card_kind kind;	/* one of the first three */
	const char *text;	/* UTF-8 without NUL; digits; true, false */
};

/*
 * Reads a card.  0 and *c; -ENOENT; -EBADMSG: damaged, or a known value is of
 * another kind; -EFBIG; -EOPNOTSUPP: built without jansson; or another -errno.
 * why: a phrase for all errors but -ENOENT.
 */
int card_read(struct card **c, const char *path, char why[CARD_WHY]);

/* the same from memory; -EBADMSG, -ENOMEM or -EOPNOTSUPP */
int card_parse(struct card **c, const char *bytes, size_t len,
	       char why[CARD_WHY]);

/* whether this program can read cards */
bool card_is_readable(void);

/* For all below, c may be NULL, an empty card. */

/* a text, or NULL */
const char *card_text(const struct card *c, const char *key);

/* a number; false: none */
bool card_number(const struct card *c, const char *key, uint64_t *n);

/* whether a flag is true */
bool card_flag(const struct card *c, const char *key);

/* all values in the order of the file, then NULL */
const struct card_value *card_value(const struct card *c, size_t index);

void card_free(struct card *c);

#endif
