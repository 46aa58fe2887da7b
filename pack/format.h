/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A block of a packed trace: its header, and the bounds of what follows it.
 *
 * Format: doc/blktrace-pack.5.  All numbers are little-endian.
 */
#ifndef PACK_FORMAT_H
#define PACK_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* the first bytes of a block; like PNG's they show damage by a transfer as
 * text */
#define PACK_MAGIC "\x89" "btz\r\n\x1a\n"

enum {
	PACK_MAGIC_LEN = 8,
	PACK_VERSION = 1,
	PACK_FIXED = 96,	/* bytes of a header without its name */
	PACK_NAME_MAX = 1024,	/* bytes of a name, without a NUL */
	PACK_HEADER_MAX = PACK_FIXED + PACK_NAME_MAX,
	PACK_EVENTS = 16384,	/* a block ends at each multiple of these
				 * events of its stream; a power of two */
	PACK_KINDS = 1024,	/* different heads of records */
	PACK_LANES = 256,	/* devices and CPUs */
	PACK_NOTES = 1024,
	PACK_NOTE_LEN = 512,	/* bytes of a note */
	PACK_RECENT = 64,	/* sectors that a position refers to */
	PACK_COLUMNS = 720 * 1024,	/* bytes of all columns */
	PACK_BYTES = 128 * 1024,	/* bytes in a block of bytes, or in the
				 * table and records of notes */
	PACK_FRAME = PACK_COLUMNS + 8192,	/* bytes of a frame; of notes */
	PACK_NOTES_FRAME = PACK_BYTES + 8192,
	PACK_ALL_CPUS = -1,
};

enum pack_kind {
	PACK_RECORDS = 1,
	PACK_AS_IS = 2,		/* bytes that are no records */
	PACK_INDEX = 3,		/* at: of the index block before it in the file,
				 * or 0; number: entries before */
	PACK_END = 4,		/* the last block; at: of the last index block,
				 * or 0; number: entries */
};

enum pack_flags {
	PACK_PLAIN = 1,		/* all records are of version 7 or 8, in one
				 * byte order, */
	PACK_BIG_ENDIAN = 2,	/* which is this one */
	PACK_ASIDE = 4,		/* of a file beside the trace, as its card */
};

struct pack_header {
	uint8_t kind;		/* enum pack_kind */
	uint16_t flags;		/* enum pack_flags */
	uint32_t stream;	/* number of the file in its packed trace */
	int32_t cpu;		/* of all records, or PACK_ALL_CPUS */
	uint64_t at;		/* the block's first byte in its stream */
	uint64_t number;	/* events of the stream before it */
	uint64_t least, most;	/* times of its events, ns; without events
				 * UINT64_MAX and 0 */
	uint32_t sequence;	/* of the first event */
	uint32_t len;		/* bytes, unpacked */
	uint32_t events, notes;	/* records; notes but no messages */
	uint32_t notes_len, notes_packed;	/* bytes: the notes' table and
						 * records, and their frame */
	uint32_t columns_len, columns_packed;	/* the same of the columns */
	uint16_t name_len;
	char name[PACK_NAME_MAX + 1];	/* of the file, with / between parts */
};

/* bytes of the block that *h describes, header included */
size_t pack_block_size(const struct pack_header *h);

/* Writes the header to out, with room for PACK_HEADER_MAX; returns its bytes. */
size_t pack_header_put(const struct pack_header *h, uint8_t *out);

/*
 * The header at p: its bytes and *h; 0: needs more than len bytes; -EBADMSG: it
 * is none, or exceeds a bound, and *why is a phrase.
 */
int pack_header_get(struct pack_header *h, const uint8_t *p, size_t len,
		    const char **why);

/* whether the len bytes at p, fewer than a magic, may be the start of one */
bool pack_may_be(const uint8_t *p, size_t len);

/* The first place from p on, before end, where a block may begin, or where its
 * magic is cut off; or end. */
const uint8_t *pack_find(const uint8_t *p, const uint8_t *end);

/* whether len bytes at p begin a block, by its magic */
bool pack_is(const uint8_t *p, size_t len);

#endif
