/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole numbers as options that are ours take them: digits and nothing else,
 * within a range.  What 1.3.0 takes goes through atoi(3) and its kind.
 */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* whether text is a number from min to max; *n is that number */
bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *n);

#endif
