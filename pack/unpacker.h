/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpacks blocks (pack/format.h): the bytes that were packed. */
#ifndef PACK_UNPACKER_H
#define PACK_UNPACKER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pack_header;		/* pack/format.h */
struct unpacker;

/* NULL: no memory, or built without libzstd (pack/frame.h) */
struct unpacker *unpacker_new(void);

/*
 * Starts the block of this header, whose frames are at body, as many bytes as
 * it says; they need not stay.  0; -ENOMEM; -EBADMSG: it is damaged.
 */
int unpacker_begin(struct unpacker *u, const struct pack_header *h,
		   const uint8_t *body);

/*
 * Up to len bytes of the block to buf: their number; 0: the end; -EBADMSG: the
 * rest contradicts itself, which only a made block does.
 */
ssize_t unpacker_read(struct unpacker *u, uint8_t *buf, size_t len);

/* Passes over n bytes, or to the end.  0 or -EBADMSG. */
int unpacker_pass(struct unpacker *u, uint64_t n);

/* a note of a block, by itself */
struct unpacked_note {
	uint32_t events;	/* of the block, before it */
	uint32_t at;		/* its first byte in the block */
	uint64_t after;		/* the latest time of its stream before the
				 * 512 events that it is among, ns */
	const uint8_t *bytes;	/* the record; valid until the next call of
				 * another function */
	size_t len;
};

/* Starts the notes of a block alone, whose frame is at frame.  As
 * unpacker_begin(). */
int unpacker_notes(struct unpacker *u, const struct pack_header *h,
		   const uint8_t *frame);

/* 1 and the next of them; 0: the end; -EBADMSG */
int unpacker_note(struct unpacker *u, struct unpacked_note *n);

/* NULL is fine */
void unpacker_free(struct unpacker *u);

#endif
