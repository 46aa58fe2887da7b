/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's events as pages of the ring buffer, from trace_pipe_raw: what the
 * kernel would make of them for trace_pipe is made here, in a fraction of the
 * time.
 */
#ifndef CAPTURE_FROM_FTRACE_PAGES_H
#define CAPTURE_FROM_FTRACE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

struct ftrace;			/* capture/from/ftrace.h */
struct tap;			/* capture/tap.h */

/*
 * A tap as ftrace_cpu_open() of capture/from/ftrace_cpu.h describes it.
 * trace_pipe is kept open beside the pages: the kernel lets only one process
 * have that, and nobody else takes events away.  -EOPNOTSUPP: tracefs does not
 * tell how pages are laid out.
 */
int ftrace_pages_open(struct tap **t, struct ftrace *f, uint32_t cpu,
		      bool stamps);

#endif
