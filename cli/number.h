/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in arguments of this suite's own options; the classic ones use
 * atoi(3) and the like.
 */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Digits, maybe with a fraction, times unit, rounded down: "1.5" of 1,000 is
 * 1,500.  Returns the text after it; NULL: no number, or too large.
 */
const char *decimal_read(const char *text, uint64_t unit, uint64_t *n);

/* The setter of an option: a time above 0 such as 500us, or in seconds, to a
 * uint64_t of ns.  Ends the program with a message for other text. */
void decimal_set_time(void *ns, const char *text);

/* whether text is digits only, a number *n from min to max */
bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *n);

#endif
