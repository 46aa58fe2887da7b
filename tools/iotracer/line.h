/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log line: one access to a watched file, at one level.
 *
 *	61633.318652058;R;1879048192;16384;VFS;ATA-0;14272
 *
 * Seconds since T0; R or W; byte of the file, or at level BLK sector of the
 * device; bytes; level; process name and id.  The name is as the process has
 * chosen it, so it may hold semicolons: five fields are counted from the left
 * and the id from the right.
 */
#ifndef TOOLS_IOTRACER_LINE_H
#define TOOLS_IOTRACER_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/layout.h"

enum { LINE_FIXED = 256 };	/* bytes that a line without a path needs */

struct line_style {
	bool whole_disk;	/* sectors of the disk, not of the partition */
	bool extended;		/* ;MAJ:MIN;SECTOR;RWBS;TID;PATH behind */
	bool duration;		/* ;SECONDS before these, of a call */
};

/* the level's name; LEVEL_COUNT of them */
extern const char line_levels[LEVEL_COUNT][5];

/*
 * One line, its end included, at p, where there is room for LINE_FIXED and the
 * path; returns the place behind it.  path is only used if extended.
 */
char *line_format(char *p, const struct bpf_line *l, uint64_t zero_time,
		  const struct line_style *style, const char *path);

/*
 * The other way: time (since T0), address, size, level, writes, tgid and comm
 * of *l from a line without its end.  0, or -EINVAL.
 */
int line_parse(struct bpf_line *l, const char *text, size_t len);

#endif
