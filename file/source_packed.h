/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sources of packed bytes (pack/format.h).
 *
 * One file of a packed file is read by the places of its blocks, from anywhere.
 * A packed stream, as from a pipe, is read as it comes, and all files of the
 * trace in it are one source: blocks hold whole records.
 */
#ifndef FILE_SOURCE_PACKED_H
#define FILE_SOURCE_PACKED_H

#include <stddef.h>

struct source;			/* file/source.h */

/*
 * Opens the file that path names below a packed file, as x.btz/sda.blktrace.0.
 * 0 and *s; -ENOTDIR: path is not below a packed file; -ENOENT: it has no such
 * file; -EOPNOTSUPP: built without libzstd; or -errno.
 */
int source_packed_open(struct source **s, const char *path);

/* Unpacks what in has after the len bytes at head, which were read from it.
 * Takes in over unless it fails; as source_packed_open(). */
int source_packed_stream(struct source **out, struct source *in,
			 const void *head, size_t len);

#endif
