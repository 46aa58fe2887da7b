/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in expressions; see value.h. */
#include <stdbool.h>
#include <string.h>

#include "base/wide.h"
#include "expr/error.h"
#include "expr/value.h"

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit times[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	{ "m", 60000000000 }, { NULL, 0 }
};

static const struct unit sizes[] = {
	{ "", 1 }, { "B", 1 }, { "K", 1 << 10 }, { "KiB", 1 << 10 },
	{ "M", 1 << 20 }, { "MiB", 1 << 20 }, { "G", 1 << 30 },
	{ "GiB", 1 << 30 }, { "sectors", 512 }, { NULL, 0 }
};

static const struct unit none[] = { { "", 1 }, { NULL, 0 } };

struct grammar {
	const struct unit *units;
	const char *no_unit, *wrong_unit, *not_whole;
};

static const struct grammar time_grammar = {
	times, "a time needs its unit (ns us ms s m)",
	"units of time are ns us ms s m", "not a whole number of ns",
};

static const struct grammar size_grammar = {
	sizes, NULL, "units of size are B K KiB M MiB G GiB sectors",
	"not a whole number of bytes",
};

static const struct grammar plain_grammar = {
	none, NULL, "this number takes no unit", "this must be a whole number",
};

static const struct grammar *grammar_of(enum expr_class class)
{
	return class == EXPR_IS_TIME ? &time_grammar :
	       class == EXPR_IS_SIZE ? &size_grammar :
				       &plain_grammar;
}

/* a decimal: digits / scale, scale a power of ten */
struct decimal {
	struct wide digits, scale;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* NULL: too many digits */
static const char *read_digits(const char *p, struct decimal *d, bool part)
{
	const struct wide most = { 0, UINT64_C(1) << 36 };

	for (; is_digit(*p); p++) {
		d->digits = wide_times(d->digits, 10);
		wide_add(&d->digits, (uint64_t)(*p - '0'));
		d->scale = wide_times(d->scale, part ? 10 : 1);
		if (wide_less(most, d->digits) || wide_less(most, d->scale))
			return NULL;
	}
	return p;
}

static const char *read_decimal(const char *p, struct decimal *d)
{
	*d = (struct decimal){ wide_of(0), wide_of(1) };
	p = read_digits(p, d, false);
	if (!p || *p != '.' || !is_digit(p[1]))
		return p;
	return read_digits(p + 1, d, true);
}

/* The unit at p, and its *end; NULL: unknown */
static const struct unit *read_unit(const struct unit *units, const char *p,
				    const char **end)
{
	size_t len;

	for (*end = p; is_letter(**end) || is_digit(**end); ++*end)
		;
	len = (size_t)(*end - p);
	for (; units->name; units++)
		if (strlen(units->name) == len &&
		    !memcmp(units->name, p, len))
			return units;
	return NULL;
}

/* The same, maybe after blanks. */
static const struct unit *find_unit(const struct unit *units, const char *p,
				    const char **end)
{
	const struct unit *unit = read_unit(units, p, end), *later;
	const char *word = p + strspn(p, " \t\r\n"), *its_end;

	if (*end > p)
		return unit;
	later = read_unit(units, word, &its_end);
	if (!later || its_end == word)
		return unit;
	*end = its_end;
	return later;
}

static const char *fail(struct expr_error *why, size_t at, const char *phrase)
{
	*why = (struct expr_error){ at, phrase };
	return NULL;
}

/* Drops trailing zeros. */
static struct decimal shorten(struct decimal d)
{
	struct wide shorter, last;

	while (!wide_same(d.scale, wide_of(1))) {
		shorter = wide_divide(d.digits, wide_of(10), &last);
		if (!wide_is_zero(last))
			break;
		d = (struct decimal){ shorter, wide_over(d.scale, 10) };
	}
	return d;
}

/* Returns a phrase, or NULL. */
static const char *convert(const struct grammar *g, struct decimal d,
			   uint64_t factor, uint64_t *value)
{
	struct wide whole, rest;

	if (wide_divide(d.digits, d.scale, NULL).high)
		return "the number is too large";
	d = shorten(d);
	whole = wide_divide(wide_times(d.digits, factor), d.scale, &rest);
	if (wide_less(wide_over(WIDE_MOST, factor), d.digits) ||
	    !wide_is_zero(rest))
		return g->not_whole;
	if (whole.high)
		return "the number is too large";
	*value = whole.low;
	return NULL;
}

const char *expr_value_read(const char *text, enum expr_class class,
			    uint64_t *value, struct expr_error *why)
{
	const struct grammar *g = grammar_of(class);
	const struct unit *unit;
	const char *p, *end, *wrong;
	struct decimal d;

	if (!is_digit(*text))
		return fail(why, 0, "expected a number");
	p = read_decimal(text, &d);
	if (!p)
		return fail(why, 0, "the number has too many digits");
	unit = find_unit(g->units, p, &end);
	if (!unit)
		return fail(why, (size_t)(p - text),
			    end == p ? g->no_unit : g->wrong_unit);
	wrong = convert(g, d, unit->factor, value);
	return wrong ? fail(why, 0, wrong) : end;
}
