/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's events as trace_pipe has them: the kernel makes a record of each,
 * and remarks of its own between them.  Every kernel with the blk tracer has
 * it, and it takes more time than anything else of a capture.
 */
#ifndef CAPTURE_FROM_FTRACE_PIPE_H
#define CAPTURE_FROM_FTRACE_PIPE_H

#include <stdbool.h>
#include <stdint.h>

struct ftrace;			/* capture/from/ftrace.h */
struct tap;			/* capture/tap.h */

/* a tap as ftrace_cpu_open() of capture/from/ftrace_cpu.h describes it */
int ftrace_pipe_open(struct tap **t, struct ftrace *f, uint32_t cpu,
		     bool stamps);

#endif
