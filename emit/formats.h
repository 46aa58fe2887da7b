/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which custom format is used for which action: the sum of all -f and -F.
 */
#ifndef EMIT_FORMATS_H
#define EMIT_FORMATS_H

#include <stdbool.h>

struct event;			/* record/record.h */
struct format;			/* emit/format.h */

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
