/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON; see json.h. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/num.h"

static void put(struct json *j, const char *text)
{
	buf_append(j->b, text, strlen(text));
}

/* Writes a comma and the name before a value. */
static void begin(struct json *j, const char *name)
{
	size_t len = name ? strlen(name) : 0;
	char *p = buf_room(j->b, len + sizeof(",\"\":"));
	bool comma = j->begun;

	j->begun = true;
	if (!p)
		return;
	if (comma)
		*p++ = ',';
	if (name) {
		*p++ = '"';
		p = mempcpy(p, name, len);
		*p++ = '"';
		*p++ = ':';
	}
	buf_commit(j->b, p);
}

static void open_with(struct json *j, const char *name, const char *bracket)
{
	begin(j, name);
	put(j, bracket);
	j->begun = false;
}

static void close_with(struct json *j, const char *bracket)
{
	put(j, bracket);
	j->begun = true;
}

void json_put_object(struct json *j, const char *name)
{
	open_with(j, name, "{");
}

void json_put_object_end(struct json *j)
{
	close_with(j, "}");
}

void json_put_array(struct json *j, const char *name)
{
	open_with(j, name, "[");
}

void json_put_array_end(struct json *j)
{
	close_with(j, "]");
}

void json_put_signed(struct json *j, const char *name, int64_t n)
{
	char *p;

	begin(j, name);
	p = buf_room(j->b, NUM_DECIMAL_MAX + NUM_SLACK);
	if (p)
		buf_commit(j->b, num_i64(p, n));
}

void json_put_number(struct json *j, const char *name, uint64_t n)
{
	char *p;

	begin(j, name);
	p = buf_room(j->b, NUM_DECIMAL_MAX + NUM_SLACK);
	if (p)
		buf_commit(j->b, num_u64(p, n));
}

void json_put_real(struct json *j, const char *name, double value)
{
	char *p, *end = NULL;

	begin(j, name);
	p = value >= 1 && value < 1e18 ?
	    buf_room(j->b, NUM_DECIMAL_MAX + NUM_SLACK) : NULL;
	if (p && value >= 1e6)
		end = num_u64(p, (uint64_t)rint(value));
	else if (p && value < 999999)
		end = num_significant(p, value, 6);
	if (end)
		buf_commit(j->b, end);
	else if (fabs(value) >= 1e6 && fabs(value) < 1e18)
		buf_printf(j->b, "%.0f", value);
	else
		buf_printf(j->b, "%.6g", value);
}

void json_put_measured(struct json *j, const char *name, double value)
{
	if (!isfinite(value)) {
		json_put_null(j, name);
		return;
	}
	begin(j, name);
	buf_printf(j->b, "%.10g", value);
}

void json_put_bool(struct json *j, const char *name, bool value)
{
	begin(j, name);
	put(j, value ? "true" : "false");
}

void json_put_null(struct json *j, const char *name)
{
	begin(j, name);
	put(j, "null");
}

static char *put_unicode(char *to, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";

	to = stpcpy(to, "\\u00");
	*to++ = digits[c >> 4];
	*to++ = digits[c & 15];
	return to;
}

/* A character of len bytes; 0: a byte that is not UTF-8. */
static char *put_character(char *to, const char *c, size_t len, bool page)
{
	if (!len || (page && escape_is_hidden(c, len)))
		return stpcpy(to, UTF8_REPLACEMENT);
	if (len > 1)
		return mempcpy(to, c, len);
	if (*c < ' ' || *c == 0x7f || (page && *c == '<'))
		return put_unicode(to, (unsigned char)*c);
	if (*c == '"' || *c == '\\')
		*to++ = '\\';
	*to++ = *c;
	return to;
}

static char *put_string(char *to, const char *text, size_t len, bool page)
{
	*to++ = '"';
	while (len) {
		size_t n = escape_character(text, len);

		to = put_character(to, text, n, page);
		text += n ? n : 1;
		len -= n ? n : 1;
	}
	*to++ = '"';
	return to;
}

char *json_render(char *to, const char *text, size_t len)
{
	return put_string(to, text, len, false);
}

void json_put_text(struct json *j, const char *name, const char *text,
		   size_t len)
{
	char *p;

	begin(j, name);
	p = buf_room(j->b, JSON_QUOTES + JSON_GROWS * len);
	if (p)
		buf_commit(j->b, put_string(p, text, len, j->page));
}

void json_put_string(struct json *j, const char *name, const char *text)
{
	if (text)
		json_put_text(j, name, text, strlen(text));
	else
		json_put_null(j, name);
}
