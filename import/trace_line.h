/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line of what perf script, trace-cmd report, or tracefs' trace show of an
 * event:
 *
 *	PROCESS PID [CPU] SECONDS: block:NAME: ...
 *	PROCESS-PID [CPU] FLAGS SECONDS: NAME: ...
 *
 * where the rest is as the kernel prints the tracepoint NAME.
 */
#ifndef IMPORT_TRACE_LINE_H
#define IMPORT_TRACE_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "import/tracepoint.h"
#include "import/tracing.h"

struct trace_line {
	struct trace_place at;
	const struct tracepoint *tracepoint;
	/* its fields, parts of the line */
	uint64_t numbers[TRACE_RWBS];
	uint32_t has;		/* bits of fields */
	struct {
		const char *at;
		size_t len;
	} rwbs, comm;
	/* of a loss, at.cpu lost as many before */
	uint64_t lost;
	/* of a line that is wrong: what should be where */
	const char *expected;
	size_t column;		/* from 1 */
};

enum trace_line_kind {
	TRACE_LINE_OTHER,	/* of no interest */
	TRACE_LINE_EVENT,
	TRACE_LINE_LOSS,
	TRACE_LINE_WRONG,	/* it names a block tracepoint */
};

/* reads a line of len bytes, without its end; *l is valid as long as it */
enum trace_line_kind trace_line_read(struct trace_line *l, const char *line,
				     size_t len);

/* the values of an event, valid as long as *l */
struct trace_values trace_line_values(const struct trace_line *l);

#endif
