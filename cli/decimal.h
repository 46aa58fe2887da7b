/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers with a fraction and times with a unit, as options that are ours take
 * them.
 */
#ifndef CLI_DECIMAL_H
#define CLI_DECIMAL_H

#include <stdint.h>

/*
 * Digits, with a fraction or without, times unit: "1.5" of 1,000 is 1,500.
 * What is less than 1 is cut off.  Returns what follows, or NULL: no number,
 * or too large a one.
 */
const char *decimal_read(const char *text, uint64_t unit, uint64_t *n);

/* The setter of an option: a time above 0 such as 500us, or in seconds, to a
 * uint64_t of ns.  What is none ends the program with a line about it. */
void decimal_set_time(void *ns, const char *text);

#endif
