/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One export: of names that are read together, into one file or, in a
 * directory, one for each table.
 */
#ifndef TOOLS_BTEXPORT_RUN_H
#define TOOLS_BTEXPORT_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct export_options;		/* tools/btexport/options.h */

/* what the program's signal handler makes of its flag: 0, a signal, or a signal
 * and this after the second one */
enum { RUN_STOP_NOW = 0x100 };

struct run_result {
	bool failed;		/* nothing has been written: reported */
	bool damaged;		/* what could be read has been written */
	bool lossy;		/* records are lost, or ios open */
	bool stopped;		/* by a signal; a file is not there then */
};

/*
 * Exports names, of *o or some of them.  A name that means nothing is reported
 * before anything is opened for writing.
 */
struct run_result run_export(const struct export_options *o,
			     const char *const *names, size_t count,
			     const volatile sig_atomic_t *stop);

#endif
