/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOOLS_BLKTRACE_COMMANDS_H
#define TOOLS_BLKTRACE_COMMANDS_H

#include <stdatomic.h>

/* --- kill ----------------------------------------------------------------- */

/*
 * What a run that was killed has left in the kernel.
 */

struct options;			/* tools/blktrace/options.h */

/*
 * Ends the traces of all devices (-k), by whichever way they were begun.  The
 * exit status: 1, with a line on stderr, if one of them had none.
 */
int kill_leftovers(const struct options *o);

/* --- mark ----------------------------------------------------------------- */

/* --mark: words into the traces that run. */

struct options;			/* tools/blktrace/options.h */

/* into those of the devices, or all if none is named; the exit status */
int mark_running(const struct options *o);

/* --- show card ------------------------------------------------------------ */

/* blktrace --card: what is in the cards of traces. */

struct options;			/* tools/blktrace/options.h */

/* prints those of all names; the status of the program: 1 if one has none */
int show_cards(const struct options *o);

/* --- collector ------------------------------------------------------------ */

/*
 * The collecting end, -l: runs a server and prints what it reports.
 */

struct options;			/* tools/blktrace/options.h */

/* collects until *stop; returns the exit status */
int collector_run(const struct options *o, const atomic_bool *stop);

#endif
