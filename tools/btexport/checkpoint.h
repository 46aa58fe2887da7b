/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far a capture was exported that is followed segment by segment, and what
 * its next segment needs to be read again: a file of lines, which is replaced
 * after each segment.
 *
 * A segment is exported with what was joined of those before it.  After a restart
 * these are read again, from one on at whose start the joiner knew nothing that
 * matters: point.oldest says where that began which was not over at a segment's
 * start, and the segment where that began which was not over there is soon
 * enough.
 * I/Os have the ids that they had, as each point says what ids count from.
 */
#ifndef TOOLS_BTEXPORT_CHECKPOINT_H
#define TOOLS_BTEXPORT_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/btexport/trace_id.h"

struct opener;			/* base/opener.h */

/* the start of a segment */
struct point {
	unsigned int segment;
	uint64_t time;		/* ns, of the last event before it, or 0 */
	uint64_t ids;		/* given before it */
	unsigned int oldest;	/* the first segment with I/Os open then, or in
				 * minutes of latency that were not over */
};

/* nothing was exported if all zero */
struct checkpoint {
	unsigned int last;	/* segment exported */
	bool ended;		/* it is the capture's last */
	char *manifest;		/* of that segment: as long as it is missing, the
				 * segment is not exported; owned */
	char trace[TRACE_ID + 1];
	uint64_t zero;		/* the machine's time at time 0 */
	bool timed;		/* the time of day: */
	int64_t start;		/* of time 0, ns since 1970 */
	struct point *points;	/* by segment, owned; the last is of last + 1 */
	size_t count, size;
};

/* the point of a segment, or NULL */
const struct point *checkpoint_point(const struct checkpoint *c,
				     unsigned int segment);

/* the segment that an I/O belongs to whose first event was at a time */
unsigned int checkpoint_segment_at(const struct checkpoint *c, uint64_t time);

/* adds the point of the next segment, and drops those that a restart before last
 * does not need; 0 or -ENOMEM */
int checkpoint_add(struct checkpoint *c, const struct point *p);

/* where to read from before last + 1 */
unsigned int checkpoint_restart(const struct checkpoint *c);

/* false: failed, and reported */
bool checkpoint_save(const struct checkpoint *c, const struct opener *o,
		     const char *path);

/* 0, also if there is none; -EBADMSG: damaged; or another -errno.  Without the
 * manifest of the last segment, that is the next. */
int checkpoint_load(struct checkpoint *c, const char *path);

void checkpoint_free(struct checkpoint *c);

#endif
