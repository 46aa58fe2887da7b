/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What blktrace does in place of a capture: --check, -k, --mark, --card and the
 * collector, -l.
 */
#ifndef TOOLS_BLKTRACE_COMMANDS_H
#define TOOLS_BLKTRACE_COMMANDS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "capture/kernel.h"

/* --- check ---------------------------------------------------------------- */

/*
 * blktrace --check: whether tracing will work here, and by which way.
 */

/* --- check network -------------------------------------------------------- */

/*
 * blktrace --check, of what -h and -l need beside a device: a line per finding,
 * as check.h has them.  Both return 0, or 1 if there was a "no:".
 */

struct options;			/* tools/blktrace/options.h */

/* how the other end is known; nothing for -h without it */
int check_keys(const struct options *o);

/* all that a collector needs, which is no device */
int check_collector(const struct options *o);

/* --- check ---------------------------------------------------------------- */

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

/*
 * Tries each device, by a trace of it that is taken down at once, and prints
 * a line per finding: "ok:"; "no:" for what keeps tracing from working; "but:"
 * for what does not, as there is another way.  0: a run will work; 1: it will
 * not, and there was a "no:".
 */
int check_run(const struct check *c);

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
