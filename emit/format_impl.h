/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a custom format; for emit/format's own files. */
#ifndef EMIT_FORMAT_IMPL_H
#define EMIT_FORMAT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/escape.h"
#include "run/names.h"

struct format_context;		/* emit/format.h */
struct texts;			/* emit/format.h */

enum {
	FORMAT_NSEC_PLACES = 9,	/* digits of ns without a width */
	FORMAT_TAIL_MAX = 8,
	FORMAT_ESCAPED_ROOM = ESCAPE_MAX * NAME_SIZE,
};

/* what a field's text depends on, if that has few values */
enum key {
	KEY_NONE,		/* rendered each time */
	KEY_DEVICE,
	KEY_CPU,
	KEY_PROCESS,
	KEY_LETTERS,		/* of the action, of RWBS */
	KEY_SECOND,
	KEYS
};

struct op;

/* one event being rendered */
struct job {
	const struct format_context *c;
	const struct event *ev;
	uint64_t latency;
	struct format *f;
	int result;		/* enum format_result */
	uint64_t keys[KEYS];
};

/* renders a field at p, which has room for it; returns its end */
typedef char *put_field(struct job *j, const struct op *op, char *p);

struct op {
	put_field *put;
	enum key key;
	uint32_t width;
	struct texts *kept;	/* with tail, by key; NULL: not cached */
	bool left;
	uint8_t tail_len;
	char tail[FORMAT_TAIL_MAX];	/* the literal text after it */
	uint32_t at, len;	/* of a long literal in the format's texts */
};

struct format {
	struct op *ops;
	size_t count;
	char *texts;		/* of all literals */
	uint64_t room;		/* most bytes of an event, without its %P */
	size_t cdbs;		/* number of %P */
	char bad;		/* after a backslash */
	int64_t day_second;	/* which day_text shows */
	bool day_known;
	char day_text[16];	/* "22:13:20." */
};

struct field {
	put_field *put;
	enum key key;
};

/* the field of a specifier; NULL: none */
const struct field *format_field(char letter);

/* functions that the compiler of formats names */
put_field format_put_literal, format_put_padded_literal, format_put_bad_escape;
put_field format_put_cdb, format_put_name, format_put_escaped_name;

#endif
