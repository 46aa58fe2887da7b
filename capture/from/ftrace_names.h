/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of processes, for traces that have none from the kernel.
 */
#ifndef CAPTURE_FROM_FTRACE_NAMES_H
#define CAPTURE_FROM_FTRACE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/notes.h"

/* what a reader keeps of tracefs' list of names; all zero: nothing yet */
struct ftrace_names {
	char *text;		/* the list as it was read, NUL terminated */
	size_t len, size;
	bool fresh;		/* read since the last ftrace_names_age() */
	bool newest;		/* read since the last ftrace_names_next() */
};

/*
 * The name of pid as the tracer saw it last, else as /proc has it now, else
 * "<...>"; padded with zeros.  The list under tracefs takes long to read, and
 * a lock of the kernel's: that is done once after each ftrace_names_age(), and
 * for a pid that is not in it once more after each ftrace_names_next().
 */
void ftrace_names_get(struct ftrace_names *n, const char *tracefs,
		      uint32_t pid, char name[NOTES_NAME]);

/* from now on what was read is old: the next question reads the list again */
void ftrace_names_age(struct ftrace_names *n);

/* from now on the list may lack a process, but what it has is good */
void ftrace_names_next(struct ftrace_names *n);

void ftrace_names_free(struct ftrace_names *n);

#endif
