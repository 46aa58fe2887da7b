/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the kernel's ring buffer is laid out, as tracefs describes it: a page in
 * events/header_page, an event in events/header_event, and what every entry
 * of a tracer begins with in the formats of events/ftrace.
 */
#ifndef FILE_FTRACE_LAYOUT_H
#define FILE_FTRACE_LAYOUT_H

#include <stdint.h>

struct ftrace_layout {
	/* a page: bytes from its beginning */
	unsigned int page;	/* of all of it */
	unsigned int stamp;	/* to its time, of 8 bytes */
	unsigned int commit, commit_size;	/* to its length; 4 or 8 */
	unsigned int data;	/* to its first event */
	/* the first word of an event, and the types that are no lengths */
	unsigned int type_bits, delta_bits;	/* 32 together */
	unsigned int padding, time_extend, time_stamp;
	unsigned int data_max;	/* types up to that are lengths, in words */
	/* an entry of a tracer: bytes from its beginning */
	unsigned int type;	/* to its type, of 2 bytes */
	uint64_t blk;		/* bit n: n may be the blk tracer's type */
};

/*
 * 0; or -errno: a text is not there, or -EOPNOTSUPP: it says what no kernel
 * has said so far, or has an entry in which a record has no room.
 */
int ftrace_layout_read(struct ftrace_layout *l, const char *tracefs);

#endif
