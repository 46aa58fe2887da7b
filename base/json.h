/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes JSON: one line, without blanks.
 *
 * Foreign text becomes valid UTF-8, with U+FFFD for other bytes.  Names are not
 * escaped; in arrays they are NULL.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;			/* base/buf.h */

/* a new writer has only b and page set */
struct json {
	struct buf *b;		/* also has the write error */
	bool begun;		/* a comma precedes the next value */
	bool page;		/* for a page: hidden characters (base/escape.h)
				 * become U+FFFD, and "<" \u003c, as it may end
				 * a script element */
};

/* the most bytes that a byte of text becomes; and those around it */
enum { JSON_GROWS = 6, JSON_QUOTES = 2 };

/*
 * Any len bytes of text as a string in quotes at to, which has room for
 * JSON_QUOTES + JSON_GROWS * len bytes.  Returns the end, without a NUL.
 */
char *json_render(char *to, const char *text, size_t len);

void json_put_object(struct json *j, const char *name);
void json_put_object_end(struct json *j);
void json_put_array(struct json *j, const char *name);
void json_put_array_end(struct json *j);

void json_put_number(struct json *j, const char *name, uint64_t n);
void json_put_signed(struct json *j, const char *name, int64_t n);
/* finite; six significant digits, or more of a large integer */
void json_put_real(struct json *j, const char *name, double value);
/* ten significant digits; null if not finite */
void json_put_measured(struct json *j, const char *name, double value);
void json_put_bool(struct json *j, const char *name, bool value);
void json_put_null(struct json *j, const char *name);
/* any len bytes */
void json_put_text(struct json *j, const char *name, const char *text,
		   size_t len);
/* text up to its NUL; NULL is null */
void json_put_string(struct json *j, const char *name, const char *text);

#endif
