/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs' `blk` tracer: a capture's source where relay files are refused.
 *
 * All devices share a ring buffer per CPU, and the machine has one set of
 * settings, so there is one such capture at a time, which restores the
 * settings.  A capture is
 *
 *	ftrace_find, ftrace_new
 *	ftrace_cpu_open for every CPU	(capture/from/ftrace_cpu.h)
 *	ftrace_start
 *	  drain ...			in the CPU's thread
 *	ftrace_stop
 *	  drain until nothing is left
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
	FTRACE_PATH = 256,	/* bytes of a path, with its NUL */
	FTRACE_WHY = 512,	/* bytes of a reason */
};

struct ftrace_plan {
	const char *tracefs;	/* its mount point */
	const char *sysfs;	/* its mount point; NULL: /sys */
	const uint32_t *devices;	/* BLK_DEVICE() numbers, none twice */
	const char *const *names;	/* of these, for reports, or NULL; not
					 * owned */
	unsigned int count;
	const struct capture_reporter *reporter;	/* may be NULL */
	uint32_t mask;		/* categories to record; 0: all */
	size_t buffer;		/* bytes per CPU, for all devices together */
};

/* tracefs' mount point; mounts nothing.  0 or -ENOENT */
int ftrace_find(char path[FTRACE_PATH]);

/*
 * Sets everything up without recording.  On failure all is restored, *f is
 * NULL, and why has the cause in a few words.  -EBUSY: another trace runs;
 * -EOPNOTSUPP: the kernel has no blk tracer.  Only the plan's names and
 * reporter must stay valid.
 */
int ftrace_new(struct ftrace **f, const struct ftrace_plan *plan,
	       char why[FTRACE_WHY]);

/* ftrace_new()'s checks, with its errors and reasons, without any change */
int ftrace_check(const struct ftrace_plan *plan, char why[FTRACE_WHY]);

/* starts all devices at once */
int ftrace_start(struct ftrace *f);

/*
 * Checks a last time for others' changes, and stops all devices; what is in the
 * buffers can still be read.  A device that is gone is no error.
 */
int ftrace_stop(struct ftrace *f);

/*
 * Stops, and restores all settings, whatever fails; f may be NULL.  All pipes
 * must be closed: the kernel keeps a tracer while one is open.  Returns the
 * first failure, with the file in why.
 */
int ftrace_free(struct ftrace *f, char why[FTRACE_WHY]);

/*
 * Cleans up after a killed capture: stops the plan's devices and the tracer,
 * and sets tracefs to the kernel's defaults.  -ENOENT: our tracer is not set;
 * -EBUSY: the capture is running.
 */
int ftrace_kill(const struct ftrace_plan *plan, char why[FTRACE_WHY]);

/*
 * Missing events, complete once all CPUs are closed.  Events overwritten unread
 * leave a gap in the sequence numbers: of the device of the next event, as
 * theirs is unknown.  Events that others kept from being recorded are
 * estimated, and leave no gap.
 */
uint64_t ftrace_lost(const struct ftrace *f, unsigned int device);

/* bytes of the pipes that were neither records nor remarks of the kernel */
uint64_t ftrace_skipped(const struct ftrace *f);

/* the kernel's own count of a CPU's losses since ftrace_new(); 0: unknown */
uint64_t ftrace_overrun(const struct ftrace *f, uint32_t cpu);

/* --- for capture/from/ftrace_cpu, from any thread ------------------------- */

/* true, and its time, once tracing has started */
bool ftrace_started(const struct ftrace *f, struct notes_stamp *stamp);

/* the watch of a capture; NULL: not started */
struct ftrace_watch *ftrace_watch_of(const struct ftrace *f);

/* of ftrace_new()'s plan */
const struct capture_reporter *ftrace_reporter(const struct ftrace *f);

/* true after ftrace_stop(): nothing more is recorded */
bool ftrace_stopped(const struct ftrace *f);

void ftrace_count_lost(struct ftrace *f, unsigned int device, uint64_t events);
void ftrace_count_skipped(struct ftrace *f, uint64_t bytes);

/* of the ring buffer's pages; NULL: tracefs does not describe it */
const struct ftrace_layout *ftrace_pages(const struct ftrace *f);

/* of ftrace_new()'s plan */
const char *ftrace_path(const struct ftrace *f);
const uint32_t *ftrace_devices(const struct ftrace *f, unsigned int *count);

#endif
