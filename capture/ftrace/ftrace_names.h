/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of processes, for traces that have none from the kernel.
 */
#ifndef CAPTURE_FTRACE_FTRACE_NAMES_H
#define CAPTURE_FTRACE_FTRACE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/notes.h"

/* what a reader keeps of tracefs' list of names; all zero: nothing yet */
struct ftrace_names {
	char *text;		/* the list as it was read, NUL terminated */
	size_t len, size;
	bool fresh;		/* read since the last ftrace_names_age() */
};

/*
 * The name of pid as the tracer saw it last, else as /proc has it now, else
 * "<...>"; padded with zeros.  The list under tracefs is read at most once
 * between two calls of ftrace_names_age(): it takes a lock of the kernel's.
 */
void ftrace_names_get(struct ftrace_names *n, const char *tracefs,
		      uint32_t pid, char name[NOTES_NAME]);

/* from now on what was read is old: the next question reads the list again */
void ftrace_names_age(struct ftrace_names *n);

void ftrace_names_free(struct ftrace_names *n);

#endif
