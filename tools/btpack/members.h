/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that operands name, with the names that they have in a packed
 * file: those that they have in the directory of the trace.  If there are
 * several directories, each name starts with that of its directory.
 */
#ifndef TOOLS_BTPACK_MEMBERS_H
#define TOOLS_BTPACK_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct packed;			/* tools/btpack/packed.h */
struct pack_member;		/* pack/list.h */

struct member {
	char *path;		/* "-": standard input; in a packed file: below
				 * that, as x.btz/sda.blktrace.0 */
	char *name;
	size_t group;		/* its directory */
	bool aside;		/* a file beside the trace, such as its card */
	bool gzip;		/* its bytes are gzip'd */
	uint64_t size;		/* bytes on disk; 0: unknown */
	struct packed *from;	/* the packed file that it is in; or NULL */
	const struct pack_member *in;	/* the same */
};

struct members {
	struct member *list;
	size_t count, size;
	struct packed **packed;	/* those that are open; first those that are
				 * operands, with all in them */
	size_t packed_count, whole;
	char **groups;		/* directories */
	size_t group_count;
};

/*
 * Finds all files of the operands.  gunzip: the names are for what gzip'd files
 * hold.  false: failed, and reported.  Ends the program if there is no memory.
 */
bool members_find(struct members *m, const char *const *operands, size_t count,
		  bool gunzip);

/* an all-zero struct members is fine */
void members_free(struct members *m);

#endif
