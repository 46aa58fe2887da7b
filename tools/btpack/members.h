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

#include "file/location.h"

struct file_entry;		/* file/files.h */
struct files;
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
	/* of MEMBERS_RECORDS: */
	const struct file_entry *entry;	/* a device's; or NULL */
	const struct location *at;	/* of which this is the card; or NULL */
	char *text;		/* the bytes, to be set of a card; or NULL */
};

enum members_how {
	MEMBERS_FILES,		/* as they are */
	MEMBERS_HELD,		/* what they hold gzip'd */
	MEMBERS_RECORDS,	/* traces: a file for each CPU of each device,
				 * whatever segments and packed files it is in,
				 * and its card */
};

struct members {
	struct member *list;
	size_t count, size;
	struct packed **packed;	/* those that are open; first those that are
				 * operands, with all in them */
	size_t packed_count, whole;
	char **groups;		/* directories */
	size_t group_count;
	/* of MEMBERS_RECORDS: */
	struct locations locations;	/* with cards */
	struct files *files;	/* of each device */
	size_t file_count;
};

/* Finds all files of the operands.  false: failed, and reported.  Ends the
 * program if there is no memory. */
bool members_find(struct members *m, const char *const *operands, size_t count,
		  enum members_how how);

/* an all-zero struct members is fine */
void members_free(struct members *m);

#endif
