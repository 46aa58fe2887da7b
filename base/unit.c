/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers for people; see unit.h. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "base/unit.h"

struct scale {
	uint64_t size;		/* in the table's first unit */
	const char *name;	/* NULL after the last one */
	uint32_t most;		/* more is in the next unit */
};

/* above a day, so that texts stay short whatever a trace has */
static const struct scale times[] = {
	{ 1, "ns", 999 },
	{ NS_PER_US, "us", 999 },
	{ NS_PER_MS, "ms", 999 },
	{ NS_PER_SECOND, "s", 99999 },
	{ 1000 * NS_PER_SECOND, "ks", 999 },
	{ 1000000 * NS_PER_SECOND, "Ms", 999 },
	{ 1000000000 * NS_PER_SECOND, "Gs", 999 },
	{ 0, NULL, 0 }
};

static const struct scale sizes[] = {
	{ 1, "", 999 },
	{ UINT64_C(1) << 10, "K", 999 },
	{ UINT64_C(1) << 20, "M", 999 },
	{ UINT64_C(1) << 30, "G", 999 },
	{ UINT64_C(1) << 40, "T", UINT32_MAX },
	{ 0, NULL, 0 }
};

static const struct scale counts[] = {
	{ 1, "", 999 },
	{ UINT64_C(1000), "k", 999 },
	{ UINT64_C(1000000), "M", 999 },
	{ UINT64_C(1000000000), "G", 999 },
	{ UINT64_C(1000000000000), "T", 999 },
	{ UINT64_C(1000000000000000), "P", 999 },
	{ UINT64_C(1000000000000000000), "E", 999 },
	{ 0, NULL, 0 }
};

static unsigned int print(char text[UNIT_MAX], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static unsigned int print(char text[UNIT_MAX], const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, UNIT_MAX, format, args);
	va_end(args);
	return len < UNIT_MAX ? (unsigned int)len : UNIT_MAX - 1;
}

/* part / whole, rounded, at most UINT64_MAX */
static uint64_t rounded(struct wide part, struct wide whole)
{
	struct wide rest, n = wide_divide(part, whole, &rest);
	struct wide half = wide_minus(whole, wide_over(whole, 2));

	wide_add(&n, !wide_less(rest, half));
	return wide_clamp(n);
}

/* part / whole in the first unit with at most three digits after rounding:
 * 9.996 is 10.0, and 999.6 is 1.00 of the next unit. */
static unsigned int three_digits(char text[UNIT_MAX], struct wide part,
				 struct wide whole, const struct scale *s)
{
	struct wide one = wide_times(whole, s->size);
	uint64_t n = rounded(wide_times(part, 100), one);

	if (n < 1000)
		return print(text, "%u.%02u%s", (unsigned int)n / 100,
			     (unsigned int)n % 100, s->name);
	n = rounded(wide_times(part, 10), one);
	if (n < 1000)
		return print(text, "%u.%u%s", (unsigned int)n / 10,
			     (unsigned int)n % 10, s->name);
	n = rounded(part, one);
	if (n <= s->most)
		return print(text, "%u%s", (unsigned int)n, s->name);
	if (!s[1].name)
		return print(text, ">%u%s", s->most, s->name);
	return three_digits(text, part, whole, s + 1);
}

/* no decimals in the first unit */
static unsigned int whole_or_three(char text[UNIT_MAX], uint64_t n,
				   const struct scale *s)
{
	if (n < 1000)
		return print(text, "%u%s", (unsigned int)n, s->name);
	return three_digits(text, wide_of(n), wide_of(1), s + 1);
}

unsigned int unit_time(char text[UNIT_MAX], uint64_t ns)
{
	return whole_or_three(text, ns, times);
}

unsigned int unit_size(char text[UNIT_MAX], uint64_t bytes)
{
	return whole_or_three(text, bytes, sizes);
}

unsigned int unit_round_size(char text[UNIT_MAX], uint64_t bytes)
{
	const struct scale *s = sizes;

	while (s[1].name && bytes >= s[1].size && !(bytes % s[1].size))
		s++;
	if (bytes / s->size < 1000)
		return print(text, "%u%s", (unsigned int)(bytes / s->size),
			     s->name);
	return unit_size(text, bytes);
}

unsigned int unit_ratio(char text[UNIT_MAX], struct wide part, uint64_t whole)
{
	static const struct wide most = { 0, UINT64_C(1) << 36 };

	if (!whole)
		return print(text, "-");
	if (wide_is_zero(part))
		return print(text, "0");
	return three_digits(text, wide_less(part, most) ? part : most,
			    wide_of(whole), counts);
}

unsigned int unit_decimal(char text[UNIT_MAX], uint64_t part, uint64_t whole)
{
	return unit_ratio(text, wide_of(part), whole);
}

unsigned int unit_rate(char text[UNIT_MAX], uint64_t count, uint64_t ns)
{
	return unit_ratio(text, wide_product(count, NS_PER_SECOND), ns);
}

unsigned int unit_rate_mib(char text[UNIT_MAX], uint64_t bytes, uint64_t ns)
{
	/* a second has 5^9 2^9 ns, which cancels 2^9 of a MiB's 2^20 */
	struct wide part = wide_product(bytes, NS_PER_SECOND >> 9);

	if (ns >> 53)
		return unit_ratio(text, wide_over(part, 1 << 11), ns);
	return unit_ratio(text, part, ns << 11);
}

unsigned int unit_share(char text[UNIT_MAX], uint64_t part, uint64_t whole)
{
	uint64_t percent;

	if (!whole)
		return print(text, "-");
	if (part && wide_less(wide_product(part, 100), wide_of(whole)))
		return print(text, "<1%%");
	percent = rounded(wide_product(part, 100), wide_of(whole));
	if (percent == 100 && part < whole)
		return print(text, ">99%%");
	if (percent > 999)
		return print(text, ">999%%");
	return print(text, "%u%%", (unsigned int)percent);
}

unsigned int unit_share_exact(char text[UNIT_MAX], uint64_t part,
			      uint64_t whole, unsigned int decimals)
{
	static const unsigned int ones[] = { 1, 10, 100, 1000 };
	unsigned int one = ones[decimals];
	unsigned int n;

	if (!whole)
		return print(text, "-");
	n = (unsigned int)rounded(wide_times(wide_product(part, 100),
						   one), wide_of(whole));
	return print(text, "%u.%0*u%%", n / one, (int)decimals, n % one);
}

unsigned int unit_step(char text[UNIT_MAX], uint64_t ns)
{
	const struct scale *s = times;

	while (s[1].name && s[1].size <= ns)
		s++;
	if (ns % s->size * 10 / s->size)
		return print(text, "%llu.%llu%s",
			     (unsigned long long)(ns / s->size),
			     (unsigned long long)(ns % s->size * 10 / s->size),
			     s->name);
	return print(text, "%llu%s", (unsigned long long)(ns / s->size),
		     s->name);
}

void unit_space(char text[UNIT_SPACED_MAX])
{
	char *end = text + strspn(text, "0123456789.>"), unit[UNIT_MAX];
	bool size = *end && strchr("KMGT", *end) && !end[1];

	if (!*end)
		return;
	snprintf(unit, sizeof(unit), "%s", end);
	snprintf(end, UNIT_SPACED_MAX - (size_t)(end - text),
		 "\xe2\x80\xaf%s%s", strcmp(unit, "us") ? unit : "\xc2\xb5s",
		 size ? "iB" : "");
}
