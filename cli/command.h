/* SPDX-License-Identifier: GPL-2.0-only */
/* A program's command line, quoted for the shell. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/*
 * All words, the first without its directory.  Call before cli_parse(), which
 * reorders them.  The caller frees it; ends the program if there is no memory.
 */
char *cli_command(int argc, char **argv);

#endif
