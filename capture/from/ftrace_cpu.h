/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's events from tracefs, made into what relay files would have held:
 * numbered records, process notes, apart by device.  They come from the pages
 * of the ring buffer, or from trace_pipe where pages cannot be had.
 *
 * poll(2) on either reports POLLIN only once a quarter of the kernel's
 * buffer is full (before Linux 4.20: at every event), so a reader that is in
 * a hurry has to come by itself.
 */
#ifndef CAPTURE_FROM_FTRACE_CPU_H
#define CAPTURE_FROM_FTRACE_CPU_H

#include <stdbool.h>
#include <stdint.h>

struct ftrace;			/* capture/from/ftrace.h */
struct tap;			/* capture/tap.h */

/*
 * Opens a CPU's files, before ftrace_start().  One CPU of a capture has to note
 * when tracing began: the one whose `stamps` is true.  0 and *t; or -errno,
 * with -EBUSY another process reads this CPU's pipe.
 */
int ftrace_cpu_open(struct tap **t, struct ftrace *f, uint32_t cpu,
		    bool stamps);

#endif
