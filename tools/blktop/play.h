/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows samples on a screen: live ones as they come, recorded ones at their
 * original speed.
 */
#ifndef TOOLS_BLKTOP_PLAY_H
#define TOOLS_BLKTOP_PLAY_H

#include <signal.h>

/* prefix of saved traces, in the working directory */
#define PLAY_SAVED "blktop-"

struct top_options;		/* tools/blktop/options.h */

/* Standard output must be a terminal.  Returns the exit status; failures end
 * the program. */
int play(struct top_options *o, const volatile sig_atomic_t *stop);

#endif
