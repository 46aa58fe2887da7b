/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the machine is called that a trace was recorded on, as far as the place
 * of the trace tells.
 */
#ifndef RUN_HOST_H
#define RUN_HOST_H

#include <stddef.h>

/*
 * The name of the directory that the trace of that name is in, or is, without
 * the time that a collector puts behind it ("db1-2026-11-20-05:53:54" is db1);
 * directory as for reader_options.  "unknown" for a pipe, which may come from
 * another machine.  To to, cut to size - 1 bytes, as it is: any bytes.
 * 0, or -ENOMEM.
 */
int host_of_run(char *to, size_t size, const char *directory,
		const char *name);

/*
 * The same only where a collector has put the time behind it; else to is "".
 * 0, or -ENOMEM.
 */
int host_of_collector(char *to, size_t size, const char *name);

#endif
