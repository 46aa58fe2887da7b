/* SPDX-License-Identifier: GPL-2.0-only */
/* --completion: scripts for shells. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

struct cli_table;

/* prints the script on standard output; shell is bash, zsh or fish */
void cli_completion(const struct cli_table *t, const char *shell);

#endif
