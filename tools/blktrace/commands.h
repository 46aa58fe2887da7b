/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace's commands: a capture, --check, -k, --mark, --card, and -l. */
#ifndef TOOLS_BLKTRACE_COMMANDS_H
#define TOOLS_BLKTRACE_COMMANDS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "capture/kernel.h"

/* --- run ------------------------------------------------------------------ */

struct options;			/* tools/blktrace/options.h */

/*
 * Captures until *stop is set (by a signal handler), the time is up, or the
 * records have no reader; then prints the totals, and tears everything down.
 * Returns the exit status.
 */
int run_capture(const struct options *o, atomic_bool *stop);

/* --- check ---------------------------------------------------------------- */

/*
 * --check: whether tracing will work here, and by which way.  Prints a line per
 * finding: "ok:", "no:" if it prevents tracing, or "but:" if there is another
 * way.  Returns 0, or 1 after a "no:".
 */

struct check {
	const char *debugfs;	/* expected mount point */
	bool relay, ftrace, bpf;	/* allowed ways */
	struct kernel_setup setup;	/* a run's */
	const char *const *paths;	/* of the devices; may be none */
	unsigned int count;
	bool to_files;		/* in: */
	const char *directory;	/* or NULL */
	const char *base;	/* or NULL */
};

/* tries each device by a trace, torn down at once */
int check_run(const struct check *c);

/* prints how connections are authenticated; for -h only if they are */
int check_keys(const struct options *o);

/* all that a collector needs */
int check_collector(const struct options *o);

/* --- kill ----------------------------------------------------------------- */

/* -k: stops the traces of all devices, of any way; the exit status: 1,
 * reported, if one had none */
int kill_leftovers(const struct options *o);

/* --- mark ----------------------------------------------------------------- */

/* --mark: marks running traces of the devices, or all; the exit status */
int mark_running(const struct options *o);

/* --- show card ------------------------------------------------------------ */

/* --card: prints the cards of all names; the exit status: 1 if one has none */
int show_cards(const struct options *o);

/* --- collector ------------------------------------------------------------ */

/* -l: collects until *stop; reads keys and networks anew when *renew is set; the
 * exit status */
int collector_run(const struct options *o, const atomic_bool *stop,
		  atomic_bool *renew);

#endif
