/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which version this is.  The numbers stand here and nowhere else: packages
 * take theirs from this file.
 */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#define SUITE_VERSION "1.1.0"

/* the release of the original that the classic options print the same as */
#define FAITHFUL_TO "1.3.0"

struct cli_program;

/*
 * Prints the program's version and ends it.  1.3.0: its line comes first and
 * alone on its stream, as scripts read it; ours follows on standard error.
 */
void cli_version(const struct cli_program *p, const char *self)
	__attribute__((noreturn));

#endif
