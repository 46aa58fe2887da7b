/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces as one run of events, with all that belongs to it: what processes are
 * called, what time it was, which part is wanted, how much is missing.  Pull
 * only: nothing is reported unless it is asked for.
 *
 * Programs that show what 1.3.0 shows read through run/input, as there it is
 * visible when a name is read; all others read here.
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
	const char *directory;	/* put in front of names; NULL: none */
	struct window window;	/* only events of this time, in ns from the
				 * first; WINDOW_ALL: all */
	int quiet_ms;		/* -EAGAIN after so much silence of a pipe,
				 * when nothing is held; 0: half a second */
	/* damage, when it is found; NULL: it is only counted */
	void (*damage)(void *ctx, const struct damage *d);
	/* a pipe is going to be waited for; NULL: nobody asks */
	void (*idle)(void *ctx);
	/*
	 * Events of a device are missing, as the numbers of one of its CPUs
	 * tell: from here on (begins: when it is known that the CPU's next
	 * event does not follow its last), or up to here (just before that
	 * next event).  Called between two events, those outside of the window
	 * too; device is the recorded number, origin its machine.  Several
	 * CPUs' gaps may overlap.  A dump has none, nor has a version below 6.
	 * NULL: nobody asks.
	 */
	void (*gap)(void *ctx, uint16_t origin, uint32_t device, bool begins);
	/*
	 * What has to be known of a trace or a machine, when all are opened: a
	 * line without its end, what it is about among it.  NULL: nobody asks.
	 */
	void (*remark)(void *ctx, const char *text);
	void *ctx;
	/* how several machines are put beside each other; it stays the
	 * caller's, for as long as the reader.  NULL: by the time of day */
	const struct host_wishes *hosts;
};

/* how much is missing of a device, or of a run */
struct loss {
	uint64_t holes, missing;	/* gaps in the numbers; events in them,
					 * and those that the kernel dropped */
	uint64_t late;		/* events of pipes out of order; run only */
	uint64_t damages;	/* places in the input; run only */
};

/* what names a device does not have here */
#define READER_ALL UINT32_MAX

/* a CPU that is not known by its number */
#define READER_NO_CPU UINT32_MAX

/*
 * Up to when the records of all CPUs are there, and which CPU's end first.
 * Known as far as the trace has been read: a file that has been cut is noticed
 * before its last event is handed out.
 */
struct reach {
	uint64_t time;		/* ns of the run's time up to which no record
				 * is missing at a CPU's end; UINT64_MAX: all
				 * CPUs' records go on to the end */
	uint64_t before;	/* ns from there to the end of the trace, as far
				 * as that is known by now */
	uint32_t device, cpu;	/* whose records end first; the CPU's number may
				 * be READER_NO_CPU */
	unsigned int cpus;	/* how many CPUs' records end early, missing
				 * files among them */
	unsigned int missing;	/* CPUs that recorded events, and have no file,
				 * or an empty one: then time is 0 */
	bool sealed;		/* the trace has seals: this is exact.  Else only
				 * a file that ends inside a record, or has less
				 * than its card says, counts as cut */
	bool proven;		/* a file that was cut would show: by its seals,
				 * or as the card counts each CPU's records */
	bool killed;		/* seals, and none of any CPU's end: the capture
				 * has not ended by itself, or goes on */
};

/* 0 and *r; -ENOMEM */
int reader_open(struct reader **r, const struct reader_options *o);

/*
 * Adds what name means: a device, one of its files, a directory, a dump, a
 * FIFO, "-" for standard input.  0; -ENOENT: there is nothing of that name;
 * -EISDIR: it is a directory without a trace; or -errno.  All names come before
 * the first event.
 */
int reader_add(struct reader *r, const char *name);

/*
 * Opens what was added, which the first event would do: then the next three are
 * known.  0; -ESRCH: there is no host of a name that is to be shifted, which
 * reader_why() has; or -errno.
 */
int reader_start(struct reader *r);

/* what a machine is called: by its directory if there are several, by its card;
 * NULL: that is not known */
const char *reader_host(const struct reader *r, uint16_t origin);

/* the clock of a machine's records; NULL: there is no machine of that number */
const struct host_clock *reader_clock(const struct reader *r, uint16_t origin);

/* a card of the machine: of a device, by its id; NULL: there is none */
const struct card *reader_card(const struct reader *r, uint32_t device);

/*
 * 1: *ev is the next event, good until the next call; its time is in ns from
 * the first of the run.  0: the end.  -EAGAIN: a pipe is silent; -EINTR: a
 * signal came, or much has been read without an event: call again.  Any other
 * -errno: reader_why() names what it is about.
 */
int reader_next(struct reader *r, const struct event **ev);

/* what an error was about, a name or "": good as long as the reader */
const char *reader_why(const struct reader *r);

/* what the process of an event is called, as far as is known by now; NULL */
const char *reader_name(const struct reader *r, const struct event *ev);

/* the same of a process of a machine, by its number */
const char *reader_process(const struct reader *r, uint16_t origin,
			   uint32_t pid);

/* what cgroups are called, as far as cards tell: good as long as the reader */
const struct cgroups *reader_cgroups(const struct reader *r);

/* tells that of one of which no card does: as cgroups_learn() */
int reader_name_cgroup(struct reader *r, uint16_t origin, uint64_t id,
		       const char *path);

/* the time of day of a time of the run: 0 and *ts; -ENODATA: not known */
int reader_wall(const struct reader *r, uint64_t time, struct timespec *ts);

/* what is missing so far of a device, by its id, or READER_ALL */
void reader_loss(const struct reader *r, uint32_t device, struct loss *l);

/*
 * When the capture ended, as the trace has it, in ns of the run's time: of a
 * device, by its id, or the latest of all for READER_ALL.  Of a pipe: the latest
 * seal's time so far.  false: not known, then the last event is the end.  After
 * the first event.
 */
bool reader_end(const struct reader *r, uint32_t device, uint64_t *time);

/* up to when a device, by its id, or READER_ALL, is complete as known by now */
void reader_reach(const struct reader *r, uint32_t device, struct reach *reach);

/*
 * The time of the last record in a CPU's file, ns of the run's, when it has been
 * read to its end; UINT64_MAX: it was not, or is no file.
 */
uint64_t reader_newest(const struct reader *r, uint32_t device, uint32_t cpu);

/*
 * Whether no record of a device, by its id, or of READER_ALL is known by now to
 * be missing: neither lost, nor behind the end of a CPU's file.
 */
bool reader_whole(const struct reader *r, uint32_t device);

/* the marks so far, those before the window too; good until the next event */
const struct marks *reader_marks(const struct reader *r);

/* whether the trace goes on behind the window: such an event was seen */
bool reader_goes_on(const struct reader *r);

/* bytes read so far, and that there are, as input_progress() has them */
void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total);

/* the devices of the run: as they appear */
const struct devices *reader_devices(const struct reader *r);

/* frees r; NULL is fine */
void reader_close(struct reader *r);

#endif
