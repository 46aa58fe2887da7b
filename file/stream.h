/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of one source in the order in which they were written: of one CPU
 * or, from a pipe, of several.
 *
 * Records are read ahead in batches, and notes (process names, time stamps) act
 * when they are read.  1.3.0: so a name is known up to a batch early, which
 * shows in the output.
 *
 * Each record has its own version and byte order.  After damage, reading
 * continues at the next plausible record: magic in the stream's byte order, a
 * known version, a CPU that fits, known categories, and then another record or
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
struct buffers;			/* file/buffers.h */
struct event;			/* record/record.h */
struct hooks;			/* file/hooks.h */
struct lane;			/* run/device.h */
struct source;			/* file/source.h */
struct stream;

enum {
	STREAM_BATCH = 512,
	STREAM_ANY_CPU = -1,
	STREAM_VAIN = 1 << 20,	/* bytes without an event, after which
				 * stream_next() returns -EINTR */
};

/* account of a lane's file as far as it was read; not of pipes */
struct lane_end {
	uint64_t newest;	/* the machine's time of the last record that is
				 * no seal and not left out */
	uint64_t records;	/* with notes */
	bool over;		/* the file was read to the end */
	bool cut;		/* which is inside a record */
	bool later;		/* starts with a later segment, so has only some
				 * of the records that the card counts */
	bool sealed;		/* at and seal are set: the last seal */
	uint64_t at;		/* its time */
	struct blk_seal seal;
	uint64_t since;		/* records since that seal, */
	struct checksum sum;	/* and their checksum */
	bool damaged;		/* since that seal */
	bool broken;		/* a seal did not match, which was reported */
};

struct stream_options {
	const char *name;	/* for damage reports; copied */
	int cpu;		/* the only one expected, or STREAM_ANY_CPU */
	unsigned int batch;	/* events read ahead, at least 1 */
	struct lane *lane;	/* of every event; may be NULL */
	bool notes_stay;	/* notes come as events, not by the hook */
	uint16_t origin;	/* of every event and note */
	bool seals;		/* report the first seal that does not match */
	bool timed;		/* report and leave out events more than
				 * RUN_TIME_MOST after the first one or beyond
				 * RUN_TIME_CLOCK */
	struct lane_end *end;	/* the lane's, kept up to date; or NULL */
	struct buffers *buffers;	/* to take one of, while it has; or NULL */
};

/* Takes src over, also on failure.  NULL: out of memory. */
struct stream *stream_new(struct source *src, const struct stream_options *o,
			  const struct hooks *hooks);

/* From now on keep() sets *to, the lane's end, to *now. */
void stream_keep_end(struct stream *s,
		     void (*keep)(void *ctx, struct lane_end *to,
				  const struct lane_end *now), void *ctx);

/* Reads the first batch with its notes, unless 64 MiB of damage precede it.  0
 * or -ENOMEM. */
int stream_prime(struct stream *s);

/*
 * 1: *ev is the next event, valid until the next call; the caller may change
 * its first 48 bytes, the record.  0: end.  -EAGAIN: a pipe has none yet.
 * -EINTR: STREAM_VAIN bytes had no event; call again.
 */
int stream_next(struct stream *s, struct event **ev);

/* The next events of stream_next(), which the caller may take from there. */
struct batch *stream_batch(struct stream *s);

/*
 * Drops what was read ahead and continues at byte at, the first record of a
 * batch.  Failure is reported as damage and ends the stream.
 */
void stream_seek(struct stream *s, uint64_t at);

/*
 * Drops what was read ahead and reads the record at byte at; a note other than
 * a message acts, and true is returned.  Only this or stream_seek() may follow.
 */
bool stream_note(struct stream *s, uint64_t at);

/* After the end: goes on with another source, which is taken over. */
void stream_continue(struct stream *s, struct source *src);

/* Ends reading: reports the damage that is being skipped, if any. */
void stream_stop(struct stream *s);

/* as source_progress() of its source */
void stream_progress(const struct stream *s, uint64_t *done, uint64_t *total);

/* whether events were read ahead and not handed out */
bool stream_waiting(const struct stream *s);

/* frees s and its source; NULL is fine */
void stream_free(struct stream *s);

#endif
