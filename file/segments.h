/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Segments of one trace, in their order.
 */
#ifndef FILE_SEGMENTS_H
#define FILE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* --- segment -------------------------------------------------------------- */

/*
 * A segment: one directory of a trace that was written in several, each of
 * which is a trace by itself.
 *
 * Its name is NUMBER-YYYY-MM-DD-HH:MM:SS, the local time at which it begins;
 * as long as it is written ".partial" stands behind that.  Numbers begin with
 * 0001 and have no gaps.
 *
 * From the second on each of its files begins with a head: notes that segments
 * before it had in the file of that CPU, so that names and the time of day are
 * known.  The first of them is a time stamp, marked by its sequence number and
 * pid, which time stamps have no use for; its sector is the trace time at which
 * the segment begins, its bytes are how long the head is.
 */

struct event;			/* record/record.h */

enum { SEGMENT_NAME = 40 };	/* room for any name, its end included */

#define SEGMENT_PARTIAL ".partial"

/* the name of a segment that begins then, without ".partial" */
void segment_name(char name[SEGMENT_NAME], unsigned int number, time_t begin);

/* the number in a segment's name, ".partial" or not; 0: it is no such name */
unsigned int segment_number(const char *name);

struct segment_head {
	uint64_t border;	/* ns, where the segment begins */
	uint32_t len;		/* bytes of the head, the stamp included */
};

/* makes a time stamp the first record of a head */
void segment_head_mark(struct event *stamp, const struct segment_head *h);

/* whether a file's first record begins a head; then *h */
bool segment_head_of(const struct event *first, struct segment_head *h);

/* --- segments ------------------------------------------------------------- */

struct segments {
	struct segments_one {
		unsigned int number;
		char *path;	/* of its directory */
	} *list;
	size_t count;
};

/*
 * All of a directory ("" for the working directory).  0 with at least one;
 * -ENOENT: it has none; or -errno.
 */
int segments_find(struct segments *s, const char *dir);

/*
 * Adds one by its path, where it belongs.  0, also if it is there already;
 * -EINVAL: that is no segment's name; -ENOMEM.
 */
int segments_add(struct segments *s, const char *path);

/* an all-zero struct segments is empty */
void segments_free(struct segments *s);

#endif
