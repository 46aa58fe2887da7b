/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages about inputs. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

struct damage;			/* file/hooks.h */

/* prints file, byte, phrase and lost bytes on standard error */
void inputs_print_damage(const struct damage *d);

/*
 * What is wrong with an input that could not be added, and what to do, by the
 * error of input_add() or reader_add(): a phrase to follow the name and ": ".
 * Good until the next call.
 */
const char *inputs_why(int err);

enum { INPUTS_WHY = 512 };

/* The same for a file, whose recorder is named if it was another program; text
 * is good for the phrase.  directory: in front of name, or NULL. */
const char *inputs_why_file(int err, const char *directory, const char *name,
			    char text[INPUTS_WHY]);

/* The same by a file's first bytes; false: it is none of another program's. */
bool inputs_foreign(const void *begin, size_t len, const char *name,
		    char text[INPUTS_WHY]);

/*
 * After 1.3.0's line for a name by which locations_add() finds nothing: prints
 * why, and what to do, unless there is nothing of that name.
 */
void inputs_print_missing(const char *directory, const char *name);

#endif
