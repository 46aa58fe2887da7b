/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's events as trace_pipe has them: the kernel makes a record of each,
 * and remarks of its own between them.  Every kernel with the blk tracer has
 * it, and it takes more time than anything else of a capture.
 */
#ifndef CAPTURE_FROM_FTRACE_PIPE_H
#define CAPTURE_FROM_FTRACE_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- ftrace remark -------------------------------------------------------- */

/*
 * The lines of text that the kernel puts between the records of tracefs' pipe.
 */

enum remark_kind {
	REMARK_NONE,		/* these bytes are none */
	REMARK_CUT,		/* one that may have more bytes */
	REMARK_LOST,		/* "CPU:1 [LOST 29 EVENTS]" */
	REMARK_LOST_SOME,	/* the same without a number */
	REMARK_ENTRY,		/* "type: 5": it has no binary form */
};

struct remark {
	enum remark_kind kind;
	size_t len;		/* of the line, its end included */
	uint64_t lost;		/* events of a REMARK_LOST */
};

/* what stands at the beginning of len bytes, one or more */
struct remark remark_at(const uint8_t *p, size_t len);

/* --- ftrace pipe ---------------------------------------------------------- */

struct ftrace;			/* capture/from/ftrace.h */
struct tap;			/* capture/tap.h */

/* a tap as ftrace_cpu_open() of capture/from/ftrace_cpu.h describes it */
int ftrace_pipe_open(struct tap **t, struct ftrace *f, uint32_t cpu,
		     bool stamps);

#endif
