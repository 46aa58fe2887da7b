/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace --check: whether tracing will work here, and by which way.
 */
#ifndef TOOLS_BLKTRACE_CHECK_H
#define TOOLS_BLKTRACE_CHECK_H

#include <stdbool.h>

#include "capture/kernel.h"

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

#endif
