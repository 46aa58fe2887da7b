/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packs the bytes of one file of a trace into blocks (pack/format.h).
 *
 * Records of any version and byte order become columns; what is no record is
 * packed as it is.  Unpacked, the bytes are the same.  A block holds whole
 * records.
 */
#ifndef PACK_PACKER_H
#define PACK_PACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pack_header;		/* pack/format.h */
struct packer;

enum { PACKER_LOOK = 1 << 20 };	/* bytes that it may need at once */

struct packer_options {
	const char *name;	/* at most PACK_NAME_MAX bytes; copied */
	uint32_t stream;	/* number of the file in its packed trace */
	bool aside;		/* a file beside the trace: all as it is */
	/* takes a block, header included, valid until it returns; 0 or -errno,
	 * which the packer's function returns */
	int (*put)(void *ctx, const struct pack_header *h, const uint8_t *block,
		   size_t len);
	void *ctx;
};

/* NULL: no memory, or built without libzstd (pack/frame.h) */
struct packer *packer_new(const struct packer_options *o);

/*
 * Packs bytes, which follow those before; blocks are put when they are full.
 * Returns how many it has taken: all if these are whole records or ended is
 * set; at least 1 of PACKER_LOOK bytes.  Offer the others again, with more.  Or
 * -errno.
 */
ssize_t packer_add(struct packer *p, const void *bytes, size_t len, bool ended);

/* Puts the records gathered so far as a block, if any.  0 or -errno. */
int packer_flush(struct packer *p);

/* Puts an empty block if there was none, so that the file is known.  0 or
 * -errno. */
int packer_end(struct packer *p);

/* whether records are gathered that no block has */
bool packer_waits(const struct packer *p);

/* bytes taken so far */
uint64_t packer_taken(const struct packer *p);

/* what the blocks of a file so far mean for its next one; all zero: none */
struct packer_past {
	uint64_t taken;		/* bytes */
	uint64_t number;	/* events */
	uint64_t latest;	/* the last time of its events, ns; */
	uint64_t after;		/* before the last multiple of 512 */
	bool known;		/* there are blocks */
};

/* the past of the file after packer_flush() */
struct packer_past packer_past(const struct packer *p);

/*
 * Packs another file from now on, after the blocks of its past; what was not
 * put of the last one is dropped.  So one packer can serve many files.
 */
void packer_turn(struct packer *p, const struct packer_options *o,
		 const struct packer_past *past);

/* drops what was not put; NULL is fine */
void packer_free(struct packer *p);

#endif
