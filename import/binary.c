/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a source; see binary.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "import/binary.h"
#include "record/record.h"

enum { BUFFER = 4 * BINARY_MAX };

int binary_open(struct binary *b, struct source *s)
{
	*b = (struct binary){ .source = s, .buf = malloc(BUFFER) };
	return b->buf ? 0 : -ENOMEM;
}

void binary_close(struct binary *b)
{
	free(b->buf);
	b->buf = NULL;
}

/* Reads more behind what is left. */
static int fill(struct binary *b)
{
	ssize_t n;

	memmove(b->buf, b->buf + b->at, b->end - b->at);
	b->end -= b->at;
	b->at = 0;
	n = source_await(b->source, b->buf + b->end, BUFFER - b->end);
	if (n == -EBADMSG || n == -EUCLEAN)
		return -EILSEQ;
	if (n <= 0)
		return n ? (int)n : -ENODATA;
	b->end += (size_t)n;
	return 0;
}

int binary_look(struct binary *b, size_t len, const uint8_t **p)
{
	int err = 0;

	while (!err && b->end - b->at < len)
		err = fill(b);
	*p = b->buf + b->at;
	return err;
}

static void pass(struct binary *b, size_t len)
{
	b->at += len;
	b->offset += len;
}

int binary_take(struct binary *b, size_t len, const uint8_t **p)
{
	int err = binary_look(b, len, p);

	if (!err)
		pass(b, len);
	return err;
}

int binary_skip(struct binary *b, uint64_t len)
{
	int err = 0;

	while (len) {
		size_t have = b->end - b->at;

		if (have > len)
			have = (size_t)len;
		pass(b, have);
		len -= have;
		err = len ? fill(b) : 0;
		if (err)
			return err;
	}
	return 0;
}

int binary_copy(struct binary *b, void *to, size_t len)
{
	uint8_t *out = to;

	while (len) {
		size_t n = len < BINARY_MAX ? len : BINARY_MAX;
		const uint8_t *p;
		int err = binary_take(b, n, &p);

		if (err)
			return err;
		memcpy(out, p, n);
		out += n;
		len -= n;
	}
	return 0;
}

/* Whether it was read already, and is still in the buffer. */
static bool is_near(const struct binary *b, uint64_t offset)
{
	uint64_t begin = b->offset - b->at;

	return b->placed && offset >= begin && offset - begin < b->end;
}

int binary_seek(struct binary *b, uint64_t offset)
{
	int err;

	if (is_near(b, offset)) {
		b->at = (size_t)(offset - (b->offset - b->at));
		b->offset = offset;
		return 0;
	}
	err = offset <= INT64_MAX ? source_seek(b->source, offset) : -ENODATA;
	if (err)
		return err;
	b->placed = true;
	b->at = b->end = 0;
	b->offset = offset;
	return 0;
}

/* --- numbers -------------------------------------------------------------- */

uint16_t binary_u16(const struct binary *b, const uint8_t *p)
{
	uint16_t n = get16(p);

	return b->swapped ? __builtin_bswap16(n) : n;
}

uint32_t binary_u32(const struct binary *b, const uint8_t *p)
{
	uint32_t n = get32(p);

	return b->swapped ? __builtin_bswap32(n) : n;
}

uint64_t binary_u64(const struct binary *b, const uint8_t *p)
{
	uint64_t n = get64(p);

	return b->swapped ? __builtin_bswap64(n) : n;
}
