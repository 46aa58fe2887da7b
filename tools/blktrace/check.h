/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace --check: whether tracing will work here, and by which way.
 */
#ifndef TOOLS_BLKTRACE_CHECK_H
#define TOOLS_BLKTRACE_CHECK_H

#include <stdbool.h>

#include "capture/kernel.h"

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
