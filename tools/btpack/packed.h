/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A packed file: what it holds, and the bytes of one of its members.
 *
 * Reports on standard error what is wrong with it.
 */
#ifndef TOOLS_BTPACK_PACKED_H
#define TOOLS_BTPACK_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pack/list.h"

struct pack_header;		/* pack/format.h */
struct unpacker;		/* pack/unpacker.h */

struct packed {
	char *path;
	int fd;
	uint64_t size;		/* of the file, bytes */
	struct pack_list list;
	bool damaged;		/* something was reported */
};

enum { PACKED_SHOWN = 512 };	/* bytes of a name for a terminal */

/* false: it cannot be read, which was reported */
bool packed_open(struct packed *p, const char *path);

/* reports what pack_list_read() has found */
void packed_report_list(struct packed *p);

/* reports a fault at an offset of the file; lost: bytes passed over, or 0 */
void packed_fault(struct packed *p, uint64_t offset, uint64_t lost,
		  const char *what);

void packed_close(struct packed *p);

/* a member's name, escaped for terminals */
const char *packed_shown(char to[PACKED_SHOWN], const char *name);

/* --- a block -------------------------------------------------------------- */

struct packed_block {
	struct unpacker *unpacker;
	uint8_t *body;
};

/* both, or false: no memory, reported */
bool packed_block_init(struct packed_block *b);
void packed_block_free(struct packed_block *b);

/*
 * Starts unpacking the block at an offset, which has the header *h of head
 * bytes.  false: damaged, *what is a phrase.
 */
bool packed_block_begin(struct packed_block *b, const struct packed *p,
			uint64_t offset, const struct pack_header *h, int head,
			const char **what);

/* --- a member ------------------------------------------------------------- */

/* the time of its first event in ns, by headers; 0: none */
uint64_t packed_first_time(const struct packed *p, const struct pack_member *m);

/* reads the bytes of a member in order; those that are missing are reported */
struct packed_reader {
	struct packed *from;
	const struct pack_member *member;
	struct packed_block block;
	size_t next;		/* place of the next block */
	uint64_t at;		/* bytes of the member so far */
	uint64_t offset;	/* of the current block, */
	uint64_t block_end;	/* whose last byte in the member is before */
	bool inside;		/* a block is started */
};

/* false: no memory, reported */
bool packed_reader_begin(struct packed_reader *r, struct packed *from,
			 const struct pack_member *m);

/* up to len bytes to buf: their number, 0 at the end */
size_t packed_reader_read(struct packed_reader *r, uint8_t *buf, size_t len);

void packed_reader_end(struct packed_reader *r);

#endif
