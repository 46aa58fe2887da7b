/* SPDX-License-Identifier: GPL-2.0-only */
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
#ifndef FILE_SEGMENT_H
#define FILE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

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

#endif
