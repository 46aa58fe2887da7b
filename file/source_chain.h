/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's files in the segments of a trace, read as the one file that would
 * have been written without segments.  The head of a segment is dropped if the
 * segment before it is present.
 *
 * Only the file being read is open.
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
 * Copies links, at least one and in order; after: the segment that was read
 * before, or 0.  0 and *s; or -errno: no memory, or the first file cannot be
 * opened.
 */
int source_chain_open(struct source **s, const struct chain_link *links,
		      size_t count, unsigned int after);

#endif
