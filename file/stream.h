/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of one source in the order in which they were written: those of
 * one CPU or, from a pipe, of several.
 *
 * Records are read ahead in batches.  Notes (process names, time stamps) act
 * when they are read.
 * 1.3.0: so a name is known up to a batch before the record that brings it,
 * which is visible in the output.
 *
 * Version and byte order are found for each record.  After damage the next
 * plausible record is searched for: magic in the stream's byte order, a known
 * version, a CPU that fits, known categories, and behind it another record or
 * the end.
 */
#ifndef FILE_STREAM_H
#define FILE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checksum.h"
#include "blktrace.h"

struct batch;			/* file/batch.h */
struct event;			/* record/record.h */
struct hooks;			/* file/hooks.h */
struct lane;			/* run/device.h */
struct source;			/* file/source.h */
struct stream;

enum {
	STREAM_BATCH = 512,
	STREAM_ANY_CPU = -1,
	STREAM_VAIN = 1 << 20,	/* bytes read without an event in them, after
				 * which the caller can look around */
};

/* how far a lane's records go, as its file has been read; not of pipes */
struct lane_end {
	uint64_t newest;	/* time of the last record that is no seal and
				 * not left out, the machine's */
	uint64_t records;	/* notes included */
	bool over;		/* its file has been read to the end */
	bool cut;		/* ... which is inside a record */
	bool later;		/* it begins with a later segment: what the card
				 * counts is not in it alone */
	bool sealed;		/* it has seals, the last of them is: */
	uint64_t at;		/* its time */
	struct blk_seal seal;
	uint64_t since;		/* records read since that seal, */
	struct checksum sum;	/* and their bytes */
	bool damaged;		/* since that seal */
	bool broken;		/* a seal did not match: reported */
};

struct stream_options {
	const char *name;	/* for damage reports; copied */
	int cpu;		/* the only one expected, or STREAM_ANY_CPU */
	unsigned int batch;	/* events read ahead, at least 1 */
	struct lane *lane;	/* set in every event; may be NULL */
	bool notes_stay;	/* notes come in their place, as events do, and
				 * not by the hook before */
	uint16_t origin;	/* set in every event, notes too */
	bool seals;		/* a seal that does not match what is read is
				 * reported as damage, once */
	bool timed;		/* a record whose time cannot be, more than
				 * RUN_TIME_MOST after the first one's or beyond
				 * RUN_TIME_CLOCK, is damage and left out; notes
				 * are not */
	struct lane_end *end;	/* the lane's, kept up to date; or NULL */
};

/* Takes src over, also on failure.  NULL: out of memory. */
struct stream *stream_new(struct source *src, const struct stream_options *o,
			  const struct hooks *hooks);

/*
 * Reads the first batch, with its notes, before it is asked for; but no batch
 * that is behind 64 MiB of damage.  0 or -ENOMEM.
 */
int stream_prime(struct stream *s);

/*
 * 1: *ev is the next event, good until the next call; its first 48 bytes, the
 * record, are the caller's to change.  0: end.  -EAGAIN: a pipe has none yet.
 * -EINTR: STREAM_VAIN bytes had no event in them: look around and call again.
 */
int stream_next(struct stream *s, struct event **ev);

/* What stream_next() hands out without more ado: taken from there, an event is
 * as one that has been asked for. */
struct batch *stream_batch(struct stream *s);

/*
 * Reading goes on at byte at, where a record begins that is the first of a
 * batch; what has been read ahead is dropped.  If the source cannot do that,
 * it is reported, and the stream has ended.
 */
void stream_seek(struct stream *s, uint64_t at);

/*
 * Reads the record at byte at, which is passed over: if it is a note other than
 * a message, it acts, and true is returned.  What has been read ahead is
 * dropped: the next call is this one again, or stream_seek().
 */
bool stream_note(struct stream *s, uint64_t at);

/* No more is to be read: reports what is just being passed over, if any. */
void stream_stop(struct stream *s);

/* as source_progress() of its source */
void stream_progress(const struct stream *s, uint64_t *done, uint64_t *total);

/* whether events have been read ahead and not been handed out */
bool stream_waiting(const struct stream *s);

/* frees s and its source; NULL is fine */
void stream_free(struct stream *s);

#endif
