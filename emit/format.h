/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Custom formats (-f, -F), compiled once and rendered for every event.
 * Specifiers: doc/blkparse.1, section FORMATS.
 */
#ifndef EMIT_FORMAT_H
#define EMIT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* --- texts ---------------------------------------------------------------- */

/*
 * A cache of rendered short texts, by the value that they depend on.  A key
 * replaces the one whose slot it hashes to.
 */

enum {
	TEXTS_BITS = 8,
	TEXTS = 1 << TEXTS_BITS,
	TEXT_MAX = 23,		/* longer texts are not cached */
};

struct text {
	uint64_t key;
	uint8_t len;
	char chars[TEXT_MAX];	/* may be copied with its padding */
};

struct texts {
	struct text list[TEXTS];
};

/* an empty cache, to be free()d; NULL: out of memory */
struct texts *texts_new(void);

/* the text of key, which is not UINT64_MAX; NULL: not cached */
static inline const struct text *texts_get(const struct texts *t, uint64_t key)
{
	const struct text *text = &t->list[hash_spread(key, TEXTS_BITS)];

	return text->key == key ? text : NULL;
}

/* caches len bytes as the text of key, if they are at most TEXT_MAX */
void texts_set(struct texts *t, uint64_t key, const char *chars, size_t len);

/* --- format --------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct clock;			/* record/clock.h */
struct event;			/* record/record.h */
struct format;
struct names;			/* run/names.h */

/* compiles text, which is copied; NULL: out of memory */
struct format *format_new(const char *text);

/* from now on escapes control characters of process names */
void format_set_terminal(struct format *f);

enum format_result {
	FORMAT_SHOWN,
	FORMAT_NO_LATENCY,	/* the format needs one and there is none */
	FORMAT_BAD_ESCAPE,	/* format_bad_escape() is the character */
	FORMAT_NO_ROOM,		/* the buffer has the errno */
};

struct format_context {
	struct buf *out;
	const struct names *names;
	const struct clock *clock;
};

/*
 * Renders *ev, its time relative to the first event, with a latency in ns or
 * LINE_NO_LATENCY.  After an error, the text before it stays in the buffer.
 */
enum format_result format_event(struct format *f,
				const struct format_context *c,
				const struct event *ev, uint64_t latency);

/* the character that caused FORMAT_BAD_ESCAPE */
char format_bad_escape(const struct format *f);

/* frees f; NULL is fine */
void format_free(struct format *f);

/* --- formats -------------------------------------------------------------- */

/*
 * The custom format of each action, from all -f and -F.
 */

/* owns the formats; an all-zero struct has none */
struct formats {
	struct format *by_letter[26];	/* by capital letter */
	bool any;
};

enum formats_error {
	FORMATS_OK,
	FORMATS_BAD_LETTER,	/* of no action */
	FORMATS_NO_COMMA,
	FORMATS_NO_MEMORY,
};

/* -f: for all letters without a format */
enum formats_error formats_set_all(struct formats *f, const char *text);

/* -F, "X,format": replaces the format of letter X */
enum formats_error formats_set_one(struct formats *f, const char *spec);

/* calls format_set_terminal() for each */
void formats_set_terminal(const struct formats *f);

/* the format for an event's action, or NULL: the default text */
struct format *formats_for(const struct formats *f, const struct event *ev);

void formats_free(struct formats *f);

#endif
