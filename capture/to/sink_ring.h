/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to memory: the last records of a run, in capture/to/chunks, and
 * beside them the notes of all of it, in capture/to/notebook.  Packed, what
 * somebody who reads along has left behind takes a fifth of the room, and the
 * ring reaches further back.  Nothing is written anywhere until
 * capture/to/sink_ring is asked for a window of time.
 */
#ifndef CAPTURE_TO_SINK_RING_H
#define CAPTURE_TO_SINK_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/notes.h"
#include "capture/to/chunks.h"
#include "capture/to/sink_file.h"

/* --- sink ring ------------------------------------------------------------ */

struct capture_reporter;	/* capture/reporter.h */
struct chunks;			/* capture/to/chunks.h */
struct notebook;		/* capture/to/notebook.h */
struct sink;			/* capture/sink.h */

struct sink_ring_options {
	size_t size;		/* bytes of records */
	uint64_t time;		/* ns: what is older is not kept; 0: it is */
	int level;		/* of gzip: old chunks are packed; 0: none is */
	unsigned int lanes;	/* of all devices and online CPUs, at most */
	struct notes_stamp (*now)(void);	/* the clock of the records */
	const struct capture_reporter *reporter;
};

/* a device's CPU that is offline */
struct sink_ring_idle {
	struct sink_ring_idle *next;
	char *name;		/* of the device */
	uint32_t cpu;
};

/* 0 and *s, or -errno, reported */
int sink_ring_new(struct sink **s, const struct sink_ring_options *o);

/* what it has, which is its own; s is one of sink_ring_new() */
struct chunks *sink_ring_chunks(struct sink *s);
const struct sink_ring_idle *sink_ring_idle(const struct sink *s);

/* --- excerpt -------------------------------------------------------------- */

/*
 * A window of time of what a ring has, written into a directory as a trace by
 * itself: the files of capture/to/sink_file, each with a head as in
 * file/segments.h, all CPUs cut at the same times.  In packed files a packed
 * ring's pieces are as they are there; only where one is cut is it packed anew.
 */

struct excerpt {
	struct sink *ring;	/* of capture/to/sink_ring */
	struct sink_file_options files;	/* directory: it is made */
	struct chunk_window *window;	/* which chunks_keep() has */
	struct notes_stamp now;
	/* asked between two chunks: whether to leave off; or NULL */
	bool (*is_over)(void *ctx);
	void *ctx;
	/* ns: from when on it is whole; set by excerpt_write() */
	uint64_t whole;
};

/*
 * Writes it: all events from window->from to window->to must be there.  0;
 * -ECANCELED: is_over() said so; or -errno, reported.  What has been written
 * stays and can be read.
 */
int excerpt_write(struct excerpt *e);

#endif
