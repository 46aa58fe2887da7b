/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on one CPU's trace_pipe: the kernel's records, with remarks between
 * them.  Every kernel with the blk tracer has it; no other part of a capture
 * takes as much time.
 */
#ifndef CAPTURE_FROM_FTRACE_PIPE_H
#define CAPTURE_FROM_FTRACE_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- ftrace remark -------------------------------------------------------- */

/* lines of text that the kernel puts between the records */
enum remark_kind {
	REMARK_NONE,		/* no remark */
	REMARK_CUT,		/* perhaps one, with more bytes to come */
	REMARK_LOST,		/* "CPU:1 [LOST 29 EVENTS]" */
	REMARK_LOST_SOME,	/* the same without a number */
	REMARK_ENTRY,		/* "type: 5": an entry without a binary form */
};

struct remark {
	enum remark_kind kind;
	size_t len;		/* of the line, with its end */
	uint64_t lost;		/* events of a REMARK_LOST */
};

/* the remark at the start of len bytes, one or more */
struct remark remark_at(const uint8_t *p, size_t len);

/* --- ftrace pipe ---------------------------------------------------------- */

struct ftrace;			/* capture/from/ftrace.h */
struct tap;			/* capture/tap.h */

/* as ftrace_cpu_open() of capture/from/ftrace_cpu.h */
int ftrace_pipe_open(struct tap **t, struct ftrace *f, uint32_t cpu,
		     bool stamps);

#endif
