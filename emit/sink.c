/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for programs; see sink.h. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/num.h"
#include "emit/sink.h"
#include "stat/statistic.h"

/* --- quoted --------------------------------------------------------------- */

/* U+FFFD */
static const char replacement[] = "\xef\xbf\xbd";

static void put_csv(struct buf *b, const char *c, size_t len)
{
	if (*c == '"')
		buf_append(b, "\"", 1);
	buf_append(b, c, len);
}

void quoted_csv(struct buf *b, const char *text)
{
	const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
	size_t left = strlen(text);

	buf_append(b, quote, strlen(quote));
	while (left) {
		size_t len = escape_character(text, left);
		size_t taken = len ? len : 1;

		if (len)
			put_csv(b, text, len);
		else
			buf_append(b, replacement, sizeof(replacement) - 1);
		text += taken;
		left -= taken;
	}
	buf_append(b, quote, strlen(quote));
}

void quoted_csv_number(struct buf *b, double number)
{
	if (isfinite(number))
		buf_printf(b, "%.10g", number);
}

/* --- sink ----------------------------------------------------------------- */

static void put(struct sink *s, const char *text)
{
	buf_append(s->b, text, strlen(text));
}

/* --- text ----------------------------------------------------------------- */

static void put_json(struct sink *s, const char *text)
{
	size_t len = strlen(text);
	char *p = buf_room(s->b, JSON_QUOTES + JSON_GROWS * len);

	if (p)
		buf_commit(s->b, json_render(p, text, len));
}

static void put_text(struct sink *s, const char *text)
{
	if (s->json)
		put_json(s, text);
	else
		quoted_csv(s->b, text);
}

/* --- structure ------------------------------------------------------------ */

/* a name in json, a separator in csv */
static void begin(struct sink *s, const char *name)
{
	if (s->begun)
		put(s, ",");
	s->begun = true;
	if (s->json && name) {
		put_text(s, name);
		put(s, ":");
	}
}

static void open_json(struct sink *s, const char *name, const char *bracket)
{
	if (!s->json)
		return;
	begin(s, name);
	put(s, bracket);
	s->begun = false;
}

static void close_json(struct sink *s, const char *bracket)
{
	if (!s->json)
		return;
	put(s, bracket);
	s->begun = true;
}

void sink_object(struct sink *s, const char *name)
{
	open_json(s, name, "{");
}

void sink_object_end(struct sink *s)
{
	close_json(s, "}");
}

void sink_array(struct sink *s, const char *name)
{
	open_json(s, name, "[");
}

void sink_array_end(struct sink *s)
{
	close_json(s, "]");
}

void sink_row(struct sink *s)
{
	if (s->json && s->begun)
		put(s, ",");
	if (s->json)
		put(s, s->one_line ? "{" : "\n{");
	s->begun = false;
}

void sink_row_end(struct sink *s)
{
	put(s, s->json ? "}" : "\n");
	s->begun = s->json;
}

/* --- values --------------------------------------------------------------- */

/* returns whether a value follows */
static bool begin_value(struct sink *s, const char *name)
{
	begin(s, name);
	if (s->heading)
		put(s, name);
	return !s->heading;
}

/* digits of a number that may exceed 64 bits */
static char *put_digits(char *p, struct wide n)
{
	struct wide rest;

	if (!n.high)
		return num_u64(p, n.low);
	n = wide_divide(n, wide_of(1000000000), &rest);
	return num_nine(put_digits(p, n), (uint32_t)rest.low);
}

void sink_wide(struct sink *s, const char *name, struct wide n)
{
	char text[2 * NUM_DECIMAL_MAX + NUM_SLACK];

	if (begin_value(s, name))
		buf_append(s->b, text,
			   (size_t)(put_digits(text, n) - text));
}

void sink_number(struct sink *s, const char *name, uint64_t n)
{
	sink_wide(s, name, wide_of(n));
}

void sink_real(struct sink *s, const char *name, bool known, double value,
	       int digits)
{
	if (!known)
		sink_none(s, name);
	else if (begin_value(s, name))
		buf_printf(s->b, "%.*f", digits, value);
}

void sink_flag(struct sink *s, const char *name, bool set)
{
	if (begin_value(s, name))
		put(s, set ? "true" : "false");
}

void sink_text(struct sink *s, const char *name, const char *text)
{
	if (begin_value(s, name))
		put_text(s, text);
}

void sink_none(struct sink *s, const char *name)
{
	if (begin_value(s, name) && s->json)
		put(s, "null");
}

void sink_made(struct sink *s, const char *name)
{
	begin(s, name);
}

void sink_maybe(struct sink *s, const char *name, bool known, uint64_t n)
{
	if (known)
		sink_number(s, name, n);
	else
		sink_none(s, name);
}

void sink_statistics(struct sink *s, const uint64_t values[STATISTICS])
{
	for (unsigned int i = 0; i < STATISTICS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s_ns", statistic_row(i)->word);
		sink_maybe(s, name, values[i] != STATISTIC_NONE, values[i]);
	}
}
