/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a replay file, the I/Os of one CPU of a device, and with text a list
 * of its bunches to a second file, .rec.  The header's counts and genesis are 0
 * until the flush.
 *
 * 1.3.0: a bunch has I/Os until it is full, or until one is later than the
 * first by more than a given time; all get the first one's time.
 *
 * The exact rule: every I/O is a bunch with its own time, and I/Os slightly out
 * of order are sorted.
 */
#ifndef REPLAY_BUNCH_WRITER_H
#define REPLAY_BUNCH_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/bunch.h"

/* the most I/Os held for sorting */
enum { BUNCH_BUILDER_HELD = 512 };

struct bunch_builder_options {
	bool exact;
	/* of 1.3.0's rule: */
	uint64_t max_time;	/* ns */
	uint32_t max_packets;	/* 1 to BUNCH_MAX */
};

struct bunch_builder_held {
	uint64_t time;
	struct packet packet;
};

struct bunch_builder {
	struct bunch_builder_options o;
	/* takes each finished bunch; 0, or an error */
	int (*put)(void *ctx, const struct bunch *b);
	void *ctx;
	struct bunch open;	/* if its count is not 0 */
	struct bunch_builder_held held[BUNCH_BUILDER_HELD];
	uint32_t held_count;
};

void bunch_builder_init(struct bunch_builder *b,
			const struct bunch_builder_options *o,
			int (*put)(void *ctx, const struct bunch *bunch),
			void *ctx);

/* adds an I/O; 0, or put()'s error */
int bunch_builder_add(struct bunch_builder *b, uint64_t time,
		      const struct packet *p);

/* after the last I/O; 0, or put()'s error */
int bunch_builder_flush(struct bunch_builder *b);

struct opener;			/* base/opener.h */
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

/* Writes the rest and the header.  0, or -errno of the first failed write since
 * opening; sets *sums in either case. */
int bunch_writer_flush(struct bunch_writer *r, struct bunch_writer_sums *sums);

/* closes the file and frees r; without a flush its header has no counts */
void bunch_writer_close(struct bunch_writer *r);

#endif
