/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way in where the relay is refused: the `blk` tracer of tracefs.
 *
 * There is one ring buffer per CPU for all devices, and one set of settings
 * for the whole machine.  So only one capture at a time goes this way, and it
 * leaves the settings as it found them.  A capture is
 *
 *	ftrace_find, ftrace_new
 *	ftrace_cpu_open for every CPU	(capture/from/ftrace_cpu.h)
 *	ftrace_start
 *	  drain ...			in the CPU's thread
 *	ftrace_stop
 *	  drain until there is nothing
 *	close for every CPU
 *	ftrace_free
 *
 * Functions return 0 or -errno.
 */
#ifndef CAPTURE_FROM_FTRACE_H
#define CAPTURE_FROM_FTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ftrace;
struct ftrace_layout;		/* file/ftrace_page.h */
struct ftrace_watch;		/* capture/from/ftrace_watch.h */
struct capture_reporter;	/* capture/reporter.h */
struct notes_stamp;		/* capture/notes.h */

enum {
	FTRACE_PATH = 256,	/* bytes of a path, its end included */
	FTRACE_WHY = 512,	/* bytes of a reason */
};

struct ftrace_plan {
	const char *tracefs;	/* where it is mounted */
	const char *sysfs;	/* where that is; NULL: /sys */
	const uint32_t *devices;	/* BLK_DEVICE() numbers, none twice */
	const char *const *names;	/* theirs, for reports; may be NULL,
				 * else they stay the caller's */
	unsigned int count;
	const struct capture_reporter *reporter;	/* may be NULL */
	uint32_t mask;		/* categories to record; 0: all */
	size_t buffer;		/* bytes per CPU, for all devices together */
};

/* where tracefs is mounted, with nothing mounted for it; else -ENOENT */
int ftrace_find(char path[FTRACE_PATH]);

/*
 * Sets everything up; nothing is recorded yet.  On failure nothing is left
 * changed, *f is NULL, and why has in a few words what stood in the way:
 * -EBUSY another trace runs already, -EOPNOTSUPP the kernel has no blk tracer.
 * The plan is not needed afterwards,
 * but for its names and reporter.
 */
int ftrace_new(struct ftrace **f, const struct ftrace_plan *plan,
	       char why[FTRACE_WHY]);

/*
 * Whether ftrace_new() would find everything free: its errors and reasons, but
 * nothing is changed, not even the buffer emptied.
 */
int ftrace_check(const struct ftrace_plan *plan, char why[FTRACE_WHY]);

/* all devices begin at once */
int ftrace_start(struct ftrace *f);

/*
 * Looks a last time whether others have disturbed the capture.  After that
 * no device records any more; what waits in the buffers can still be read.
 * A device that is gone is no error.
 */
int ftrace_stop(struct ftrace *f);

/*
 * Stops, and puts every setting back; f may be NULL.  All pipes must be closed:
 * the kernel does not part with a tracer while one is read.  The first failure
 * is returned, with the file in why, but the rest is put back all the same.
 */
int ftrace_free(struct ftrace *f, char why[FTRACE_WHY]);

/*
 * For a capture that was killed and could put nothing back: stops the plan's
 * devices and the tracer, and gives tracefs the kernel's own settings.  -ENOENT
 * when no tracer of ours is there, -EBUSY while the capture still lives.
 */
int ftrace_kill(const struct ftrace_plan *plan, char why[FTRACE_WHY]);

/*
 * Events that are missing.  Those that were overwritten before they could be
 * read leave as many numbers out of a device's sequence: where several devices
 * are traced, of the one whose event came next, as it is not known whose it
 * was.  What others have kept from being recorded is an estimate, without a
 * hole.  Complete once all CPUs are closed.
 */
uint64_t ftrace_lost(const struct ftrace *f, unsigned int device);

/* bytes of the pipes that were neither records nor the kernel's remarks */
uint64_t ftrace_skipped(const struct ftrace *f);

/* the kernel's own count of a CPU's losses since ftrace_new(); 0: unknown */
uint64_t ftrace_overrun(const struct ftrace *f, uint32_t cpu);

/* --- for capture/from/ftrace_cpu, from any thread ------------------------- */

/* true, and when, once tracing has begun */
bool ftrace_started(const struct ftrace *f, struct notes_stamp *stamp);

/* the watch over a capture that has begun; NULL: it has not */
struct ftrace_watch *ftrace_watch_of(const struct ftrace *f);

/* reports a line to the plan's reporter */
const struct capture_reporter *ftrace_reporter(const struct ftrace *f);

/* no more is recorded; what waits can still be read */
bool ftrace_stopped(const struct ftrace *f);

void ftrace_count_lost(struct ftrace *f, unsigned int device, uint64_t events);
void ftrace_count_skipped(struct ftrace *f, uint64_t bytes);

/* of the ring buffer's pages; NULL: tracefs does not tell, or not all of it */
const struct ftrace_layout *ftrace_pages(const struct ftrace *f);

/* of ftrace_new()'s plan */
const char *ftrace_path(const struct ftrace *f);
const uint32_t *ftrace_devices(const struct ftrace *f, unsigned int *count);

#endif
