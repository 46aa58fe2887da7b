/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command of `blktrace DEVICE... -- COMMAND`: starts once tracing runs, and
 * its end stops the trace.
 *
 * The first signal is passed on to the command, unless the terminal has sent it
 * to both, and tracing continues.  The second one stops the trace, the third
 * one the wait for the command.
 */
#ifndef TOOLS_BLKTRACE_WORKLOAD_H
#define TOOLS_BLKTRACE_WORKLOAD_H

#include <stdbool.h>

/* --- stat ----------------------------------------------------------------- */

struct options;			/* tools/blktrace/options.h */
struct session;			/* capture/session.h */

/* --stat: btstat's command line for a session's files; NULL: no memory */
char **stat_words(const struct options *o, const struct session *s);

/* runs it on complete files, and frees it; its status */
int stat_run(char **words);

/* --- workload ------------------------------------------------------------- */

struct workload;

/*
 * Forks it before we have threads and descriptors, held until workload_start().
 * words ends with NULL; user: its name, NULL: ours; out: its standard output.
 * 0 and *w, or -errno, reported.
 */
int workload_new(struct workload **w, char *const *words, const char *user,
		 int out);

/* starts it; SIGINT, SIGTERM, SIGHUP and SIGALRM must be blocked.  0 or -errno,
 * reported.  Here and below, w may be NULL: no command. */
int workload_start(struct workload *w);

/* readable when workload_over() must be called; -1: never */
int workload_fd(const struct workload *w);

/* whether the trace must stop; passes signals on */
bool workload_over(struct workload *w);

/* whether it has ended */
bool workload_ended(struct workload *w);

/* waits for a started command after its trace; its exit status, 128 + N after
 * signal N, also one that ended the wait; 0 without a command */
int workload_wait(struct workload *w);

/* a command that was not started does not run */
void workload_free(struct workload *w);

#endif
