/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that one CPU has in the segments of a trace, as the one file that
 * would have been written without segments: heads of segments that follow
 * directly on the one before are left out, byte for byte.
 *
 * Only the file that is being read is open.
 */
#ifndef FILE_SOURCE_CHAIN_H
#define FILE_SOURCE_CHAIN_H

#include <stddef.h>

struct source;			/* file/source.h */

struct chain_link {
	char *path;
	unsigned int segment;	/* its number */
};

/*
 * Of files, at least one and in order, which are copied.  0 and *s; or -errno:
 * no memory, or the first cannot be opened.
 */
int source_chain_open(struct source **s, const struct chain_link *links,
		      size_t count);

#endif
