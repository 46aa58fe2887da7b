/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads traces as one run of events, within a window, with the names of
 * processes, the time of day, and what is missing.
 *
 * The classic programs read through run/input, as their output shows when a
 * name is read; all others use this.
 */
#ifndef RUN_READER_H
#define RUN_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "run/window.h"

struct card;			/* machine/card.h */
struct cgroups;			/* run/cgroups.h */
struct damage;			/* file/hooks.h */
struct devices;			/* run/device.h */
struct event;			/* record/record.h */
struct host_clock;		/* run/host_clocks.h */
struct host_wishes;		/* run/host_clocks.h */
struct marks;			/* run/marks.h */
struct reader;

struct reader_options {
	const char *directory;	/* prepended to names; or NULL */
	struct window window;	/* only these events; WINDOW_ALL: all */
	int quiet_ms;		/* silence of a pipe before -EAGAIN, if no event
				 * is held; 0: half a second */
	int wait_ms;		/* longest wait for a pipe before -EINTR; 0: no
				 * limit */
	/* all functions may be NULL */
	void (*damage)(void *ctx, const struct damage *d);
	void (*idle)(void *ctx);	/* before waiting for a pipe */
	/*
	 * Events of a device are missing, by the numbers of one of its CPUs:
	 * from here (begins: the CPU's next event is known not to follow its
	 * last), or up to here (just before that next event).  Called between
	 * two events, also outside the window; device is the recorded number.
	 * Gaps of several CPUs may overlap.  Dumps and versions below 6 have
	 * none.
	 */
	void (*gap)(void *ctx, uint16_t origin, uint32_t device, bool begins);
	/* a message, in its place among the events, also before the window */
	void (*message)(void *ctx, const struct event *ev);
	/* before a process gets a name, a mark is added, or the time of day
	 * changes */
	void (*change)(void *ctx);
	/* a warning, which names its trace or machine, without newline */
	void (*remark)(void *ctx, const char *text);
	void *ctx;
	/* the machine's time at time 0, if not of the first event */
	bool has_zero;
	uint64_t zero;
	/* how machines' times are aligned; must outlive the reader.  NULL: by
	 * the time of day */
	const struct host_wishes *hosts;
};

/* of a device, or of a run */
struct loss {
	uint64_t holes, missing;	/* gaps in the numbers; events in them
					 * and dropped by the kernel */
	uint64_t late;		/* events of pipes out of order; run only */
	uint64_t damages;	/* places in the input; run only */
};

/* instead of a device's id */
#define READER_ALL UINT32_MAX

/* an unknown CPU */
#define READER_NO_CPU UINT32_MAX

/*
 * Up to when the records of all CPUs are complete, as known so far: a cut file
 * is noticed before its last event is handed out.
 */
struct reach {
	uint64_t time;		/* ns of the run's time up to which no CPU's
				 * records have ended; UINT64_MAX: none ends
				 * early */
	uint64_t before;	/* ns from there to the end of the trace, as
				 * known so far */
	uint32_t device, cpu;	/* whose records end first; cpu may be
				 * READER_NO_CPU */
	unsigned int cpus;	/* whose records end early or are missing */
	unsigned int missing;	/* CPUs that recorded events, but whose file is
				 * missing or empty: then time is 0 */
	bool sealed;		/* by seals, so exact.  Else only a file that
				 * ends inside a record, or has fewer than its
				 * card says, counts as cut */
	bool proven;		/* any cut file would show, by its seals or by
				 * the card's count of records */
	bool killed;		/* no CPU has a last seal: the capture was
				 * killed, or is running */
};

/* 0 and *r; -ENOMEM */
int reader_open(struct reader **r, const struct reader_options *o);

/*
 * Adds what name means: a device, one of its files, a directory, a dump, a
 * FIFO, "-" for standard input.  0; -ENOENT: nothing has that name; -EISDIR: a
 * directory without a trace; or -errno.  Add all names before the first event.
 */
int reader_add(struct reader *r, const char *name);

/* The next three are known after the first call of reader_next(). */

/* a machine's name, by its directory if there are several, or its card, or the
 * collector's directory; or NULL */
const char *reader_host(const struct reader *r, uint16_t origin);

/* The machine's time at time 0, ns; of several aligned machines the time of day.
 * After the first event. */
uint64_t reader_zero(const struct reader *r);

/* a machine's clock; NULL: there is no such machine */
const struct host_clock *reader_clock(const struct reader *r, uint16_t origin);

/* the card of a device, by its id, or NULL */
const struct card *reader_card(const struct reader *r, uint32_t device);

/*
 * 1: *ev is the next event, valid until the next call; its time is in ns from
 * the first of the run.  0: the end.  -EAGAIN: a pipe is silent; -EINTR: a
 * signal, a wait of wait_ms, or much was read without an event: call again.
 * Any other -errno, such as -ESRCH: no host has the name of a shift: see
 * reader_why().
 */
int reader_next(struct reader *r, const struct event **ev);

/* From now on a thread reads ahead, as input_read_ahead() has it. */
int reader_read_ahead(struct reader *r);

/* as input_stop_ahead() */
bool reader_stop_ahead(struct reader *r);

/*
 * After the end: goes on with the next segment, a directory or packed file, after
 * the one of that number.  0; -ENODEV: it has another device; or -errno.
 */
int reader_continue(struct reader *r, const char *segment, unsigned int before);

/* the name that an error is about, or ""; valid as long as the reader */
const char *reader_why(const struct reader *r);

/* a machine's process name by its id, as known so far, or NULL */
const char *reader_process(const struct reader *r, uint16_t origin,
			   uint32_t pid);

/* the cgroups known by cards; valid as long as the reader */
const struct cgroups *reader_cgroups(const struct reader *r);

/* adds one that no card has: as cgroups_learn() */
int reader_name_cgroup(struct reader *r, uint16_t origin, uint64_t id,
		       const char *path);

/* the time of day of a time of the run: 0 and *ts; -ENODATA: unknown */
int reader_wall(const struct reader *r, uint64_t time, struct timespec *ts);

/* For these, device is a device's id or READER_ALL. */

/* what is missing so far */
void reader_loss(const struct reader *r, uint32_t device, struct loss *l);

/*
 * The end of the capture, or the latest of all, in ns of the run's time; of a
 * pipe, the latest seal so far.  false: unknown, so the last event is the end.
 * Call after the first event.
 */
bool reader_end(const struct reader *r, uint32_t device, uint64_t *time);

/* up to when the records are complete, as known so far */
void reader_reach(const struct reader *r, uint32_t device, struct reach *reach);

/* whether no record is known so far to be missing, lost or cut off */
bool reader_whole(const struct reader *r, uint32_t device);

/*
 * The time of the last record in a CPU's file, ns of the run's; UINT64_MAX: not
 * read to its end yet, or no file.
 */
uint64_t reader_newest(const struct reader *r, uint32_t device, uint32_t cpu);

/* the marks so far, also before the window; valid until the next event */
const struct marks *reader_marks(const struct reader *r);

/* whether an event after the window was seen */
bool reader_goes_on(const struct reader *r);

/* as input_progress() */
void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total);

/* the devices so far */
const struct devices *reader_devices(const struct reader *r);

/* frees r; NULL is fine */
void reader_close(struct reader *r);

#endif
