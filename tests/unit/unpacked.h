/* SPDX-License-Identifier: GPL-2.0-only */
/* What a packed file has, for tests of what writes it. */
#ifndef TESTS_UNIT_UNPACKED_H
#define TESTS_UNIT_UNPACKED_H

#include <fcntl.h>
#include <unistd.h>

#include "make.h"
#include "pack/format.h"
#include "pack/list.h"
#include "pack/unpacker.h"

/* appends what the block at an offset has, which must follow */
static inline void unpack_block(struct unpacker *u, int fd, uint64_t at,
				struct bytes *b)
{
	static uint8_t body[2 * PACK_FRAME];
	uint8_t out[4096];
	struct pack_header h;
	const char *why;
	int head = pack_read_header(fd, at, &h, &why);
	size_t len = pack_block_size(&h) - (size_t)head;
	ssize_t n;

	assert_true(head > 0);
	assert_true(h.at == b->len);
	assert_int_equal(pread(fd, body, len, (off_t)at + head), len);
	assert_int_equal(unpacker_begin(u, &h, body), 0);
	while ((n = unpacker_read(u, out, sizeof(out))) > 0)
		add_bytes(b, out, (size_t)n);
	assert_int_equal(n, 0);
}

/* the bytes of a member, the last time that it came; NULL: there is none.  *l is
 * the file's list, for pack_list_free() */
static inline struct bytes *unpack_member(const char *file, const char *name,
					  struct pack_list *l)
{
	int fd = open(file, O_RDONLY);
	const struct pack_member *m;
	struct unpacker *u = unpacker_new();
	struct bytes *b = NULL;

	assert_true(fd >= 0);
	assert_int_equal(pack_list_read(l, fd, NULL), 0);
	m = pack_list_find(l, name);
	if (m)
		b = bytes_new();
	for (size_t i = 0; m && i < m->count; i++) {
		if (m->aside && !m->places[i].at)
			b->len = 0;
		unpack_block(u, fd, m->places[i].offset, b);
	}
	unpacker_free(u);
	close(fd);
	return b;
}

#endif
