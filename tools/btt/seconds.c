/* SPDX-License-Identifier: GPL-2.0-only */
/* Times and spans as seconds; see seconds.h. */
#include <stdio.h>

#include "base/num.h"
#include "tools/btt/seconds.h"

/*
 * Below these a double has the integer's digits: up to 2^22 s its error is
 * below 0.5 ns, half the last digit; up to 2^20 s it is below 1 ns, which
 * decides a microsecond.
 */
#define NANO_EXACT (NS_PER_SECOND << 22)
#define MICRO_EXACT (NS_PER_SECOND << 20)

uint64_t seconds_to_span(double seconds)
{
	uint64_t low = 0, high = UINT64_MAX;

	/* also if it is not a number */
	if (!(seconds > 0))
		return 0;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (seconds_of_time(middle) < seconds)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

char *seconds_nano(char *p, uint64_t ns, unsigned int width)
{
	unsigned int decimals = 1 + 9;	/* point and digits */

	if (ns >= NANO_EXACT)
		return p + sprintf(p, "%*.9f", (int)width, seconds_of_time(ns));
	p = num_u64_right(p, ns / NS_PER_SECOND,
			  width > decimals ? width - decimals : 0);
	*p++ = '.';
	return num_nine(p, (uint32_t)(ns % NS_PER_SECOND));
}

/* Half a microsecond is rounded as the double is. */
static inline bool is_plain(uint64_t ns)
{
	return ns < MICRO_EXACT && ns % 1000 != 500;
}

static char *micro(char *p, uint64_t ns)
{
	uint64_t us = (ns + 500) / 1000;
	uint32_t rest = (uint32_t)(us % 1000000);

	p = num_u64(p, us / 1000000);
	*p++ = '.';
	p = num_three(p, rest / 1000);
	return num_three(p, rest % 1000);
}

char *seconds_micro_time(char *p, uint64_t ns)
{
	if (is_plain(ns))
		return micro(p, ns);
	return p + sprintf(p, "%f", seconds_of_time(ns));
}

char *seconds_micro_span(char *p, uint64_t ns)
{
	if (is_plain(ns))
		return micro(p, ns);
	return p + sprintf(p, "%f", seconds_of_span(ns));
}

char *seconds_stamp(char *p, uint64_t ns, unsigned int width)
{
	p = num_i64_right(p, (int32_t)(ns / NS_PER_SECOND), width);
	*p++ = '.';
	return num_nine(p, (uint32_t)(ns % NS_PER_SECOND));
}
