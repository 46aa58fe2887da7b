/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An I/O with its names, for formats without rows (perfetto, iolog,
 * prometheus).
 */
#ifndef EMIT_NAMED_IO_H
#define EMIT_NAMED_IO_H

#include <stdbool.h>
#include <stdint.h>

struct io;			/* request/io.h */

/* texts are valid UTF-8, for the duration of the call they are passed to */
struct named_io {
	const struct io *io;
	const char *host;	/* never NULL */
	const char *disk;	/* the device's name, "sda", or its dev */
	const char *dev;	/* "8:0" */
	const char *process;	/* or NULL */
	bool has_start;		/* start is known */
	int64_t start;		/* of the trace: ns since 1970 */
};

#endif
