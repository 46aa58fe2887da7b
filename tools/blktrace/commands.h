/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What blktrace does: a capture, or in its place --check, -k, --mark, --card or
 * the collector, -l.
 */
#ifndef TOOLS_BLKTRACE_COMMANDS_H
#define TOOLS_BLKTRACE_COMMANDS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "capture/kernel.h"

/* --- run ------------------------------------------------------------------ */

/*
 * One capture, from setting up the kernel's buffers to tearing them down.
 */

struct options;			/* tools/blktrace/options.h */

/*
 * Captures as *o says, until *stop is set (by a signal's handler), the time is
 * up, or the records have no reader any more; then prints the totals.
 * Everything that was set up is torn down, whatever happens.  Returns the exit
 * status.
 */
int run_capture(const struct options *o, const atomic_bool *stop);

/* --- check ---------------------------------------------------------------- */

/*
 * --check: whether tracing will work here, and by which way.  Prints a line per
 * finding: "ok:"; "no:" for what keeps tracing from working; "but:" for what
 * does not, as there is another way.  Each returns 0, or 1 if there was a "no:".
 */

struct check {
	const char *debugfs;	/* where it should be */
	bool relay, ftrace, bpf;	/* the ways that may be taken */
	struct kernel_setup setup;	/* what a run would ask for */
	const char *const *paths;	/* of the devices; there may be none */
	unsigned int count;
	bool to_files;		/* which would go to: */
	const char *directory;	/* or NULL */
	const char *base;	/* or NULL */
};

/* tries each device, by a trace of it that is taken down at once */
int check_run(const struct check *c);

/* how the other end is known; nothing for -h without it */
int check_keys(const struct options *o);

/* all that a collector needs, which is no device */
int check_collector(const struct options *o);

/* --- kill ----------------------------------------------------------------- */

/*
 * What a run that was killed has left in the kernel.
 */

/*
 * Ends the traces of all devices (-k), by whichever way they were begun.  The
 * exit status: 1, with a line on stderr, if one of them had none.
 */
int kill_leftovers(const struct options *o);

/* --- mark ----------------------------------------------------------------- */

/* --mark: words into the traces that run. */

/* into those of the devices, or all if none is named; the exit status */
int mark_running(const struct options *o);

/* --- show card ------------------------------------------------------------ */

/* blktrace --card: what is in the cards of traces. */

/* prints those of all names; the status of the program: 1 if one has none */
int show_cards(const struct options *o);

/* --- collector ------------------------------------------------------------ */

/*
 * The collecting end, -l: runs a server and prints what it reports.
 */

/* collects until *stop; returns the exit status */
int collector_run(const struct options *o, const atomic_bool *stop);

#endif
