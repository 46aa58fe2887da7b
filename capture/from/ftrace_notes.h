/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is added to one CPU's events of tracefs, from pages and trace_pipe
 * alike: notes of names and of the start, and gaps in the numbers where events
 * were lost.
 */
#ifndef CAPTURE_FROM_FTRACE_NOTES_H
#define CAPTURE_FROM_FTRACE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/notes.h"

/* --- ftrace names --------------------------------------------------------- */

/* tracefs' list of process names; all zero: not read yet */
struct ftrace_names {
	char *text;		/* the list as read, NUL terminated */
	size_t len, size;
	bool fresh;		/* read since the last ftrace_names_age() */
	bool newest;		/* read since the last ftrace_names_next() */
};

/*
 * The name of pid as the tracer last saw it, else from /proc, else "<...>";
 * padded with zeros.  Reading tracefs' list takes a ms, and a lock of the
 * kernel: it is read once after each ftrace_names_age(), and for a pid not in
 * it once more after each ftrace_names_next().  An old list is enough for a
 * process whose name in /proc is still that of the list.
 */
void ftrace_names_get(struct ftrace_names *n, const char *tracefs,
		      uint32_t pid, char name[NOTES_NAME]);

/* the list has become old: the next look-up reads it again */
void ftrace_names_age(struct ftrace_names *n);

/* the list may lack new processes, but its names are valid */
void ftrace_names_next(struct ftrace_names *n);

void ftrace_names_free(struct ftrace_names *n);

/* --- ftrace notes --------------------------------------------------------- */

struct ftrace;			/* capture/from/ftrace.h */

struct ftrace_notes {
	struct ftrace *ftrace;
	bool stamps;		/* must still note the start of tracing */
	bool uncounted;		/* had a loss without its number */
	struct notes notes;
	struct ftrace_names names;
	uint64_t lost;		/* known, with no event after it yet */
	uint64_t lost_ever;
	uint64_t taken;		/* events read, of any device and tracer */
	bool audits;		/* the kernel also counts what we take */
	bool looks;		/* the first CPU, which looks for all */
	int64_t ahead;		/* taken before the buffer was last cleared */
	uint64_t refused;	/* by the kernel's counter */
	uint64_t audited;	/* ns: when these were last compared */
};

/* Functions that return an int return 0 or -errno, unless stated otherwise. */

/* free n even after a failure */
int ftrace_notes_init(struct ftrace_notes *n, struct ftrace *f, uint32_t cpu,
		      bool stamps, bool audits);
void ftrace_notes_free(struct ftrace_notes *n);

/* before all batches of a drain */
void ftrace_notes_drain(struct ftrace_notes *n);

/* before each batch of events; 1: has added the note of the start; 0; -EAGAIN:
 * tracing has not started, read nothing */
int ftrace_notes_begin(struct ftrace_notes *n);

/* after each page, as looks may come at any time: events have been read */
void ftrace_notes_taken(struct ftrace_notes *n, uint64_t events);

/*
 * After all batches of a drain, with the lane of the last event.  Once a second
 * and at the end, compares the events taken with the kernel's counters, looks
 * on the first CPU for others' changes (ftrace_watch.h), and adds notes of
 * missing events.  1: notes wait for delivery; 0.
 */
int ftrace_notes_settle(struct ftrace_notes *n, struct tap_lane *last);

/* adds the name of pid before its first event, after notes_add_pid() was 1 */
int ftrace_notes_add_name(struct ftrace_notes *n, struct tap_lane *l,
			  uint64_t time, uint32_t pid);

/* events were lost before the next one */
void ftrace_notes_lost(struct ftrace_notes *n, uint64_t events);

/* the same without their number, which the kernel's counters have */
void ftrace_notes_lost_some(struct ftrace_notes *n);

/* leaves the gap of a loss in the lane of the next event, as the lost events'
 * devices are unknown; the sum over all devices is right */
void ftrace_notes_hole(struct ftrace_notes *n, struct tap_lane *l);

#endif
