/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a source, in bounded memory, and the numbers in them.
 */
#ifndef IMPORT_LINES_H
#define IMPORT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct source;			/* file/source.h */

enum { LINES_MAX = 16384 };	/* bytes of a line; of a longer one the rest is
				 * passed over */

struct lines {
	struct source *source;
	char *bytes;
	size_t at, end;		/* what has not been returned */
	uint64_t number;	/* of the last line, from 1 */
	bool over;		/* the source has ended */
	bool cut;		/* the last line was, and its rest follows */
};

/* 0 or -ENOMEM; the caller closes the source */
int lines_open(struct lines *l, struct source *s);

/*
 * The next line, without its end (LF or CR LF), and a NUL after its *len bytes;
 * valid until the next call.  1; 0: no more; -EILSEQ: its packed data is
 * broken; or -errno of the source.
 */
int lines_next(struct lines *l, char **line, size_t *len);

void lines_close(struct lines *l);

/* a part of a line */
struct field {
	const char *text;
	size_t len;
};

/* A whole number in decimal, or hexadecimal after 0x.  false: it is none, or
 * too large. */
bool field_number(const struct field *f, uint64_t *n);

/* A number with decimals times scale, at most 10^9, cut to a whole: "1.25" by
 * 10^9 is 1250000000.  false: it is none, negative, or too large. */
bool field_scaled(const struct field *f, uint64_t scale, uint64_t *n);

/* whether it is this word, in any case */
bool field_is(const struct field *f, const char *word);

#endif
