/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the user named, as one run of events in time order: devices with a
 * file per CPU, directories of them, dumps, a pipe.  Every program that reads
 * traces enters here.
 */
#ifndef RUN_INPUT_H
#define RUN_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "run/device.h"

struct batch;			/* file/batch.h */
struct event;			/* record/record.h */
struct hooks;			/* file/hooks.h */
struct host_clocks;		/* run/host_clocks.h */
struct opener;			/* base/opener.h */
struct stream;			/* file/stream.h */
struct input;
struct location;		/* file/location.h */
struct locations;

struct input_options {
	const char *directory;	/* put in front of names; NULL: none */
	int batch;		/* events read ahead, or held; 0: the default,
				 * below: as many as there are */
	bool any_cpu;		/* what CPU records say they are of does not
				 * matter; else only the file's is right */
	int quiet_ms;		/* input_next() tells of a pipe that has been
				 * silent for so long; 0: REORDER_SILENCE */
	bool checked;		/* seals that do not match are damage, and so
				 * are times that cannot be */
	uint64_t from;		/* ns after the first event: what is before is
				 * not wanted, and segments that end before it
				 * need not be opened; 0: all is */
	const struct opener *opener;	/* makes files of positions; NULL:
				 * the process does */
};

/* Reports go to hooks, which must outlive the input.  NULL: no memory. */
struct input *input_new(const struct input_options *o,
			const struct hooks *hooks);

/*
 * How several hosts are put beside each other, which outlives the input: before
 * locations are added.  Else it is found out then, by their notes alone.
 */
void input_use_clocks(struct input *in, const struct host_clocks *c);

/*
 * Adds all locations, which outlive the input.  If they are of several hosts,
 * events have their host's number as origin, devices its name, and times are
 * the time of day in ns since 1970, if all traces know that.  Called once.
 * 0; or -errno, *bad is the operand that it is about.
 */
int input_add_locations(struct input *in, const struct locations *l, int *bad);

/*
 * Adds what the names mean: devices, the file of one of a device's CPUs (which
 * means all of them), directories, dumps, pipes; as input_add_locations().
 *
 * 0; or *bad is the index of a name: -ENOENT: there is nothing to read by that
 * name; -ENODATA: there is, but it is no trace; or -errno.
 */
int input_add(struct input *in, const char *const *names, int count, int *bad);

/*
 * The time of the first event of all, if that is not the first to come, as
 * segments were left out; else 0.
 */
uint64_t input_begin(const struct input *in);

/* Adds one location, which outlives the input, as the only one.  0 or
 * -errno. */
int input_add_location(struct input *in, const struct location *at);

/*
 * Makes one file, whatever its name, the only input: its events come in the
 * order in which they are written, all notes among them, and have no lane.
 * Nothing is to be merged, so it is stream_next() of *s, the input's, that
 * hands them out.  0 or -errno.
 */
int input_add_as_written(struct input *in, const char *path,
			 struct stream **s);

/* Adds a pipe; then labels name its devices.  0 or -errno. */
int input_add_pipe(struct input *in, const char *name);
int input_add_label(struct input *in, const char *label);

/* In the end: a device for each label that no event has taken.  The same. */
int input_use_labels(struct input *in);

/*
 * 1: *ev is next, its lane set, good until the next call; its record fields
 * are the caller's to change.  0: end; -EAGAIN, -EINTR: a pipe is silent, a
 * signal came, or much has been read without an event: look around and call
 * again; -ENOMEM.
 */
int input_next(struct input *in, struct event **ev);

/*
 * What follows the last event in its file, for batch_follow(): that hands out
 * what input_next() would, as long as it has one, and all of it has the last
 * event's lane.  Good until the next input_next().
 */
struct batch *input_batch(const struct input *in);

/*
 * Called between the first event and the second; first is the first one's time.
 * Events before a time, both on the clock of events, are not wanted.  Of files
 * that are plain and sound only the last few of them will still come, without
 * the others being read; all that is not before comes as ever, and notes act as
 * ever.  0 or -ENOMEM.
 */
int input_skip(struct input *in, uint64_t first, uint64_t time);

/*
 * The next event of a lane other than the last event's, good until the next
 * input_next(); its time may be the machine's own yet.  NULL: none has been
 * read.
 */
const struct event *input_front(const struct input *in,
				const struct lane *lane);

/* The caller reads no further, such as after a signal: damage which is just
 * being passed over is reported. */
void input_stop(struct input *in);

/* from a pipe: all events before this time have been shown; else UINT64_MAX */
uint64_t input_watermark(const struct input *in);

/* from a pipe: events shown after one that should have followed them */
uint64_t input_late(const struct input *in);

/* bytes of all inputs that have been read, and that there are, as they are
 * stored; *total is 0 if one is a pipe */
void input_progress(const struct input *in, uint64_t *done, uint64_t *total);

/* the devices of the run */
const struct devices *input_devices(const struct input *in);

/* frees in with its devices and lanes; NULL is fine */
void input_free(struct input *in);

#endif
