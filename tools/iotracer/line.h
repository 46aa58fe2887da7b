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

#include "base/heap.h"
#include "base/pool.h"
#include "bpf/layout.h"
#include "run/reorder.h"

/* --- line queue ----------------------------------------------------------- */

/*
 * Lines held until they can be put in order.  A call's line comes when the
 * call returns, with the time it began, and each CPU has a ring of its own: so
 * lines come late, and are held for LINE_QUEUE_HOLD to be printed in order of
 * time.  Both bounds are those of events on a pipe.
 */

#define LINE_QUEUE_HOLD REORDER_HOLD	/* ns */

/* more are never held: the earliest comes next, whatever its time */
enum { LINE_QUEUE_MAX = REORDER_EVENTS };

struct line_queue {
	struct heap order;	/* of slots of `lines` */
	struct pool lines;	/* of struct bpf_line */
	uint64_t arrived;	/* lines ever added */
};

void line_queue_init(struct line_queue *q);

/* after that it has to be initialized again */
void line_queue_free(struct line_queue *q);

/* 0, or -ENOMEM */
int line_queue_add(struct line_queue *q, const struct bpf_line *l);

/*
 * The earliest line, if it is not later than `until` or too many are held; it
 * is good until the next call.  NULL: none.
 */
const struct bpf_line *line_queue_next(struct line_queue *q, uint64_t until);

/* --- line ----------------------------------------------------------------- */

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
