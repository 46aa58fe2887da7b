/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io with what is known of it by name, for formats that are no rows
 * (perfetto, iolog, prometheus).
 */
#ifndef EMIT_NAMED_IO_H
#define EMIT_NAMED_IO_H

#include <stdbool.h>
#include <stdint.h>

struct io;			/* request/io.h */

/* texts are valid UTF-8, good until the call that got them returns */
struct named_io {
	const struct io *io;
	const char *host;	/* never NULL */
	const char *disk;	/* what the user calls the device, such as
				 * "sda", or its dev */
	const char *dev;	/* "8:0" */
	const char *process;	/* or NULL */
	bool has_start;		/* it is known when time was 0: */
	int64_t start;		/* in ns since 1970 */
};

#endif
