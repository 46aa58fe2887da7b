/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "Tracing data": what perf and trace-cmd keep of the recording kernel, so that
 * its binary events can be decoded elsewhere.
 */
#ifndef IMPORT_TRACE_FORMATS_H
#define IMPORT_TRACE_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "file/ftrace_page.h"

struct binary;			/* import/binary.h */
struct trace_events;		/* import/trace_event.h */

/*
 * Reads tracing data of at most len bytes, up to the end of its formats, and
 * adds those of the block layer to *events, which the caller frees.  0;
 * -EBADMSG: it is damaged, as *why says; -EOPNOTSUPP: built without
 * libtraceevent; or -errno of b.
 */
int trace_formats_read(struct binary *b, uint64_t len,
		       struct trace_events **events, const char **why);

/*
 * Its parts, which trace-cmd's version 7 has in sections.  All read at most len
 * bytes; 0; -EBADMSG: damaged; -EOPNOTSUPP; or -errno of b.
 */

struct trace_formats {
	unsigned int version;	/* of trace-cmd; perf's is 0 */
	bool big_endian;	/* the machine */
	uint32_t page;		/* bytes of its memory's */
	struct ftrace_layout pages;	/* of its ring buffer; page 0: unknown */
	struct trace_events *events;	/* the owner frees them; or NULL */
};

/* what it begins with; b has its byte order from then on */
int trace_formats_head(struct binary *b, uint64_t len, struct trace_formats *f);

/* the layout of pages; unknown if this program cannot read them */
int trace_formats_pages(struct binary *b, uint64_t len,
			struct trace_formats *f);

/* the formats of ftrace's own events, which are passed over */
int trace_formats_skip(struct binary *b, uint64_t len);

/* those of all systems; the block layer's are added to events */
int trace_formats_events(struct binary *b, uint64_t len,
			 struct trace_formats *f);

#endif
