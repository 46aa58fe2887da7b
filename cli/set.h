/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Setters for the rows of cli/options, and the numbers and times that this
 * suite's own options take; the classic ones use atoi(3) and the like.  The
 * compiler checks a field's type: CLI_FLAG(struct options, quiet) needs a bool.
 */
#ifndef CLI_SET_H
#define CLI_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* true */
void cli_set_flag(void *flag, const char *argument);

/* increments an int */
void cli_set_count(void *count, const char *argument);

/* the argument itself, valid as long as argv */
void cli_set_text(void *text, const char *argument);

/* 1.3.0: atoi(3), with all that it accepts */
void cli_set_int(void *number, const char *argument);

/* numbers within the row's range, which must fit the type */
void cli_set_uint(void *number, const char *argument);
void cli_set_u64(void *number, const char *argument);

/* a uint32_t mask of categories: adds one by name, or sets the mask */
void cli_add_mask(void *mask, const char *name);
void cli_set_mask(void *mask, const char *hex);

/* -w, a struct window; ends the program for other text */
void cli_set_window(void *window, const char *text);

/* --size, a uint64_t: the most bytes of a page's data, at least 64 KiB, with K
 * or M; ends the program for other text */
void cli_set_size(void *size, const char *text);

enum { CLI_SIZE_USUAL = 4 << 20 };	/* the default */

/* a time above 0 such as 500us, or in seconds, a uint64_t of ns; ends the
 * program for other text */
void decimal_set_time(void *ns, const char *text);

/*
 * Digits, maybe with a fraction, times unit, rounded down: "1.5" of 1,000 is
 * 1,500.  Returns the text after it; NULL: no number, or too large.
 */
const char *decimal_read(const char *text, uint64_t unit, uint64_t *n);

/* whether text is digits only, a number *n from min to max */
bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *n);

/* a field's place, if it has that type */
#define CLI_AT(options, field, type) \
	.at = offsetof(options, field) + \
	      0 * sizeof(char[_Generic(((options *)0)->field, type: 1)])

#define CLI_FLAG(options, field) \
	.set = cli_set_flag, CLI_AT(options, field, bool)
#define CLI_COUNT(options, field) \
	.set = cli_set_count, CLI_AT(options, field, int)
#define CLI_TEXT(options, field) \
	.set = cli_set_text, CLI_AT(options, field, const char *)
#define CLI_INT(options, field) \
	.set = cli_set_int, CLI_AT(options, field, int)
#define CLI_UINT(options, field) \
	.set = cli_set_uint, CLI_AT(options, field, unsigned int)
#define CLI_U64(options, field) \
	.set = cli_set_u64, CLI_AT(options, field, uint64_t)

#endif
