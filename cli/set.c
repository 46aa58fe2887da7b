/* SPDX-License-Identifier: GPL-2.0-only */
/* Setters for options; see set.h. */
#include <stdlib.h>

#include "act_mask.h"
#include "base/msg.h"
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
