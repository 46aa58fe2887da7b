/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a perf.data, which are the kernel's and perf's own, to events
 * of the block layer's tracepoints.
 */
#ifndef IMPORT_PERF_RECORDS_H
#define IMPORT_PERF_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/faults.h"
#include "import/perf_about.h"
#include "import/perf_attrs.h"
#include "import/tracing.h"

struct binary;			/* import/binary.h */
struct frame_stream;		/* pack/frame.h */
struct import_to;		/* import/import.h */
struct trace_events;		/* import/trace_event.h */

struct perf_records {
	const struct import_to *to;
	struct binary *b;
	struct perf_attrs attrs;
	struct perf_about about;
	struct trace_events *events;	/* formats, or NULL */
	struct tracing tracing;
	uint64_t left;		/* bytes of the section of records */
	bool to_end;		/* that ends with the source */
	uint32_t resolved;	/* attributes whose event was looked up */
	uint32_t groups;	/* of their tracepoints */
	bool told;		/* import_to.about() was called */
	uint64_t newest, round;	/* times: the latest, and at the last round */
	uint64_t lost, lost_samples;	/* as the kernel, and perf, counted */
	struct frame_stream *stream;	/* of compressed records, or NULL */
	uint8_t *unpacked;
	size_t unpacked_len;
	struct import_faults faults;
};

/* b and to must outlive r, which must not move; 0 or -ENOMEM */
int perf_records_init(struct perf_records *r, struct binary *b,
		      const struct import_to *to);
void perf_records_free(struct perf_records *r);

/* Both: 0; -EBADMSG: damaged, reported; or -errno of b or to. */

/* reads records of at most len bytes; UINT64_MAX: to the end */
int perf_records_read(struct perf_records *r, uint64_t len);

/* hands over what is held, and says what was missing */
int perf_records_end(struct perf_records *r);

#endif
