/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources of what zstd has packed: frames of RFC 8878, one after the other. */
#ifndef FILE_SOURCE_ZSTD_H
#define FILE_SOURCE_ZSTD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source;			/* file/source.h */

enum { ZSTD_MAGIC_LEN = 4 };

/* whether bytes can begin so; all ZSTD_MAGIC_LEN of them: do */
bool source_zstd_may_be(const uint8_t *bytes, size_t len);

/* Unpacks what in has after the len bytes at head, which were read from it.
 * Takes in over unless it fails.  0 and *out, -ENOMEM, or -EOPNOTSUPP: built
 * without libzstd. */
int source_zstd(struct source **out, struct source *in, const void *head,
		size_t len);

#endif
