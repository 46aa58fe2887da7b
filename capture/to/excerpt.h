/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A window of time of what a ring has, written into a directory as a trace by
 * itself: the files of capture/to/sink_file, each with a head as file/segments.h
 * has it, all CPUs cut at the same times.  In packed files a packed ring's
 * pieces are as they are there; only where one is cut is it packed anew.
 */
#ifndef CAPTURE_TO_EXCERPT_H
#define CAPTURE_TO_EXCERPT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/notes.h"
#include "capture/to/chunks.h"
#include "capture/to/sink_file.h"

struct sink;			/* capture/sink.h */

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
