/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of HTML; see markup.h. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/num.h"
#include "report/markup.h"

/* --- figure --------------------------------------------------------------- */

/* bytes that its digits and spaces take at most, and the NUL */
enum { GROUPED_MAX = 20 + 6 * (sizeof(THIN) - 1) + 1 };

static void put_grouped(char *to, uint64_t n)
{
	char text[GROUPED_MAX], *at = text + sizeof(text) - 1;

	*at = '\0';
	for (unsigned int digits = 0; !digits || n; digits++, n /= 10) {
		if (digits && digits % 3 == 0) {
			at -= sizeof(THIN) - 1;
			memcpy(at, THIN, sizeof(THIN) - 1);
		}
		*--at = (char)('0' + n % 10);
	}
	memcpy(to, at, (size_t)(text + sizeof(text) - at));
}

/* Exactly between two numbers of three digits: 1.125, but not 9.995, which is
 * less in binary. */
static bool is_between(double v)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.19e", v);
	return !strncmp(digits + 4, "5000000000000000", 16);
}

/* what is so close to the middle of two numbers that it takes a look */
static void put_close(char *to, double v)
{
	snprintf(to, FIGURE_VALUE_MAX, "%.3g",
		 is_between(v) ? nextafter(v, INFINITY) : v);
}

/* As number.js, where the number between goes up, not to the even one:
 * tests/unit/figures.h holds both to it. */
static void put_significant(char *to, double v)
{
	char *end;

	if (v >= 999.5)
		put_grouped(to, v < 1e18 ? (uint64_t)(v + 0.5) :
					   UINT64_C(1000000000000000000));
	else if (v >= 0.001 && (end = num_significant(to, v, 3)))
		*end = '\0';
	else if (v >= 0.001)
		put_close(to, v);
	else
		strcpy(to, v > 0 ? "<0.001" : "0");
}

struct unit {
	double from;
	char name[FIGURE_UNIT_MAX];
};

/* the last unit is for all that is less */
static struct figure scale(double v, const struct unit *units,
			   unsigned int count)
{
	struct figure f;
	unsigned int i = 0;

	while (i + 1 < count && v < units[i].from * 0.9995)
		i++;
	put_significant(f.value, v / units[i].from);
	memcpy(f.unit, units[i].name, sizeof(f.unit));
	return f;
}

struct figure figure_count(uint64_t n)
{
	struct figure f = { .unit = "" };

	put_grouped(f.value, n);
	return f;
}

struct figure figure_decimal(double v)
{
	struct figure f = { .unit = "" };

	put_significant(f.value, v);
	return f;
}

struct figure figure_time(double ns)
{
	static const struct unit units[] = {
		{ 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\xc2\xb5s" }, { 1, "ns" },
	};

	return scale(ns, units, sizeof(units) / sizeof(units[0]));
}

struct figure figure_size(double bytes)
{
	static const struct unit units[] = {
		{ 1099511627776.0, "TiB" }, { 1073741824, "GiB" },
		{ 1048576, "MiB" }, { 1024, "KiB" }, { 1, "B" },
	};

	return scale(bytes, units, sizeof(units) / sizeof(units[0]));
}

struct figure figure_share(double part, double whole)
{
	struct figure f = { .unit = "%" };

	if (!(whole > 0))
		return figure_none();
	put_significant(f.value, part / whole * 100);
	return f;
}

struct figure figure_none(void)
{
	return (struct figure){ .value = DASH };
}

const char *figure_text(char text[FIGURE_TEXT_MAX], struct figure f)
{
	bool apart = *f.unit && *f.unit != '%';

	/* FIGURE_TEXT_MAX has room for the longest of each */
	stpcpy(stpcpy(stpcpy(text, f.value), apart ? THIN : ""), f.unit);
	return text;
}

/* --- markup --------------------------------------------------------------- */

enum { PIECE_MAX = 512 };

void markup_plain(struct buf *b, const char *text)
{
	buf_append(b, text, strlen(text));
}

void markup_number(struct buf *b, uint64_t n)
{
	char text[NUM_DECIMAL_MAX + NUM_SLACK];

	buf_append(b, text, (size_t)(num_u64(text, n) - text));
}

void markup(struct buf *b, const char *format, ...)
{
	char piece[PIECE_MAX];
	va_list args;
	int len;

	if (!strchr(format, '%')) {
		markup_plain(b, format);
		return;
	}
	va_start(args, format);
	len = vsnprintf(piece, sizeof(piece), format, args);
	va_end(args);
	if (len > 0)
		buf_append(b, piece, len < PIECE_MAX ? (size_t)len :
						       PIECE_MAX - 1);
}

static const char *escape_of(const char *c)
{
	switch (*c) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

void markup_text(struct buf *b, const char *text)
{
	clean_text(b, text, strlen(text), escape_of);
}

void markup_cell(struct buf *b, struct figure f)
{
	static const char start[] = "<td class=\"num\">", end[] = "</td>";
	char *p = buf_room(b, sizeof(start) + FIGURE_TEXT_MAX + sizeof(end));
	/* of "<0.001", which is all that needs an escape */
	bool less = *f.value == '<';

	if (!p)
		return;
	p = stpcpy(p, start);
	if (less) {
		p = stpcpy(p, "&lt;");
		memmove(f.value, f.value + 1, strlen(f.value));
	}
	p += strlen(figure_text(p, f));
	buf_commit(b, stpcpy(p, end));
}
