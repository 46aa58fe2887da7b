/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One page of the kernel's ring buffer, entry by entry.  Nothing is known here
 * of what the entries are.
 */
#ifndef FILE_FTRACE_PAGE_H
#define FILE_FTRACE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- ftrace layout -------------------------------------------------------- */

/*
 * How the kernel's ring buffer is laid out, as tracefs describes it: a page in
 * events/header_page, an event in events/header_event, and what every entry
 * of a tracer begins with in the formats of events/ftrace.
 */

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

/* --- ftrace page ---------------------------------------------------------- */

struct ftrace_layout;		/* file/ftrace_page.h */

struct ftrace_page {
	const struct ftrace_layout *layout;
	const uint8_t *at;	/* the next event */
	const uint8_t *end;	/* behind the last */
	uint64_t time;		/* of the event before; ns by the trace clock */
	bool lossy;		/* events were lost before the first */
	uint64_t lost;		/* how many; 0: that is not known */
};

struct ftrace_entry {
	const uint8_t *data;	/* in the page */
	size_t len;		/* bytes, up to 7 of them behind its end */
	uint64_t time;
};

/*
 * len bytes that were read as one page, which stay the caller's.  0, or
 * -EBADMSG: there is no such page.
 */
int ftrace_page_begin(struct ftrace_page *p, const struct ftrace_layout *l,
		      const uint8_t *bytes, size_t len);

/*
 * 1 and the next entry; 0: there is none; -EBADMSG: what follows is none, from
 * p->at to p->end.
 */
int ftrace_page_next(struct ftrace_page *p, struct ftrace_entry *e);

#endif
