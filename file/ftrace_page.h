/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of the kernel's ring buffer, entry by entry, whatever the entries mean.
 * The layout is read from tracefs: a page's in events/header_page, an event's
 * in events/header_event, an entry's start in the formats of events/ftrace.
 */
#ifndef FILE_FTRACE_PAGE_H
#define FILE_FTRACE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ftrace_layout {
	/* offsets and sizes in a page, bytes */
	unsigned int page;	/* its size */
	unsigned int stamp;	/* its time, 8 bytes */
	unsigned int commit, commit_size;	/* its length, 4 or 8 bytes */
	unsigned int data;	/* its first event */
	/* the first word of an event, and the types that are no lengths */
	unsigned int type_bits, delta_bits;	/* 32 together */
	unsigned int type_shift, delta_shift;	/* where they are in it */
	uint32_t type_mask, delta_mask;	/* of these bits, shifted */
	bool swapped;	/* words are of the other byte order */
	unsigned int padding, time_extend, time_stamp;
	unsigned int data_max;	/* types up to that are lengths, in words */
	/* an entry of a tracer */
	unsigned int type;	/* offset of its type, 2 bytes */
	uint64_t blk;		/* bit n: n may be the blk tracer's type */
};

/*
 * 0; -EOPNOTSUPP: an unknown layout, or one in which a record does not fit over
 * an entry; or -errno of reading tracefs.
 */
int ftrace_layout_read(struct ftrace_layout *l, const char *tracefs);

/*
 * The same of texts, for pages of a machine of that byte order; the type and
 * the blk tracer's are not read.  0 or -EOPNOTSUPP.
 */
int ftrace_layout_parse(struct ftrace_layout *l, FILE *page, FILE *event,
			bool big_endian);

struct ftrace_page {
	const struct ftrace_layout *layout;
	const uint8_t *at;	/* the next event */
	const uint8_t *end;	/* after the last */
	uint64_t time;		/* of the last event; ns by the trace clock */
	bool lossy;		/* events were lost before the first */
	uint64_t lost;		/* how many; 0: unknown */
};

struct ftrace_entry {
	const uint8_t *data;	/* in the page */
	size_t len;		/* bytes, with up to 7 of padding */
	uint64_t time;
};

/* Starts a page of len bytes, which the caller keeps.  0 or -EBADMSG. */
int ftrace_page_begin(struct ftrace_page *p, const struct ftrace_layout *l,
		      const uint8_t *bytes, size_t len);

/* 1 and the next entry; 0: the end; -EBADMSG: p->at to p->end is no entry. */
int ftrace_page_next(struct ftrace_page *p, struct ftrace_entry *e);

#endif
