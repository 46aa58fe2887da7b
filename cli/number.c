/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in arguments; see number.h. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "base/time.h"
#include "cli/number.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

const char *decimal_read(const char *text, uint64_t unit, uint64_t *n)
{
	uint64_t whole = 0, part = 0;
	const uint64_t one = unit;

	if (!is_digit(*text))
		return NULL;
	for (; is_digit(*text); text++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, *text - '0', &whole))
			return NULL;
	if (*text == '.')
		for (text++; is_digit(*text); text++) {
			part += unit / 10 * (uint64_t)(*text - '0');
			unit /= 10;
		}
	if (__builtin_mul_overflow(whole, one, &whole) ||
	    __builtin_add_overflow(whole, part, n))
		return NULL;
	return text;
}

struct time_unit {
	const char *name;
	uint64_t ns;
};

static const struct time_unit units[] = {
	{ "", NS_PER_SECOND },	{ "ns", 1 },
	{ "us", NS_PER_US },	{ "ms", NS_PER_MS },
	{ "s", NS_PER_SECOND },	{ "m", 60 * NS_PER_SECOND },
};

/* whether word is a time: a number with its unit, or seconds */
static bool read_time(const char *word, uint64_t *ns)
{
	const char *unit = word + strspn(word, "0123456789.");

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		const char *end;

		if (strcmp(unit, units[i].name))
			continue;
		end = decimal_read(word, units[i].ns, ns);
		return end == unit;
	}
	return false;
}

void decimal_set_time(void *ns, const char *text)
{
	if (!read_time(text, ns) || !*(uint64_t *)ns)
		msg_die("not a time above 0, such as 500us or 0.5: %s", text);
}

bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *n)
{
	char *end;

	/* strtoull() also takes blanks, and wraps negative numbers */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*n = strtoull(text, &end, 10);
	return !errno && !*end && *n >= min && *n <= max;
}
