/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A replay's plan (--dry-run): as text on standard output, and as JSON
 * (--report), which replaces the text if it also goes there.
 */
#ifndef TOOLS_BTREPLAY_PLAN_H
#define TOOLS_BTREPLAY_PLAN_H

struct job;			/* tools/btreplay/job.h */
struct replay_options;		/* tools/btreplay/options.h */

/* 0; or, reported on stderr, 1: a file could not be read again, or a write has
 * failed */
int plan_write(struct job *l, const struct replay_options *o);

#endif
