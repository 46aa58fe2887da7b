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
#include "report/markup.h"

/* --- figure --------------------------------------------------------------- */

static void put_grouped(char *to, size_t size, uint64_t n)
{
	char digits[32];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, n);
	size_t at = 0;

	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0) {
			memcpy(to + at, THIN, sizeof(THIN) - 1);
			at += sizeof(THIN) - 1;
		}
		to[at++] = digits[i];
	}
	to[at < size ? at : size - 1] = '\0';
}

/* Exactly between two numbers of three digits: 1.125, but not 9.995, which is
 * less in binary. */
static bool is_between(double v)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.19e", v);
	return !strncmp(digits + 4, "5000000000000000", 16);
}

/* As number.js, where the number between goes up, not to the even one:
 * tests/unit/figures.h holds both to it. */
static void put_significant(char *to, size_t size, double v)
{
	if (v >= 999.5)
		put_grouped(to, size, v < 1e18 ? (uint64_t)(v + 0.5) :
						 UINT64_C(1000000000000000000));
	else if (v >= 0.001)
		snprintf(to, size, "%.3g",
			 is_between(v) ? nextafter(v, INFINITY) : v);
	else
		snprintf(to, size, v > 0 ? "<0.001" : "0");
}

struct unit {
	double from;
	const char *name;
};

/* the last unit is for all that is less */
static struct figure scale(double v, const struct unit *units,
			   unsigned int count)
{
	struct figure f;
	unsigned int i = 0;

	while (i + 1 < count && v < units[i].from * 0.9995)
		i++;
	put_significant(f.value, sizeof(f.value), v / units[i].from);
	snprintf(f.unit, sizeof(f.unit), "%s", units[i].name);
	return f;
}

struct figure figure_count(uint64_t n)
{
	struct figure f = { .unit = "" };

	put_grouped(f.value, sizeof(f.value), n);
	return f;
}

struct figure figure_decimal(double v)
{
	struct figure f = { .unit = "" };

	put_significant(f.value, sizeof(f.value), v);
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
	put_significant(f.value, sizeof(f.value), part / whole * 100);
	return f;
}

struct figure figure_none(void)
{
	return (struct figure){ .value = DASH };
}

const char *figure_text(char text[FIGURE_TEXT_MAX], struct figure f)
{
	bool apart = *f.unit && *f.unit != '%';

	snprintf(text, FIGURE_TEXT_MAX, "%s%s%s", f.value, apart ? THIN : "",
		 f.unit);
	return text;
}

/* --- markup --------------------------------------------------------------- */

enum { PIECE_MAX = 512 };

void markup(struct buf *b, const char *format, ...)
{
	char piece[PIECE_MAX];
	va_list args;
	int len;

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
	char text[FIGURE_TEXT_MAX];

	markup(b, "<td class=\"num\">");
	markup_text(b, figure_text(text, f));
	markup(b, "</td>");
}
