/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "Tracing data": what perf and trace-cmd keep of the recording kernel, so that
 * its binary events can be decoded elsewhere.
 */
#ifndef IMPORT_TRACE_FORMATS_H
#define IMPORT_TRACE_FORMATS_H

#include <stdint.h>

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

#endif
