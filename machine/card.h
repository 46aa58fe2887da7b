/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The card of a trace: what blktrace writes down of the machine, the device and
 * the clock beside the files of each CPU, NAME.blktrace.json.  blktrace(5) has
 * what is in one.
 *
 * Here a card is a list of values, each by its path, whose parts have dots
 * between them: "host", "device.scheduler", "device.slaves.0.name".  All are
 * optional.  What the card has that we do not know is in the list, too, as
 * long as its name is plain.
 */
#ifndef MACHINE_CARD_H
#define MACHINE_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- card field ----------------------------------------------------------- */

/* What can be in a card: names, kinds, and words for people. */

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

/* --- card ----------------------------------------------------------------- */

struct card;

/* what stands behind the name of a device's files */
#define CARD_SUFFIX ".blktrace.json"

enum {
	CARD_SCHEMA = 1,	/* what we write, and read */
	CARD_BYTES = 1 << 20,	/* of a file; none is larger */
	CARD_VALUES = 4096,	/* of a card, and none has more */
	CARD_KEY = 256,		/* room for a path, its end included */
	CARD_WHY = 128,
};

struct card_value {
	const char *key;	/* the path */
	enum card_kind kind;	/* of the first three */
	const char *text;	/* valid UTF-8 without NUL; digits; true, false */
};

/*
 * Reads a card.  0 and *c; -ENOENT: there is none; -EBADMSG: it is damaged, or
 * what we know in it is of another kind; -EFBIG; -EOPNOTSUPP: built without
 * what reads JSON; or another -errno.  why is a phrase for all of them but the
 * first two.
 */
int card_read(struct card **c, const char *path, char why[CARD_WHY]);

/* the same of bytes; -EBADMSG, -ENOMEM or -EOPNOTSUPP */
int card_parse(struct card **c, const char *bytes, size_t len,
	       char why[CARD_WHY]);

/* whether this program can read cards */
bool card_is_readable(void);

/* the text at a path; NULL: there is none */
const char *card_text(const struct card *c, const char *key);

/* the number at a path; false: there is none */
bool card_number(const struct card *c, const char *key, uint64_t *n);

/* whether a flag is there, and true */
bool card_flag(const struct card *c, const char *key);

/* all values in the order of the file; NULL: there is none of that index */
const struct card_value *card_value(const struct card *c, size_t index);

/* c may be NULL, also above: then it is empty */
void card_free(struct card *c);

#endif
