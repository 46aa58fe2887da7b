/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of the machine that recorded a trace, by the trace's directory. */
#ifndef RUN_HOST_H
#define RUN_HOST_H

#include <stddef.h>

/*
 * The name of the directory that the trace is or is in, or for a segment its
 * segments are in, without the time that a collector appends
 * ("db1-2026-11-20-05:53:54" is db1); "unknown" for a pipe.
 * directory as for reader_options.  To to, any bytes, cut to size - 1.  0 or
 * -ENOMEM.
 */
int host_of_run(char *to, size_t size, const char *directory,
		const char *name);

/* The same, but "" if no collector has appended the time.  0 or -ENOMEM. */
int host_of_collector(char *to, size_t size, const char *directory,
		      const char *name);

#endif
