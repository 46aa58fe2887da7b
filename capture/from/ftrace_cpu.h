/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on one CPU's events of tracefs: makes numbered records and process
 * notes for each device, as in relay files, from pages of the ring buffer, or
 * from trace_pipe if pages are not available.
 *
 * poll(2) reports POLLIN only once a quarter of the kernel's buffer is full
 * (before Linux 4.20: at every event), so a live reader must not rely on it.
 */
#ifndef CAPTURE_FROM_FTRACE_CPU_H
#define CAPTURE_FROM_FTRACE_CPU_H

#include <stdbool.h>
#include <stdint.h>

struct ftrace;			/* capture/from/ftrace.h */
struct tap;			/* capture/tap.h */

/*
 * Opens a CPU's files, before ftrace_start().  `stamps` is true for one CPU of
 * a capture, which notes the start of tracing.  0 and *t; or -errno; -EBUSY:
 * another process reads this CPU's pipe.
 */
int ftrace_cpu_open(struct tap **t, struct ftrace *f, uint32_t cpu,
		    bool stamps);

#endif
