/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A packed trace being written by several threads: blocks, which each appends
 * whole and without a lock, their index, and the end; to a file or a pipe.
 *
 * After a failed write, as on a full disk, no more blocks are taken.  Space for
 * a last card and the index is reserved, so that what was written has both.
 */
#ifndef CAPTURE_TO_PACKED_FILE_H
#define CAPTURE_TO_PACKED_FILE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct capture_reporter;	/* capture/reporter.h */
struct pack_header;		/* pack/format.h */
struct packed_file;

struct packed_file_options {
	const char *path;	/* is replaced; NULL: to a pipe, */
	int fd;			/* which the caller closes */
	const struct capture_reporter *reporter;
	atomic_ullong *stored;	/* adds bytes written, or NULL */
};

/* 0 and *f; -ENOMEM; -EOPNOTSUPP: built without libzstd; or -errno, reported */
int packed_file_new(struct packed_file **f,
		    const struct packed_file_options *o);

/* a number for another member */
uint32_t packed_file_stream(struct packed_file *f);

/* a packer's put() with f: appends a block.  0; or -errno, the first reported,
 * also if another block has failed before */
int packed_file_put(void *f, const struct pack_header *h, const uint8_t *block,
		    size_t len);

/* appends a file beside the trace, in place of an earlier one; while no other
 * thread writes.  0 or -errno */
int packed_file_aside(struct packed_file *f, const char *name,
		      const void *bytes, size_t len);

/* appends the index and the end, and closes the file; the same.  0 or -errno,
 * reported */
int packed_file_end(struct packed_file *f);

/* without packed_file_end() what was written stays readable */
void packed_file_free(struct packed_file *f);

#endif
