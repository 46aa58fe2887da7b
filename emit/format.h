/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Custom formats (-f, -F), compiled once and rendered for every event.
 * The specifiers are described in doc/blkparse.1, section FORMATS.
 */
#ifndef EMIT_FORMAT_H
#define EMIT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* --- texts ---------------------------------------------------------------- */

/*
 * Short texts that have been rendered before, by what they depend on: they are
 * copied, not rendered again.  Where two meet, the last one stays.
 */

enum {
	TEXTS_BITS = 8,
	TEXTS = 1 << TEXTS_BITS,
	TEXT_MAX = 23,		/* longer ones are not kept */
};

struct text {
	uint64_t key;
	uint8_t len;
	char chars[TEXT_MAX];	/* can be copied whole */
};

struct texts {
	struct text list[TEXTS];
};

/* no texts yet; to be free()d.  NULL: out of memory */
struct texts *texts_new(void);

/* the text of that key, which is not UINT64_MAX; NULL: it is not there */
static inline const struct text *texts_get(const struct texts *t, uint64_t key)
{
	const struct text *text = &t->list[hash_spread(key, TEXTS_BITS)];

	return text->key == key ? text : NULL;
}

/* keeps len bytes as the text of that key, if they are not too many */
void texts_set(struct texts *t, uint64_t key, const char *chars, size_t len);

/* --- format --------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct clock;			/* record/clock.h */
struct event;			/* record/record.h */
struct format;
struct names;			/* run/names.h */

/* compiles text, which is copied; NULL: out of memory */
struct format *format_new(const char *text);

/* from now on, control characters of process names are escaped */
void format_set_terminal(struct format *f);

enum format_result {
	FORMAT_SHOWN,
	FORMAT_NO_LATENCY,	/* it wants one and there is none */
	FORMAT_BAD_ESCAPE,	/* format_bad_escape() is the character */
	FORMAT_NO_ROOM,		/* the buffer has the errno */
};

/* what formats need to know beyond the event */
struct format_context {
	struct buf *out;
	const struct names *names;
	const struct clock *clock;
};

/*
 * Renders *ev, its time relative to the first event, with a latency in ns or
 * LINE_NO_LATENCY.  What stands before an error is rendered.
 */
enum format_result format_event(struct format *f,
				const struct format_context *c,
				const struct event *ev, uint64_t latency);

/* the character that made FORMAT_BAD_ESCAPE */
char format_bad_escape(const struct format *f);

/* frees f; NULL is fine */
void format_free(struct format *f);

/* --- formats -------------------------------------------------------------- */

/*
 * Which custom format is used for which action: the sum of all -f and -F.
 */

/* by capital letter; owned, an all-zero struct has none */
struct formats {
	struct format *by_letter[26];
	bool any;		/* there is one at all */
};

enum formats_error {
	FORMATS_OK,
	FORMATS_BAD_LETTER,	/* no action has it */
	FORMATS_NO_COMMA,
	FORMATS_NO_MEMORY,
};

/* -f: for all letters that have none yet */
enum formats_error formats_set_all(struct formats *f, const char *text);

/* -F, "X,format": for letter X, in place of what it had */
enum formats_error formats_set_one(struct formats *f, const char *spec);

/* what they render goes to a terminal: control characters are escaped */
void formats_set_terminal(const struct formats *f);

/* the format for an event's action, or NULL: the default text */
struct format *formats_for(const struct formats *f, const struct event *ev);

void formats_free(struct formats *f);

#endif
