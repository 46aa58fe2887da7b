/* SPDX-License-Identifier: GPL-2.0-only */
/* A source's bytes in order, and the numbers in them, in bounded memory. */
#ifndef IMPORT_BINARY_H
#define IMPORT_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source;			/* file/source.h */

enum { BINARY_MAX = 65536 };	/* that can be looked at together */

struct binary {
	struct source *source;
	uint8_t *buf;
	size_t at, end;		/* in it, what was read and not passed */
	uint64_t offset;	/* of buf[at] in the source */
	bool placed;		/* the source has places */
	bool swapped;		/* numbers are of the other byte order */
};

/* 0 or -ENOMEM; the caller closes the source */
int binary_open(struct binary *b, struct source *s);
void binary_close(struct binary *b);

/* All: 0; -ENODATA: the source ends before; -EILSEQ: broken packed data; or
 * another -errno of the source. */

/* *p: the next len bytes, at most BINARY_MAX, valid until the next call; they
 * stay the next ones */
int binary_look(struct binary *b, size_t len, const uint8_t **p);

/* the same, and passes over them */
int binary_take(struct binary *b, size_t len, const uint8_t **p);

int binary_skip(struct binary *b, uint64_t len);

/* copies any number of bytes, and passes over them */
int binary_copy(struct binary *b, void *to, size_t len);

/* continues elsewhere; -ESPIPE: it has no places */
int binary_seek(struct binary *b, uint64_t offset);

/* numbers at p, in the byte order of b */
uint16_t binary_u16(const struct binary *b, const uint8_t *p);
uint32_t binary_u32(const struct binary *b, const uint8_t *p);
uint64_t binary_u64(const struct binary *b, const uint8_t *p);

#endif
