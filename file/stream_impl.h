/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of a stream share: stream.c, which takes in records, and
 * stream_buffer.c, which reads bytes and finds the next record after damage.
 *
 * The buffer holds, from left to right: the current batch, whose events are in
 * spans; bytes that are read but not scanned yet; room.  A batch is whole in
 * the buffer, which grows in the rare case that it must.
 *
 *	0        from             scan            end        cap
 *	| used up | the batch      | not scanned   | room      |
 */
#ifndef FILE_STREAM_IMPL_H
#define FILE_STREAM_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/batch.h"
#include "file/header.h"
#include "file/hooks.h"
#include "file/stream.h"
#include "record/record.h"

struct source;			/* file/source.h */

enum { STREAM_PIDS_NOTED = 64 };	/* a power of two */

/* events of a batch with nothing between them, relative to where it begins */
struct span {
	uint32_t from, to;
	bool plain;		/* native version 7; else any other version */
};

/*
 * What every event touches stands first, in two cache lines: with hundreds of
 * files the others' have displaced it when a stream's turn comes.
 */
struct stream {
	struct batch ready;	/* what is handed out of a plain span, */
	const uint8_t *raw, *raw_end;	/* or of one that is not */
	size_t span;		/* the batch's next one */

	bool notes_stay;
	bool eof;
	uint16_t origin;
	struct source *src;
	const struct hooks *hooks;
	struct lane *lane;
	char *name;
	int cpu;
	uint32_t cpu_first, cpu_more;	/* CPUs that fit: so many more */
	uint32_t latest;	/* time, without its lower half, that fits */

	uint8_t *buf;
	size_t from, scan, end, cap;
	uint64_t base;		/* offset of buf[0] in the source */
	size_t usual;		/* bytes of the last batch */
	size_t vain;		/* bytes read since there was an event */

	struct span *spans;	/* of the batch */
	size_t span_count, span_size;
	unsigned int batch;	/* events in a batch at most */

	size_t body;		/* where the last payload begins, or 0 */
	bool lost;		/* searching for a plausible record */
	bool timed;		/* latest is less than all there can be, */
	bool untimed;		/* and no event has come yet that it is from */
	bool lost_zeros;	/* all bytes passed over so far were 0 */
	uint64_t lost_at;
	const char *lost_why;
	uint64_t foreign_at, foreign;	/* bytes of other CPUs' records */
	uint64_t untimely_at, untimely;	/* of those whose times cannot be */

	bool ordered;		/* the byte order is known */
	bool swapped;
	struct header_reader headers;

	struct lane_end *copy;	/* the account, for the caller; or NULL */
	struct lane_end account;	/* of what has been read */
	bool seals;		/* one that does not match is reported */
	bool clocked;		/* version 2 only: first_time is known */
	uint64_t first_time;
	uint32_t pids_noted[STREAM_PIDS_NOTED];	/* versions 4 to 6 only */
};

static inline void stream_report(struct stream *s, uint64_t at, uint64_t lost,
				 const char *what)
{
	s->hooks->damage(s->hooks->ctx,
			 &(struct damage){ s->name, at, lost, what });
}

/* a record of a CPU that the file is not of */
static inline bool stream_wrong_cpu(const struct stream *s,
				    const struct header *h)
{
	return s->cpu >= 0 && h->cpu != (uint32_t)s->cpu &&
	       (!h->layout || h->layout->cpu_bytes);
}

/* what stands at the scan place */
static inline enum header_verdict stream_header(struct stream *s,
						struct header *h)
{
	return header_read(&s->headers, s->buf + s->scan, s->end - s->scan,
			   s->eof, h);
}

/* a buffer, free()d by the stream; 0 or -ENOMEM */
int stream_buffer_init(struct stream *s);

/*
 * Room for so many bytes behind what is read: moves the batch to the front, and
 * grows the buffer if that is not enough.  0, -ENOMEM, or -EFBIG.
 */
int stream_make_room(struct stream *s, size_t need);

/* Reads more.  1: there is; 0: the end; -EAGAIN; -ENOMEM. */
int stream_read_more(struct stream *s);

/* Bytes before the first event need not be kept. */
static inline void stream_drop_used(struct stream *s)
{
	if (!s->span_count)
		s->from = s->scan;
}

/*
 * Starts the search.  If the last record's payload length is wrong, the next
 * record may be inside what was taken for its payload: so from there.
 */
void stream_search_start(struct stream *s);

/* the same where the source ends inside a record */
void stream_search_start_in_cut(struct stream *s);

/* Goes on searching.  1: found; 0: the end; short of bytes: -ENODATA. */
int stream_search(struct stream *s);

/* ends a search that goes on: reports what has been passed over */
void stream_search_stop(struct stream *s);

#endif
