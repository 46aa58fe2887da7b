/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks on their way to a server, until it has acknowledged them: a queue in
 * memory, and where that is full, its older part in a file.  Where both are full
 * the oldest blocks are dropped.
 *
 * The caller locks.
 */
#ifndef CAPTURE_TO_BACKLOG_H
#define CAPTURE_TO_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct backlog;

struct backlog_options {
	size_t memory;		/* bytes, more than the largest block */
	const char *directory;	/* where the file is, without a name */
	uint64_t size;		/* of the file, in bytes, all reserved */
};

struct backlog_block {
	uint32_t lane;
	uint32_t len;		/* bytes */
	uint64_t offset;	/* of its first byte, in its lane */
	uint64_t records;
};

/* 0 and *b, or -errno: of the file */
int backlog_new(struct backlog **b, const struct backlog_options *o);

/* whether memory has room for a block of len bytes */
bool backlog_has_room(const struct backlog *b, size_t len);

/* appends a block; true: others were dropped for it */
bool backlog_add(struct backlog *b, const struct backlog_block *block,
		 const void *bytes);

/* the oldest block that was not sent; 1 and *block; 0: none; or -errno, of the
 * file; -EIO: the connection must end */
int backlog_peek(struct backlog *b, struct backlog_block *block);

/* its bytes; it counts as sent.  0 or -errno */
int backlog_send(struct backlog *b, const struct backlog_block *block,
		 void *bytes);

/* removes the oldest block that was sent; as backlog_peek() */
int backlog_release(struct backlog *b, struct backlog_block *block);

/* the connection is lost: what was sent is to be sent again */
void backlog_rewind(struct backlog *b);

/*
 * A connection begins; true: blocks that were sent before have been dropped, so
 * that what the server has beyond its acknowledgements cannot be told apart.  If
 * that happens later, the connection must end: see -EIO above.
 */
bool backlog_begin(struct backlog *b);

/* whether the connection must end */
bool backlog_is_torn(const struct backlog *b);

/* gives up the part in the file, after -errno */
void backlog_give_up_file(struct backlog *b);

/* bytes of blocks that were not acknowledged */
uint64_t backlog_waiting(const struct backlog *b);

void backlog_free(struct backlog *b);	/* b may be NULL */

#endif
