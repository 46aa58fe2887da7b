/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ends a program that has only printed something.
 */
#ifndef CLI_LEAVE_H
#define CLI_LEAVE_H

/* standard output is written, or the program ends: status 1, with a line */
void cli_flush(void);

/* the same, then exit(0) */
void cli_leave(void) __attribute__((noreturn));

#endif
