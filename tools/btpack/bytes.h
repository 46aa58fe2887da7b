/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes of a member: of a file, of what it holds gzip'd, or of a member of
 * a packed file. */
#ifndef TOOLS_BTPACK_BYTES_H
#define TOOLS_BTPACK_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/btpack/packed.h"

struct member;			/* tools/btpack/members.h */
struct source;			/* file/source.h */

struct bytes {
	struct source *source;	/* of what is gzip'd; or NULL */
	struct packed_reader packed;	/* of a packed file */
	bool is_packed;
	int fd;			/* else, or -1 */
};

/* 0; or -errno; -ENOMEM of a packed file was reported */
int bytes_open(struct bytes *b, const struct member *m, bool gunzip);

/* up to len bytes to buf: their number, 0 at the end; or -errno, -EBADMSG for
 * broken gzip data */
ssize_t bytes_read(struct bytes *b, uint8_t *buf, size_t len);

void bytes_close(struct bytes *b);

#endif
