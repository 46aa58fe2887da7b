/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages about inputs. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

struct damage;			/* file/hooks.h */

/* prints file, byte, phrase and lost bytes on standard error */
void inputs_print_damage(const struct damage *d);

/* A phrase, to follow the name and ": ", for an error of input_add() or
 * reader_add(); valid until the next call. */
const char *inputs_why(int err);

#endif
