/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends a program that has only printed something; see leave.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/msg.h"
#include "cli/leave.h"

/*
 * Where 1.3.0 prints on standard error there is nothing to flush.  The empty
 * write asks whether standard output would take something all the same, so
 * that all programs answer alike.
 */
void cli_flush(void)
{
	if (fflush(stdout) || ferror(stdout) ||
	    write(STDOUT_FILENO, "", 0) < 0)
		msg_die("cannot write to standard output:");
}

void cli_leave(void)
{
	cli_flush();
	exit(0);
}
