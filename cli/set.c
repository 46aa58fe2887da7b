/* SPDX-License-Identifier: GPL-2.0-only */
/* Setters for options, and their numbers; see set.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act_mask.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/set.h"
#include "run/window.h"

enum { SIZE_LEAST = 64 << 10 };

void cli_set_flag(void *flag, const char *argument)
{
	(void)argument;
	*(bool *)flag = true;
}

void cli_set_count(void *count, const char *argument)
{
	(void)argument;
	++*(int *)count;
}

void cli_set_text(void *text, const char *argument)
{
	*(const char **)text = argument;
}

void cli_set_int(void *number, const char *argument)
{
	*(int *)number = atoi(argument);
}

void cli_set_uint(void *number, const char *argument)
{
	*(unsigned int *)number = (unsigned int)strtoul(argument, NULL, 10);
}

void cli_set_u64(void *number, const char *argument)
{
	*(uint64_t *)number = strtoull(argument, NULL, 10);
}

void cli_add_mask(void *mask, const char *name)
{
	uint32_t bit = act_mask_bit(name);

	if (!bit)
		msg_die("Invalid action mask %s", name);
	*(uint32_t *)mask |= bit;
}

void cli_set_mask(void *mask, const char *hex)
{
	char *end;
	unsigned long n = strtoul(hex, &end, 16);

	if (end == hex || n < 1 || n > 0xffff)
		msg_die("Invalid set action mask %s/0x%lx: -A takes 1 to ffff",
			hex, n);
	*(uint32_t *)mask = (uint32_t)n;
}

void cli_set_window(void *window, const char *text)
{
	if (window_parse(window, text) != WINDOW_OK)
		msg_die("-w: not a span of time, END or START:END in seconds:"
			" %s", text);
}

void cli_set_size(void *size, const char *text)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	unsigned int shift = *end == 'K' || *end == 'k' ? 10 :
			     *end == 'M' || *end == 'm' ? 20 : 0;

	if (end == text || *text == '-' || end[shift != 0] ||
	    n > (UINT64_C(1) << 40) >> shift || n << shift < SIZE_LEAST)
		msg_die("--size=%s: a number of bytes, from %uK, with K or M",
			text, SIZE_LEAST >> 10);
	*(uint64_t *)size = n << shift;
}

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
