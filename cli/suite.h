/* SPDX-License-Identifier: GPL-2.0-only */
/* The suite's other programs, for a program that runs one of them. */
#ifndef CLI_SUITE_H
#define CLI_SUITE_H

/*
 * The path of the program installed with this one (btstat is in bin, blktrace
 * in sbin), else its name, which exec looks up in PATH.  The caller frees it;
 * NULL: no memory.
 */
char *suite_program(const char *name);

#endif
