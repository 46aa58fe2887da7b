/* SPDX-License-Identifier: GPL-2.0-only */
/* One replay: its threads, and the report. */
#ifndef TOOLS_BTREPLAY_REPLAY_H
#define TOOLS_BTREPLAY_REPLAY_H

#include <stdatomic.h>

struct job;			/* tools/btreplay/job.h */
struct replay_options;		/* tools/btreplay/options.h */

/* replays the job until its end or *stop; 0, also if stopped; 1: a file could
 * not be read again; 2: I/Os or system calls have failed */
int replay_run(const struct job *l, const struct replay_options *o,
	       const atomic_bool *stop);

#endif
