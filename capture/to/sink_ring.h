/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to memory: a run's last records in capture/to/chunks, and all its
 * notes in capture/to/notebook.  Packing chunks that readers have passed makes
 * the ring reach five times as far back, as blocks twelve times.
 * excerpt_write() writes a window of it to files.
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
	uint64_t time;		/* ns: drops older events; 0: does not */
	int level;		/* of gzip, for old chunks; 0: none */
	bool pack;		/* without a level: as blocks (pack/format.h) */
	unsigned int lanes;	/* of all devices and online CPUs, at most */
	struct notes_stamp (*now)(void);	/* the records' clock */
	const struct capture_reporter *reporter;
};

/* a device's offline CPU */
struct sink_ring_idle {
	struct sink_ring_idle *next;
	char *name;		/* of the device */
	uint32_t cpu;
};

/* 0 and *s, or -errno, reported */
int sink_ring_new(struct sink **s, const struct sink_ring_options *o);

/* the ring's chunks, which it owns; s is of sink_ring_new() */
struct chunks *sink_ring_chunks(struct sink *s);
const struct sink_ring_idle *sink_ring_idle(const struct sink *s);

/* --- excerpt -------------------------------------------------------------- */

/*
 * A window of a ring, written to another sink as a complete trace: each lane
 * with a head as in file/segments.h, cut at the same times on all CPUs.  gzip'd
 * files get a gzip'd ring's pieces unchanged, unless one is cut.
 */

struct excerpt {
	struct sink *ring;	/* of capture/to/sink_ring */
	struct sink *files;	/* the caller completes and frees it */
	bool gzip;		/* both are gzip'd; files of
				 * capture/to/sink_file */
	struct chunk_window *window;	/* of chunks_keep() */
	struct notes_stamp now;
	/* called between chunks: whether to stop; or NULL */
	bool (*is_over)(void *ctx);
	void *ctx;
	/* ns: complete from this time on; set by excerpt_write() */
	uint64_t whole;
};

/*
 * Writes all events from window->from to window->to, which must have come.  0;
 * -ECANCELED: by is_over(); or -errno, reported.  What was written stays
 * readable.
 */
int excerpt_write(struct excerpt *e);

#endif
