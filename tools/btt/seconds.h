/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times and spans, in ns, as seconds: numbers and text.
 *
 * 1.3.0: converts ns to double in two ways that differ in the last bits.
 * Scripts compare the text, so both are kept.  Text is made from the integer if
 * that has equal digits: always but for half microseconds and for times of many
 * days.
 */
#ifndef TOOLS_BTT_SECONDS_H
#define TOOLS_BTT_SECONDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

/* not yet, or never */
#define NEVER UINT64_MAX

/* the longest text of the functions below, and bytes they may write after it */
enum { SECONDS_MAX = 64 };

/* times: seconds plus the rest */
static inline double seconds_of_time(uint64_t ns)
{
	return (double)(ns / NS_PER_SECOND) +
	       (double)(ns % NS_PER_SECOND) / 1.0e9;
}

/* latencies, and the times beside them: one division */
static inline double seconds_of_span(uint64_t ns)
{
	return (double)ns / 1.0e9;
}

/* the shortest span not below this many seconds */
uint64_t seconds_to_span(double seconds);

/* "%*.9f" of seconds_of_time(), at p; returns its end */
char *seconds_nano(char *p, uint64_t ns, unsigned int width);

/* "%f" of seconds_of_time(), and of seconds_of_span() */
char *seconds_micro_time(char *p, uint64_t ns);
char *seconds_micro_span(char *p, uint64_t ns);

/* "%*d.%09lu": seconds as 32 bits, and the rest */
char *seconds_stamp(char *p, uint64_t ns, unsigned int width);

#endif
