/* SPDX-License-Identifier: GPL-2.0-only */
/* Walking over blocks; see packed_walk.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "pack/format.h"
#include "pack/list.h"
#include "pack/unpacker.h"
#include "server/packed_walk.h"

enum { SEARCH = 4096 };		/* bytes that are searched at once */

/* 1: the frames of the block at w->at can be unpacked; 0: they cannot; or
 * -errno. */
static int check_frames(const struct packed_walk *w,
			const struct pack_header *h)
{
	size_t head = PACK_FIXED + (size_t)h->name_len;
	size_t len = pack_block_size(h) - head;
	uint8_t *body = malloc(len + 1);
	ssize_t n;
	int err;

	if (!body)
		return -ENOMEM;
	n = pread(w->fd, body, len, (off_t)(w->at + head));
	err = n < 0 ? -errno : (size_t)n < len ? -EBADMSG :
	      unpacker_begin(w->unpacker, h, body);
	free(body);
	return err == -EBADMSG ? 0 : err ? err : 1;
}

/* 1 and *h: a whole block is at w->at; 0: none; or -errno. */
static int look(const struct packed_walk *w, struct pack_header *h)
{
	const char *why;
	int n = pack_read_header(w->fd, w->at, h, &why);

	if (n <= 0)
		return n == -EBADMSG ? 0 : n;
	if (pack_block_size(h) > w->to - w->at)
		return 0;
	return w->at < w->check || h->kind == PACK_END ? 1 :
							 check_frames(w, h);
}

/* Sets w->at to the next place that looks like a block, or to the end. */
static int search(struct packed_walk *w)
{
	uint8_t buf[SEARCH];

	w->at++;
	while (w->at < w->to) {
		ssize_t n = pread(w->fd, buf, sizeof(buf), (off_t)w->at);
		const uint8_t *found;

		if (n < 0)
			return -errno;
		found = pack_find(buf, buf + n);
		w->at += (uint64_t)(found - buf);
		if (found < buf + n)
			return 0;
		if (!n)
			w->at = w->to;
	}
	return 0;
}

int packed_walk(struct packed_walk *w)
{
	int err = 0;

	w->end = w->at;
	while (!err && w->at < w->to) {
		struct pack_header h;
		int found = look(w, &h);

		if (found < 0)
			return found;
		if (!found) {
			err = search(w);
			continue;
		}
		err = w->block(w->ctx, &h, w->at);
		w->at += pack_block_size(&h);
		w->end = w->at;
	}
	return err;
}
