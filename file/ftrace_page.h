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

struct ftrace_layout;		/* file/ftrace_layout.h */

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
