/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for people: three digits and a unit.  All return the length of text,
 * at most UNIT_MAX - 1.
 */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include <stdint.h>

#include "base/wide.h"

enum { UNIT_MAX = 16, UNIT_SPACED_MAX = UNIT_MAX + 8 };

/* ns: "0ns", "929us", "2.45ms", "10.5ms", "1.00s", up to "99999s", then
 * "100ks"; at most six columns */
unsigned int unit_time(char text[UNIT_MAX], uint64_t ns);

/* bytes: "512", "4.00K", "22.2K", "128K", "1.00M" ... T, by 1,024; 1,000 is
 * "0.98K" */
unsigned int unit_size(char text[UNIT_MAX], uint64_t bytes);

/* the same for a size in a sentence: "4K", "1M" if that is exact */
unsigned int unit_round_size(char text[UNIT_MAX], uint64_t bytes);

/* part / whole: "0" if part is 0, "0.31", "48.1", "266", "1.04k", "2.10M"; "-"
 * if whole is 0; at most ">999E" */
unsigned int unit_decimal(char text[UNIT_MAX], uint64_t part, uint64_t whole);

/* the same of a sum */
unsigned int unit_ratio(char text[UNIT_MAX], struct wide part, uint64_t whole);

/* count in ns, per second, as unit_decimal() */
unsigned int unit_rate(char text[UNIT_MAX], uint64_t count, uint64_t ns);

/* bytes in ns, in MiB per second, as unit_decimal() */
unsigned int unit_rate_mib(char text[UNIT_MAX], uint64_t bytes, uint64_t ns);

/* part / whole: "100%", "59%", "0%"; "<1%" and ">99%" unless it is exactly 0 or
 * all; at most ">999%"; "-" if whole is 0 */
unsigned int unit_share(char text[UNIT_MAX], uint64_t part, uint64_t whole);

/* the same with 1 to 3 decimals: "19.91%"; part is at most whole */
unsigned int unit_share_exact(char text[UNIT_MAX], uint64_t part,
			      uint64_t whole, unsigned int decimals);

/* a round number of ns for an axis: "500ns", "1.5us", "20ms", "10s", "2ks"; at
 * most six columns for two digits */
unsigned int unit_step(char text[UNIT_MAX], uint64_t ns);

/* Turns a span or a size into what pages show, in UTF-8 and with a thin space:
 * "2.45ms" into "2.45 ms", "929us" into "929 µs", "4K" into "4 KiB". */
void unit_space(char text[UNIT_SPACED_MAX]);

#endif
