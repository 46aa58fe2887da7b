/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Segments: the directories, each a trace by itself, in which `blktrace
 * --rotate` writes one trace.
 *
 * A segment is named NUMBER-YYYY-MM-DD-HH:MM:SS, with the local time of its
 * start.  ".btz" is appended if it is a packed file, and ".partial" while it is
 * written.  Numbers start at 0001 and have no gaps.
 *
 * From the second segment on, each file starts with a head: notes of earlier
 * segments' files of that CPU, for names and the time of day.  The first is a
 * time stamp marked by its sequence number and pid, which time stamps do not
 * use; its sector is the trace time at which the segment starts, its bytes are
 * the length of the head.
 */
#ifndef FILE_SEGMENTS_H
#define FILE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct event;			/* record/record.h */

enum { SEGMENT_NAME = 40 };	/* bytes of the longest name, with its NUL */

#define SEGMENT_PARTIAL ".partial"
#define SEGMENT_PACKED ".btz"

/* the name of a segment that starts at begin, without ".partial" */
void segment_name(char name[SEGMENT_NAME], unsigned int number, time_t begin);

/* the number in a segment's name, with ".btz", ".partial" or neither; 0: no such
 * name */
unsigned int segment_number(const char *name);

struct segment_head {
	uint64_t border;	/* ns, where the segment starts */
	uint32_t len;		/* bytes of the head with the time stamp */
};

/* makes a time stamp the first record of a head */
void segment_head_mark(struct event *stamp, const struct segment_head *h);

/* whether a file's first record starts a head; then *h */
bool segment_head_of(const struct event *first, struct segment_head *h);

struct segments {
	struct segments_one {
		unsigned int number;
		char *path;	/* of its directory */
	} *list;
	size_t count;
};

/*
 * All of a directory ("" for the working directory), by number.  0 with at
 * least one; -ENOENT: none; or -errno.
 */
int segments_find(struct segments *s, const char *dir);

/*
 * Adds one by its path, in order.  0, also if it is already in; -EINVAL: not a
 * segment's name; -ENOMEM.
 */
int segments_add(struct segments *s, const char *path);

/* an all-zero struct segments is empty */
void segments_free(struct segments *s);

#endif
