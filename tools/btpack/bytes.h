/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes of a member: of a file, of what it holds gzip'd, of a member of a
 * packed file, of the records of a trace, or of a text. */
#ifndef TOOLS_BTPACK_BYTES_H
#define TOOLS_BTPACK_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/btpack/packed.h"

struct member;			/* tools/btpack/members.h */
struct records;			/* tools/btpack/records.h */
struct records_wishes;
struct source;			/* file/source.h */

/* which bytes of a file are packed */
struct bytes_wishes {
	bool gunzip;		/* what it holds gzip'd */
	/* only these of its records; or NULL: all bytes */
	const struct records_wishes *records;
};

struct bytes {
	struct source *source;	/* of what is gzip'd; or NULL */
	bool damaged;		/* the packed file that this is in, reported */
	struct packed_reader packed;	/* of a packed file */
	bool is_packed;
	struct records *records;	/* or NULL */
	const char *text;	/* of a member that has one; or NULL */
	int fd;			/* else, or -1 */
};

/* 0; or -errno; -ENOMEM of a packed file was reported */
int bytes_open(struct bytes *b, const struct member *m,
	       const struct bytes_wishes *w);

/* up to len bytes to buf: their number, 0 at the end; or -errno, -EBADMSG for
 * broken gzip data */
ssize_t bytes_read(struct bytes *b, uint8_t *buf, size_t len);

/* whether damage was reported, of a packed file or of records */
bool bytes_damaged(const struct bytes *b);

void bytes_close(struct bytes *b);

#endif
