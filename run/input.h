/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The traces that the user named, as one run of events in time order.  Every
 * program that reads traces starts here.
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
	const char *directory;	/* prepended to names; or NULL */
	int batch;		/* events read ahead, or held; 0: default; < 0:
				 * no limit */
	bool any_cpu;		/* accept records of any CPU in all files */
	int quiet_ms;		/* silence of a pipe before input_next() returns
				 * -EAGAIN; 0: REORDER_SILENCE */
	int wait_ms;		/* longest wait for a pipe before it returns
				 * -EINTR; 0: no limit */
	bool checked;		/* seals that do not match and impossible times
				 * are damage */
	uint64_t from;		/* ns after the first event: segments that end
				 * before are not opened; 0: open all */
	const struct opener *opener;	/* writes positions; NULL: we do */
};

/* Reports go to hooks, which must outlive the input.  NULL: no memory. */
struct input *input_new(const struct input_options *o,
			const struct hooks *hooks);

/*
 * Sets how several hosts' times are aligned; *c must outlive the input.  Call
 * before adding locations, which else are aligned by their notes alone.
 */
void input_use_clocks(struct input *in, const struct host_clocks *c);

/*
 * Adds all locations, which must outlive the input; called once.  With several
 * hosts, origin is an event's host, devices have the host's name, and times are
 * the time of day in ns since 1970, if all traces know it.  0; or -errno, and
 * *bad is the operand.
 */
int input_add_locations(struct input *in, const struct locations *l, int *bad);

/*
 * Adds what the names mean: devices, one file of a device (which means all of
 * its files), directories, dumps, pipes; as input_add_locations().
 *
 * 0; or *bad is the index of a name: -ENOENT: nothing has that name; -ENODATA:
 * it is no trace; or -errno.
 */
int input_add(struct input *in, const char *const *names, int count, int *bad);

/*
 * After the end: goes on with segments, which continue the one before, by its
 * number, of devices that are read already; of them also CPUs that had no events
 * before.  l need not outlive the call.  0; -ENODEV: another device; or -errno.
 */
int input_continue(struct input *in, const struct locations *l,
		   unsigned int before);

/* The time of the trace's first event if segments were left out; else 0. */
uint64_t input_begin(const struct input *in);

/* Adds the only location, which must outlive the input.  0 or -errno. */
int input_add_location(struct input *in, const struct location *at);

/*
 * Makes one file the only input, in written order with all notes and without
 * lanes.  Read it by stream_next() of *s, which the input owns; once a thread reads
 * ahead, by input_next().  0 or -errno.
 */
int input_add_as_written(struct input *in, const char *path,
			 struct stream **s);

/* Adds a pipe, and then labels for its devices.  0 or -errno. */
int input_add_pipe(struct input *in, const char *name);
int input_add_label(struct input *in, const char *label);

/* At the end: adds a device for each label not used.  0 or -errno. */
int input_use_labels(struct input *in);

/*
 * 1: *ev is the next event, valid until the next call; the caller may change
 * its record.  0: end; -EAGAIN, -EINTR: a pipe is silent, a signal came, or
 * much was read without an event: call again; -ENOMEM.
 */
int input_next(struct input *in, struct event **ev);

/*
 * For batch_follow(), which hands out the same events as input_next(), all of
 * the last event's lane, until it has no more.  Valid until the next
 * input_next().
 */
struct batch *input_batch(struct input *in);

/*
 * Skips events before a time where that is safe (run/skip.h).  Call after the
 * first event, whose time is first; both are event times.  0 or -ENOMEM.
 */
int input_skip(struct input *in, uint64_t first, uint64_t time);

/*
 * The number of the next event of a lane other than the last event's, where the
 * last event is the first after those of that lane.  false: none was read, or it
 * has no number that counts: notes, and versions below 6.
 */
bool input_front(const struct input *in, const struct lane *lane,
		 uint32_t *sequence);

/*
 * From now on a thread reads and merges ahead; last is the lane of the last event,
 * or NULL.  All comes as without it, but hooks other than notes may be called in
 * the thread, while input_next() waits.  0; -ENOTSUP: a pipe's events are not read
 * ahead; or as thread_start().
 */
int input_read_ahead(struct input *in, const struct lane *last);

/* The thread is to end: input_next() returns what it has read, and then -EINTR once.
 * Whether there is one. */
bool input_stop_ahead(struct input *in);

/* Ends reading early: reports the damage that is being skipped, if any. */
void input_stop(struct input *in);

/* of a pipe: all events before this time were shown; else UINT64_MAX */
uint64_t input_watermark(const struct input *in);

/* of a pipe: the number of events shown too late */
uint64_t input_late(const struct input *in);

/* stored bytes read so far, and of all inputs; *total is 0 if one is a pipe */
void input_progress(const struct input *in, uint64_t *done, uint64_t *total);

const struct devices *input_devices(const struct input *in);

/* frees in with its devices and lanes; NULL is fine */
void input_free(struct input *in);

#endif
