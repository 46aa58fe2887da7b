/* SPDX-License-Identifier: GPL-2.0-only */
/* A source whose first bytes may be looked at before they are read. */
#ifndef FILE_SOURCE_PEEK_H
#define FILE_SOURCE_PEEK_H

#include <stddef.h>
#include <sys/types.h>

struct source;

/*
 * Takes in over, also on failure, and reads up to len bytes ahead, unpacked.
 * Their number; *out, and in *begin these bytes with a NUL behind them, valid
 * until the first read; or -errno, as source_read().
 */
ssize_t source_peek(struct source **out, struct source *in, size_t len,
		    const char **begin);

#endif
