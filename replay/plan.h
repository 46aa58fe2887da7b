/*
 * What a replay would do (--dry-run), on standard output.
 */
#ifndef REPLAY_PLAN_H
#define REPLAY_PLAN_H

struct load;			/* replay/load.h */
struct replay_options;		/* replay/replay_options.h */

/* 0, or 1: a file could not be read again, told on stderr */
int plan_show(struct load *l, const struct replay_options *o);

#endif
