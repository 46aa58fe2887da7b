/* SPDX-License-Identifier: GPL-2.0-only */
/* A first pass over a replay file, before anything is sent: sums, bounds, and
 * damage. */
#ifndef TOOLS_BTREPLAY_SCAN_H
#define TOOLS_BTREPLAY_SCAN_H

#include <stdint.h>

#include "tools/btreplay/kind.h"

struct bunch;			/* replay/bunch.h */
struct bunch_reader;		/* replay/bunch_reader.h */

/* sectors in use, and the file's I/Os on them */
struct region {
	uint64_t start, end;	/* sectors of the device, end excluded */
	char what[160];		/* "mounted on /home" */
	uint64_t ios, writes;
};

struct scan {
	/* that I/Os may overlap; may be NULL */
	struct region *regions;
	unsigned int region_count;
	uint64_t sectors;	/* of the device; 0: unknown */

	uint64_t bunches;
	/* I/Os; a write with a flush before it is one of each */
	struct kind_sums kinds[KINDS];
	uint32_t longest_read, longest_write;	/* bytes, of possible ones */
	uint64_t first, last;	/* sectors, last excluded */
	/* I/Os that no kernel accepts, by kind and in total */
	uint64_t kinds_impossible[KINDS], impossible;
	uint64_t beyond;	/* I/Os beyond the end of the device */
	uint64_t genesis, end;	/* ns, the smallest and largest time */
};

/* adds a bunch to all sums */
void scan_add(struct scan *s, const struct bunch *b);

/*
 * Reads all of r, then rewinds it; the caller sets the first three members of
 * *s.  0; -1: damaged, see bunch_reader_fault(); -2: fewer bunches than in its
 * header.
 */
int scan_read(struct scan *s, struct bunch_reader *r);

#endif
