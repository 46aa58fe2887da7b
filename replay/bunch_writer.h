/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes one replay file: the I/Os of one CPU of a device.
 *
 * With text, a second file with .rec added to its name lists the bunches.  The
 * header's counts and genesis are written last; until then they are 0.
 */
#ifndef REPLAY_BUNCH_WRITER_H
#define REPLAY_BUNCH_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/bunch.h"

/* --- bunch builder -------------------------------------------------------- */

/*
 * Makes bunches of I/Os.
 *
 * 1.3.0: I/Os are added to a bunch until it is full, or until an I/O is later
 * than the first by more than a given time.  All of them get the time of the
 * first.
 *
 * The exact rule: every I/O is a bunch of its own with its own time, and I/Os
 * that are a little out of order are sorted.
 */

/* exact: I/Os held for sorting, at most */
enum { BUNCH_BUILDER_HELD = 512 };

struct bunch_builder_options {
	bool exact;
	/* for 1.3.0's rule */
	uint64_t max_time;	/* ns */
	uint32_t max_packets;	/* 1 to BUNCH_MAX */
};

struct bunch_builder_held {
	uint64_t time;
	struct packet packet;
};

struct bunch_builder {
	struct bunch_builder_options o;
	/* is given each finished bunch; a result other than 0 ends it */
	int (*put)(void *ctx, const struct bunch *b);
	void *ctx;
	struct bunch open;	/* none while its count is 0 */
	struct bunch_builder_held held[BUNCH_BUILDER_HELD];
	uint32_t held_count;
};

void bunch_builder_init(struct bunch_builder *b,
			const struct bunch_builder_options *o,
			int (*put)(void *ctx, const struct bunch *bunch),
			void *ctx);

/* adds an I/O; 0, or what put() has returned */
int bunch_builder_add(struct bunch_builder *b, uint64_t time,
		      const struct packet *p);

/* after the last I/O; 0, or what put() has returned */
int bunch_builder_flush(struct bunch_builder *b);

/* --- bunch writer --------------------------------------------------------- */

struct bunch_builder_options;		/* replay/bunch_writer.h */
struct opener;			/* base/opener.h */
struct packet;			/* replay/bunch.h */
struct bunch_writer;

struct bunch_writer_sums {
	uint64_t packets, bunches;
	uint64_t genesis;	/* ns, the earliest time; 0: none */
	uint64_t early;		/* I/Os earlier than the first */
};

/* creates or overwrites path, by an opener or NULL; 0 and *r, or -errno */
int bunch_writer_open(struct bunch_writer **r, const struct opener *opener,
		      const char *path, const struct bunch_builder_options *o,
		      bool text);

const char *bunch_writer_path(const struct bunch_writer *r);

/* adds an I/O; 0 or -errno */
int bunch_writer_add(struct bunch_writer *r, uint64_t time,
		     const struct packet *p);

/*
 * Writes what is left, and the header.  0, or -errno of the first write that
 * failed since the beginning; *sums is right in either case.
 */
int bunch_writer_flush(struct bunch_writer *r, struct bunch_writer_sums *sums);

/* closes the file and frees r; without a flush its header has no counts */
void bunch_writer_close(struct bunch_writer *r);

#endif
