/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread that gets completed I/Os of a channel from the kernel.
 */
#ifndef TOOLS_BTREPLAY_REAPER_H
#define TOOLS_BTREPLAY_REAPER_H

#include <stdatomic.h>

struct channel;			/* tools/btreplay/channel.h */

struct reaper {
	struct channel *channel;
	atomic_bool *halt;	/* set if that fails */
};

/* the thread's function; its argument is a struct reaper */
void *reaper_run(void *reaper);

#endif
