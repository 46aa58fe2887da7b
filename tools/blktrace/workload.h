/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command of `blktrace DEVICE... -- COMMAND`: started once tracing runs,
 * and when it has ended so does the trace.
 *
 * Signals that come while it runs are its own: they are passed on to it, unless
 * the terminal has sent them to both, and tracing goes on, as what it does in
 * its last moments belongs to the trace.  The second one ends the trace, the
 * third one the waiting for the command, which is left alone then.
 */
#ifndef TOOLS_BLKTRACE_WORKLOAD_H
#define TOOLS_BLKTRACE_WORKLOAD_H

#include <stdbool.h>

/* --- stat ----------------------------------------------------------------- */

/* blktrace --stat: what btstat prints for the trace that was just recorded. */

struct options;			/* tools/blktrace/options.h */
struct session;			/* capture/session.h */

/* btstat's command line for a session's files; NULL: no memory */
char **stat_words(const struct options *o, const struct session *s);

/* Runs it, the files being whole, and frees it; its status. */
int stat_run(char **words);

/* --- workload ------------------------------------------------------------- */

struct workload;

/*
 * Forks it, to be held until workload_start(); before we have threads and
 * descriptors.  words ends with NULL; user is its name or NULL: who we are;
 * out is its standard output.  0 and *w, or -errno, reported.
 */
int workload_new(struct workload **w, char *const *words, const char *user,
		 int out);

/* lets it run; SIGINT, SIGTERM, SIGHUP and SIGALRM are blocked.  0 or -errno,
 * reported.  Below, w may be NULL: there is no command. */
int workload_start(struct workload *w);

/* readable when workload_over() has something to look at; -1: never */
int workload_fd(const struct workload *w);

/* whether the trace is to end; passes signals on */
bool workload_over(struct workload *w);

/* whether it has ended by now */
bool workload_ended(struct workload *w);

/*
 * Waits for a command that has been started and goes on after its trace.  Its
 * exit status, 128 + N after a signal N, be it one that ended the waiting; 0
 * without a command.
 */
int workload_wait(struct workload *w);

/* one that was never started does not run */
void workload_free(struct workload *w);

#endif
