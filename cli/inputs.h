/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs say about their inputs.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

struct damage;			/* file/hooks.h */

/* prints file, byte, what it is, and how much is lost, on standard error */
void inputs_print_damage(const struct damage *d);

/*
 * What is wrong with an input that could not be added, by the error of
 * input_add() or reader_add(), as a phrase that follows the name and ": ".
 * Good until the next call.
 */
const char *inputs_why(int err);

#endif
