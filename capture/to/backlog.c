/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks that are not acknowledged; see backlog.h.
 *
 * Each byte of the queue has a position, which only grows: from front to next is
 * what was sent, to end what was not.  Bytes below spilled are in the file, the
 * others in memory, both rings by position.  Blocks are never in both.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "capture/to/backlog.h"

enum { HEAD = sizeof(struct backlog_block), GONE_FIRST = 64 };

struct backlog {
	uint8_t *memory;
	uint64_t memory_size;
	int fd;			/* -1: the file was given up */
	uint64_t file_size;
	uint64_t front, next, spilled, end;
	uint64_t sent;		/* below it blocks have been sent once */
	/* blocks that were sent and then dropped: they may arrive all the same.
	 * The first gone_first of them have */
	struct backlog_block *gone;
	size_t gone_first, gone_count, gone_size;
	bool torn;		/* blocks that were sent are no longer known */
};

/* --- bytes ---------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Of len bytes from a position on, those before the end of a ring of that
 * size. */
static size_t piece(uint64_t position, uint64_t size, size_t len)
{
	return (size_t)smaller(size - position % size, len);
}

static int read_file(const struct backlog *b, uint64_t at, uint8_t *to,
		     size_t len)
{
	while (len) {
		size_t n = piece(at, b->file_size, len);
		ssize_t got = pread(b->fd, to, n, (off_t)(at % b->file_size));

		if (got <= 0 && errno != EINTR)
			return got ? -errno : -EIO;
		if (got <= 0)
			continue;
		at += (uint64_t)got;
		to += got;
		len -= (size_t)got;
	}
	return 0;
}

static int write_file(const struct backlog *b, uint64_t at, const uint8_t *from,
		      size_t len)
{
	while (len) {
		size_t n = piece(at, b->file_size, len);
		ssize_t put = pwrite(b->fd, from, n,
				     (off_t)(at % b->file_size));

		if (put < 0 && errno != EINTR)
			return -errno;
		if (put < 0)
			continue;
		at += (uint64_t)put;
		from += put;
		len -= (size_t)put;
	}
	return 0;
}

static void read_memory(const struct backlog *b, uint64_t at, uint8_t *to,
			size_t len)
{
	size_t n = piece(at, b->memory_size, len);

	memcpy(to, b->memory + at % b->memory_size, n);
	memcpy(to + n, b->memory, len - n);
}

static void write_memory(struct backlog *b, uint64_t at, const void *bytes,
			 size_t len)
{
	size_t n = piece(at, b->memory_size, len);

	memcpy(b->memory + at % b->memory_size, bytes, n);
	memcpy(b->memory, (const uint8_t *)bytes + n, len - n);
}

/* No block is in both. */
static int read_at(const struct backlog *b, uint64_t at, void *to, size_t len)
{
	if (at < b->spilled)
		return read_file(b, at, to, len);
	read_memory(b, at, to, len);
	return 0;
}

/* --- room ----------------------------------------------------------------- */

void backlog_give_up_file(struct backlog *b)
{
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
	b->torn |= b->front < b->sent;
	b->front = b->spilled;
	if (b->next < b->front)
		b->next = b->front;
}

/* 0 or -ENOMEM: its acknowledgement would be taken for another's. */
static int keep_gone(struct backlog *b, const struct backlog_block *block)
{
	struct backlog_block *list =
		array_reserve(b->gone, b->gone_count, &b->gone_size,
			      GONE_FIRST, sizeof(*list));

	if (!list)
		return -ENOMEM;
	b->gone = list;
	list[b->gone_count++] = *block;
	return 0;
}

/* 0 or -errno. */
static int drop_oldest(struct backlog *b)
{
	struct backlog_block block;
	int err = read_at(b, b->front, &block, HEAD);

	if (!err && b->front < b->next)
		err = keep_gone(b, &block);
	if (err)
		return err;
	b->torn |= b->next <= b->front && b->front < b->sent;
	b->front += HEAD + block.len;
	if (b->next < b->front)
		b->next = b->front;
	if (b->spilled < b->front)
		b->spilled = b->front;
	return 0;
}

/* The end of the oldest blocks in memory that are at least this long together. */
static uint64_t end_of_oldest(const struct backlog *b, uint64_t bytes)
{
	uint64_t at = b->spilled;

	while (at - b->spilled < bytes && at < b->end) {
		struct backlog_block block;

		read_memory(b, at, (uint8_t *)&block, HEAD);
		at += HEAD + block.len;
	}
	return at;
}

/* Moves the oldest blocks in memory, at least so long together, to the file; true:
 * others were dropped for them. */
static bool spill(struct backlog *b, uint64_t bytes)
{
	uint64_t until = end_of_oldest(b, bytes);
	bool dropped = false;
	int err = 0;

	while (!err && b->front < b->spilled &&
	       until - b->front > b->file_size) {
		err = drop_oldest(b);
		dropped = true;
	}
	while (!err && b->spilled < until) {
		size_t n = piece(b->spilled, b->memory_size,
				 (size_t)(until - b->spilled));

		err = write_file(b, b->spilled,
				 b->memory + b->spilled % b->memory_size, n);
		b->spilled += n;
	}
	if (!err)
		return dropped;
	b->spilled = until;
	backlog_give_up_file(b);
	return true;
}

bool backlog_has_room(const struct backlog *b, size_t len)
{
	return b->end + HEAD + len - b->spilled <= b->memory_size;
}

bool backlog_add(struct backlog *b, const struct backlog_block *block,
		 const void *bytes)
{
	uint64_t len = HEAD + block->len;
	bool dropped = false;

	while (!backlog_has_room(b, block->len)) {
		uint64_t quarter = b->memory_size / 4;

		if (b->fd >= 0) {
			dropped |= spill(b, len > quarter ? len : quarter);
			continue;
		}
		dropped = true;
		/* no memory for what was sent */
		if (drop_oldest(b)) {
			b->torn = true;
			b->front = b->next = b->spilled = b->end;
		}
	}
	write_memory(b, b->end, block, HEAD);
	write_memory(b, b->end + HEAD, bytes, block->len);
	b->end += len;
	return dropped;
}

/* --- sending -------------------------------------------------------------- */

int backlog_peek(struct backlog *b, struct backlog_block *block)
{
	int err = b->torn ? -EIO : 0;

	if (!err && b->next < b->end)
		err = read_at(b, b->next, block, HEAD);
	return err ? err : b->next < b->end;
}

int backlog_send(struct backlog *b, const struct backlog_block *block,
		 void *bytes)
{
	int err = read_at(b, b->next + HEAD, bytes, block->len);

	if (err)
		return err;
	b->next += HEAD + block->len;
	if (b->sent < b->next)
		b->sent = b->next;
	return 0;
}

int backlog_release(struct backlog *b, struct backlog_block *block)
{
	int err = b->torn ? -EIO : 0;

	if (err)
		return err;
	if (b->gone_first < b->gone_count) {
		*block = b->gone[b->gone_first++];
		if (b->gone_first == b->gone_count)
			b->gone_first = b->gone_count = 0;
		return 1;
	}
	if (b->front == b->next)
		return 0;
	err = read_at(b, b->front, block, HEAD);
	if (err)
		return err;
	b->front += HEAD + block->len;
	if (b->spilled < b->front)
		b->spilled = b->front;
	return 1;
}

void backlog_rewind(struct backlog *b)
{
	b->next = b->front;
	b->torn |= b->gone_count > 0;
	b->gone_first = b->gone_count = 0;
}

bool backlog_begin(struct backlog *b)
{
	bool torn = b->torn;

	if (torn)
		b->sent = b->front;
	b->torn = false;
	return torn;
}

uint64_t backlog_waiting(const struct backlog *b)
{
	return b->end - b->front;
}

bool backlog_is_torn(const struct backlog *b)
{
	return b->torn;
}

/* --- begin and end -------------------------------------------------------- */

/* A file without a name, which ends with the process; a descriptor or -errno. */
static int open_file(const char *directory)
{
	char *name;
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	/* not all file systems have those */
	if (fd >= 0 || errno != EOPNOTSUPP)
		return fd < 0 ? -errno : fd;
	if (asprintf(&name, "%s/.blktrace-spool-XXXXXX", directory) < 0)
		return -ENOMEM;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		unlink(name);
	free(name);
	return fd;
}

/* 0 or -errno; some file systems cannot reserve. */
static int reserve(int fd, uint64_t size)
{
	if (!fallocate(fd, 0, 0, (off_t)size) || errno == EOPNOTSUPP)
		return 0;
	return -errno;
}

int backlog_new(struct backlog **out, const struct backlog_options *o)
{
	struct backlog *b = calloc(1, sizeof(*b));
	int err = 0;

	if (!b)
		return -ENOMEM;
	b->memory_size = o->memory;
	b->file_size = o->size;
	b->fd = open_file(o->directory);
	if (b->fd < 0)
		err = b->fd;
	if (!err)
		err = reserve(b->fd, o->size);
	if (!err) {
		b->memory = malloc(o->memory);
		err = b->memory ? 0 : -ENOMEM;
	}
	if (err)
		backlog_free(b);
	else
		*out = b;
	return err;
}

void backlog_free(struct backlog *b)
{
	if (!b)
		return;
	if (b->fd >= 0)
		close(b->fd);
	free(b->memory);
	free(b->gone);
	free(b);
}
