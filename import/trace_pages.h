/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of ring buffers in a file, where those of a CPU follow one another:
 * events of all CPUs in order of time.
 *
 * trace-cmd packs a CPU's pages in chunks: their number, 4 bytes, and for each
 * its size packed and unpacked, 4 bytes each, and the packed bytes.
 */
#ifndef IMPORT_TRACE_PAGES_H
#define IMPORT_TRACE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "file/ftrace_page.h"

struct import_faults;		/* import/faults.h */
struct source;			/* file/source.h */
struct trace_pages_cpu;
struct trace_unpacker;		/* import/trace_packed.h */

struct trace_pages {
	struct source *source;
	const struct ftrace_layout *layout;
	struct trace_unpacker *unpacker;
	struct import_faults *faults;
	struct trace_pages_cpu *cpus;
	size_t count, room;	/* of cpus */
	struct heap order;	/* of those with events */
	uint8_t *packed;	/* one chunk's bytes */
	size_t held;		/* bytes of unpacked pages */
	bool begun;
};

/* where a CPU's pages are */
struct trace_stretch {
	uint32_t cpu;
	uint32_t page;		/* bytes of one */
	uint64_t at, len;	/* in the file */
	bool packed;
};

struct trace_page_event {
	struct ftrace_entry entry;	/* valid until the next call */
	uint32_t cpu;
	bool lossy;		/* others were lost before */
	uint64_t lost;		/* how many; 0: unknown */
};

/* all must outlive p */
void trace_pages_init(struct trace_pages *p, struct source *s,
		      const struct ftrace_layout *l, struct trace_unpacker *u,
		      struct import_faults *faults);
void trace_pages_free(struct trace_pages *p);

/* before the first event; 0 or -ENOMEM */
int trace_pages_add(struct trace_pages *p, const struct trace_stretch *s);

/* 1: *e is the next event; 0: the end; -EBADMSG: of no use any more, reported;
 * or -errno.  Damaged pages are reported and passed over. */
int trace_pages_next(struct trace_pages *p, struct trace_page_event *e);

#endif
