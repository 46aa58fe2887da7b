/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for people: three digits and a unit.  All write a text with its NUL
 * to text and return its length, UNIT_MAX - 1 at most.
 */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include <stdint.h>

#include "base/wide.h"

enum { UNIT_MAX = 16 };

/* a span in ns: "0ns", "929us", "2.45ms", "10.5ms", "1.00s"; never more than
 * 999 of a unit but s, and from a day on "100ks", so six columns at most */
unsigned int unit_time(char text[UNIT_MAX], uint64_t ns);

/* bytes: "512", "4.00K", "22.2K", "128K", "1.00M" ... T, by 1,024; as there
 * are three digits, 1,000 is "0.98K" */
unsigned int unit_size(char text[UNIT_MAX], uint64_t bytes);

/* part / whole: "0" of nothing, "0.31", "48.1", "266", "1.04k", "2.10M"; "-"
 * if whole is 0; ">999E" is the greatest */
unsigned int unit_decimal(char text[UNIT_MAX], uint64_t part, uint64_t whole);

/* the same of a sum */
unsigned int unit_ratio(char text[UNIT_MAX], struct wide part, uint64_t whole);

/* count things in ns of time, a second, as unit_decimal() */
unsigned int unit_rate(char text[UNIT_MAX], uint64_t count, uint64_t ns);

/* bytes in ns of time, in MiB a second, as unit_decimal() */
unsigned int unit_rate_mib(char text[UNIT_MAX], uint64_t bytes, uint64_t ns);

/* part of whole: "100%", "59%", "0%"; "<1%" and ">99%" of what is no 0 and not
 * all, ">999%"; "-" if whole is 0 */
unsigned int unit_share(char text[UNIT_MAX], uint64_t part, uint64_t whole);

/* the same with 1 to 3 decimals: "19.91%"; part is at most whole */
unsigned int unit_share_exact(char text[UNIT_MAX], uint64_t part,
			      uint64_t whole, unsigned int decimals);

/* a round span in ns in full, as axes have it: "500ns", "1.5us", "20ms", "10s",
 * "2ks"; six columns at most if it has two digits */
unsigned int unit_step(char text[UNIT_MAX], uint64_t ns);

#endif
