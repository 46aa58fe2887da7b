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

struct bunch_builder_options;		/* replay/bunch_builder.h */
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
