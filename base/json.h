/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON, in a page or a file: one line, without blanks.
 * Text from outside is made valid UTF-8: each byte that is no part of a
 * character becomes U+FFFD.  Whatever writes JSON otherwise writes its strings
 * by json_render().
 *
 * Names are ours and need no escapes; NULL stands for none, in arrays.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;			/* base/buf.h */

/* nothing but b set is a writer at the begin */
struct json {
	struct buf *b;		/* which keeps the error of writing */
	bool begun;		/* a value has been written before the next */
	bool page;		/* people see these texts on a page: no hidden
				 * characters (base/escape.h), U+FFFD instead;
				 * "<" as \u003c, so that nothing in it ends a
				 * script element */
};

/* what a byte of text can become, and what is around all of it */
enum { JSON_GROWS = 6, JSON_QUOTES = 2 };

/*
 * len bytes of text, which may be any, as a string in quotes at to, which has
 * room for JSON_QUOTES + JSON_GROWS * len bytes.  Control characters are
 * written as \u001b.  Returns the end; no NUL follows it.
 */
char *json_render(char *to, const char *text, size_t len);

void json_put_object(struct json *j, const char *name);
void json_put_object_end(struct json *j);
void json_put_array(struct json *j, const char *name);
void json_put_array_end(struct json *j);

void json_put_number(struct json *j, const char *name, uint64_t n);
void json_put_signed(struct json *j, const char *name, int64_t n);
/* which is finite; six significant digits, or as many as a whole number has */
void json_put_real(struct json *j, const char *name, double value);
/* ten digits, and null for what is not finite */
void json_put_measured(struct json *j, const char *name, double value);
void json_put_bool(struct json *j, const char *name, bool value);
void json_put_null(struct json *j, const char *name);
/* len bytes of text, which may be any */
void json_put_text(struct json *j, const char *name, const char *text,
		   size_t len);
/* the same of one that ends with NUL; NULL is null */
void json_put_string(struct json *j, const char *name, const char *text);

#endif
