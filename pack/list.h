/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists the files in a packed file, and where their blocks are: by its index,
 * or if that is missing or wrong by the headers of the blocks.
 */
#ifndef PACK_LIST_H
#define PACK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct pack_header;		/* pack/format.h */

struct pack_place {
	uint64_t offset;	/* of the block in the packed file */
	uint64_t at;		/* its first byte in the unpacked one */
};

struct pack_member {
	char *name;		/* with / between parts */
	bool aside;		/* a file beside the trace, as its card; where
				 * it comes again, only the last counts */
	bool empty;		/* it has no bytes */
	struct pack_place *places;	/* of its blocks, in file order */
	size_t count, size;
};

/* what is wrong with the packed file */
struct pack_damage {
	uint64_t at, lost;	/* its offset; bytes that are no block */
	const char *what;	/* a phrase */
};

struct pack_list {
	struct pack_member *members;	/* as they come first in the file */
	size_t count, size;
	struct hash by_stream;	/* members by stream */
	struct pack_damage *damages;
	size_t damage_count, damage_size;
	bool indexed;
	uint64_t end;		/* offset after the last block, if by headers */
};

/*
 * Lists the packed file at fd, a regular one.  only, or NULL: the member whose
 * places are wanted; others have none.  0; -ENODATA: no packed file;
 * -EOPNOTSUPP: built without libzstd; or -errno.
 */
int pack_list_read(struct pack_list *l, int fd, const char *only);

/* the member of this name, or NULL */
struct pack_member *pack_list_find(const struct pack_list *l, const char *name);

/* an all-zero struct pack_list is fine */
void pack_list_free(struct pack_list *l);

/*
 * Reads the header of the block at an offset of fd.  The bytes of the header, or
 * 0: the file ends before; -EBADMSG and *why; or -errno.
 */
int pack_read_header(int fd, uint64_t offset, struct pack_header *h,
		     const char **why);

#endif
