/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole numbers as options that are ours take them: digits and nothing else,
 * within a range.  What 1.3.0 takes goes through atoi(3) and its kind.
 */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* --- decimal -------------------------------------------------------------- */

/*
 * Numbers with a fraction and times with a unit, as options that are ours take
 * them.
 */

/*
 * Digits, with a fraction or without, times unit: "1.5" of 1,000 is 1,500.
 * What is less than 1 is cut off.  Returns what follows, or NULL: no number,
 * or too large a one.
 */
const char *decimal_read(const char *text, uint64_t unit, uint64_t *n);

/* The setter of an option: a time above 0 such as 500us, or in seconds, to a
 * uint64_t of ns.  What is none ends the program with a line about it. */
void decimal_set_time(void *ns, const char *text);

/* --- number --------------------------------------------------------------- */

/* whether text is a number from min to max; *n is that number */
bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *n);

#endif
