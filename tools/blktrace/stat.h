/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace --stat: what btstat prints for the trace that was just recorded. */
#ifndef TOOLS_BLKTRACE_STAT_H
#define TOOLS_BLKTRACE_STAT_H

struct options;			/* tools/blktrace/options.h */
struct session;			/* capture/session.h */

/* btstat's command line for a session's files; NULL: no memory */
char **stat_words(const struct options *o, const struct session *s);

/* Runs it, the files being whole, and frees it; its status. */
int stat_run(char **words);

#endif
