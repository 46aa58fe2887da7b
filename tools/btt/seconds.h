/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times and spans, in ns, as seconds: numbers and text.
 *
 * 1.3.0: it turns ns into a double in two ways that differ in the last
 * bits, and prints that.  Scripts compare its text, so both ways are kept; the
 * text is made from the integer wherever that gives the same digits, which is
 * always but for half microseconds and for times beyond some days.
 */
#ifndef TOOLS_BTT_SECONDS_H
#define TOOLS_BTT_SECONDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

/* a time that has not come */
#define NEVER UINT64_MAX

/* the longest text of the functions below, and what they may store behind */
enum { SECONDS_MAX = 64 };

/* whole seconds and the rest, added up: how times are shown */
static inline double seconds_of_time(uint64_t ns)
{
	return (double)(ns / NS_PER_SECOND) +
	       (double)(ns % NS_PER_SECOND) / 1.0e9;
}

/* divided at once: how latencies are shown, and the times beside them */
static inline double seconds_of_span(uint64_t ns)
{
	return (double)ns / 1.0e9;
}

/* the shortest span that is not below this many seconds */
uint64_t seconds_to_span(double seconds);

/* "%*.9f" of seconds_of_time(), at p; returns its end */
char *seconds_nano(char *p, uint64_t ns, unsigned int width);

/* "%f" of seconds_of_time(), and of seconds_of_span() */
char *seconds_micro_time(char *p, uint64_t ns);
char *seconds_micro_span(char *p, uint64_t ns);

/* "%*d.%09lu": whole seconds as the 32 bits they were kept in, and the rest */
char *seconds_stamp(char *p, uint64_t ns, unsigned int width);

#endif
