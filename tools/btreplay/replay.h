/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One replay, from the threads' start to their end and the report.
 */
#ifndef TOOLS_BTREPLAY_REPLAY_H
#define TOOLS_BTREPLAY_REPLAY_H

#include <stdatomic.h>

struct job;			/* tools/btreplay/job.h */
struct replay_options;		/* tools/btreplay/options.h */

/*
 * Replays the job, until its end or until *stop.  0, also if it was stopped;
 * 1: a file could not be read again; 2: I/Os have failed, or the system has.
 */
int replay_run(const struct job *l, const struct replay_options *o,
	       const atomic_bool *stop);

#endif
