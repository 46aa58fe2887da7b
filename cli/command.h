/* SPDX-License-Identifier: GPL-2.0-only */
/* A program's command line as a line of the shell. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/*
 * The words as they were given, what has a meaning to the shell in quotes; the
 * first is the program's name without its folder.  To be asked for before
 * cli_parse(), which puts them in another order.  The caller's to free; ends
 * the program if there is no memory.
 */
char *cli_command(int argc, char **argv);

#endif
