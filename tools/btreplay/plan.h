/*
 * What a replay would do (--dry-run), on standard output.
 */
#ifndef TOOLS_BTREPLAY_PLAN_H
#define TOOLS_BTREPLAY_PLAN_H

struct job;			/* tools/btreplay/job.h */
struct replay_options;		/* tools/btreplay/options.h */

/* 0, or 1: a file could not be read again, told on stderr */
int plan_write(struct job *l, const struct replay_options *o);

#endif
