/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is added to the events that one CPU has in tracefs, whichever of its
 * files they are read from: notes of names and of when tracing began, and
 * holes in the numbers where events were lost.
 */
#ifndef CAPTURE_FROM_FTRACE_NOTES_H
#define CAPTURE_FROM_FTRACE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/notes.h"

/* --- ftrace names --------------------------------------------------------- */

/*
 * Names of processes, for traces that have none from the kernel.
 */

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

/* --- ftrace notes --------------------------------------------------------- */

struct ftrace;			/* capture/from/ftrace.h */

struct ftrace_notes {
	struct ftrace *ftrace;
	bool stamps;		/* has yet to note when tracing began */
	bool uncounted;		/* a loss came without its number */
	struct notes notes;
	struct ftrace_names names;
	uint64_t lost;		/* known, but no event has come after it */
	uint64_t lost_ever;
	uint64_t taken;		/* events read, of any device and tracer */
	bool audits;		/* the kernel counts what we take, too */
	bool looks;		/* the first CPU: it looks for all */
	int64_t ahead;		/* taken before the buffer was last cleared */
	uint64_t refused;	/* by the kernel's counter */
	uint64_t audited;	/* ns: when they were compared last */
};

/* Functions that return an int return 0 or -errno, unless they have more. */

/* to be freed even after a failure */
int ftrace_notes_init(struct ftrace_notes *n, struct ftrace *f, uint32_t cpu,
		      bool stamps, bool audits);
void ftrace_notes_free(struct ftrace_notes *n);

/* before all batches of a drain */
void ftrace_notes_drain(struct ftrace_notes *n);

/*
 * Before each batch of events.  1: it begins with the note of when tracing
 * began; 0; -EAGAIN: nothing may be read, as tracing has not begun.
 */
int ftrace_notes_begin(struct ftrace_notes *n);

/* that many have been read: each page, as looks may come at any time */
void ftrace_notes_taken(struct ftrace_notes *n, uint64_t events);

/*
 * After all batches of a drain, with the lane of the last event.  Once a
 * second, and after tracing has stopped, compares the events taken with the
 * kernel's counters, and on the first CPU looks for what others have done to
 * the capture (ftrace_watch.h); adds notes of missing events.  1: notes have
 * been added, and wait for delivery; 0.
 */
int ftrace_notes_settle(struct ftrace_notes *n, struct tap_lane *last);

/* the name of pid before its first event, for which notes_add_pid() was 1 */
int ftrace_notes_add_name(struct ftrace_notes *n, struct tap_lane *l,
			  uint64_t time, uint32_t pid);

/* events were lost before the next one */
void ftrace_notes_lost(struct ftrace_notes *n, uint64_t events);

/* the same where their number is not known: the kernel's counters have it */
void ftrace_notes_lost_some(struct ftrace_notes *n);

/*
 * The lane of the event that has come after a loss.  It is not known whose
 * events were lost: this one's numbers have the hole.  The sum over the
 * devices is right.
 */
void ftrace_notes_hole(struct ftrace_notes *n, struct tap_lane *l);

#endif
