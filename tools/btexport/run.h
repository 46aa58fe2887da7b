/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One export of names that are read together, into one file or, in a directory,
 * one for each table.
 */
#ifndef TOOLS_BTEXPORT_RUN_H
#define TOOLS_BTEXPORT_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct export_options;		/* tools/btexport/options.h */

/* the signal handler's flag is 0, a signal, or after a second one a signal and
 * this */
enum { RUN_STOP_NOW = 0x100 };

struct run_result {
	bool failed;		/* nothing is written: reported */
	bool damaged;		/* the readable part is written */
	bool lossy;		/* records or I/Os are missing */
	bool stopped;		/* by a signal; no file is written */
};

/* Exports names, all or some of *o.  Reports names without a trace before it
 * opens an output. */
struct run_result run_export(const struct export_options *o,
			     const char *const *names, size_t count,
			     const volatile sig_atomic_t *stop);

#endif
