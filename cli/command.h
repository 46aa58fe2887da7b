/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of a command line, quoted for the shell. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>

/*
 * All words, the first without its directory.  Call before cli_parse(), which
 * reorders them.  The caller frees it; ends the program if there is no memory.
 */
char *cli_command(int argc, char **argv);

/* Words as they are, such as operands.  The same holds for the text. */
char *cli_words(size_t count, const char *const *words);

#endif
