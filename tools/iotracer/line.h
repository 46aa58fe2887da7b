/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log line: one access to a watched file, at one level.
 *
 *	61633.318652058;R;1879048192;16384;VFS;ATA-0;14272
 *
 * Seconds since T0; R or W; byte of the file, or at level BLK sector of the
 * device; bytes; level; process name and id.  A process may have semicolons in
 * its name, so five fields are counted from the left, and the id from the
 * right.
 */
#ifndef TOOLS_IOTRACER_LINE_H
#define TOOLS_IOTRACER_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hold.h"
#include "bpf/layout.h"
#include "run/reorder.h"

/* --- line queue ----------------------------------------------------------- */

/*
 * A queue that puts lines in order.  A call's line comes at its return, with
 * the time of its start, and from its CPU's ring, so lines are held for
 * LINE_QUEUE_HOLD.  Both bounds are those of events from a pipe.
 */

#define LINE_QUEUE_HOLD REORDER_HOLD	/* ns */

/* lines held at most: then the earliest is next, whatever its time */
enum { LINE_QUEUE_MAX = REORDER_EVENTS };

struct line_queue {
	struct hold lines;	/* of struct bpf_line */
	uint64_t arrived;	/* lines added in all */
};

void line_queue_init(struct line_queue *q);

/* initialize q again before another use */
void line_queue_free(struct line_queue *q);

/* 0, or -ENOMEM */
int line_queue_add(struct line_queue *q, const struct bpf_line *l);

/* the earliest line, if it is not after `until` or too many are held, valid
 * until the next call; NULL: none */
const struct bpf_line *line_queue_next(struct line_queue *q, uint64_t until);

/* --- line ----------------------------------------------------------------- */

enum { LINE_FIXED = 256 };	/* bytes of a line without its path, at most */

struct line_style {
	bool whole_disk;	/* sectors of the disk, not of the partition */
	bool extended;		/* append ;MAJ:MIN;SECTOR;RWBS;TID;PATH */
	bool duration;		/* before these, ;SECONDS of a call */
};

/* the level's name; LEVEL_COUNT of them */
extern const char line_levels[LEVEL_COUNT][5];

/* writes a line with its newline to p, which has room for LINE_FIXED and the
 * path; returns its end.  path is only used if extended */
char *line_format(char *p, const struct bpf_line *l, uint64_t zero_time,
		  const struct line_style *style, const char *path);

/* parses time (since T0), address, size, level, writes, tgid and comm of *l
 * from a line without its newline; 0 or -EINVAL */
int line_parse(struct bpf_line *l, const char *text, size_t len);

#endif
