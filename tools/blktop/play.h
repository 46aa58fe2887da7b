/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples on a screen, until somebody quits: as they come, or a recorded trace
 * at its own speed.
 */
#ifndef TOOLS_BLKTOP_PLAY_H
#define TOOLS_BLKTOP_PLAY_H

#include <signal.h>

/* what names of saved traces begin with, in the working directory */
#define PLAY_SAVED "blktop-"

struct top_options;		/* tools/blktop/options.h */

/* The exit status; mistakes end the program.  Only where the standard output
 * is a terminal. */
int play(struct top_options *o, const volatile sig_atomic_t *stop);

#endif
