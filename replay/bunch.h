/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes and decodes the replay file, format 1.0.0, which btrecord writes and
 * btreplay reads.
 *
 * A file is a header and bunches; a bunch is a time and the I/Os sent together
 * at that time.  Numbers are in the writing machine's byte order.  See
 * doc/btreplay.5.
 *
 * A file with kinds, which its header marks, distinguishes flushes, discards
 * and other I/Os without data from writes, in 1.3.0's padding.  To 1.3.0 they
 * are writes of 0 bytes, which do no harm.
 *
 * Decoded values are within the bounds below, whatever the file has.
 */
#ifndef REPLAY_BUNCH_H
#define REPLAY_BUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BUNCH_VERSION = 0x010000,
	BUNCH_MAX = 512,	/* packets of a bunch */
	BUNCH_FILE_HEAD = 32,	/* bytes of a file's header */
	BUNCH_HEAD = 16,	/* of a bunch's */
	BUNCH_PACKET = 24,	/* of a packet */
	BUNCH_BYTES = BUNCH_HEAD + BUNCH_MAX * BUNCH_PACKET,
};

/*
 * The header of a file.
 *
 * 1.3.0: does not count the last bunch, and leaves zeros if it is killed, so
 * counts may be too small.
 */
struct bunch_file {
	uint64_t version;
	uint64_t genesis;	/* ns, the time of the first I/O */
	uint64_t bunches, packets;	/* of packets below 2^48 */
	bool kinds;		/* its packets have kinds */
};

/* in files without kinds, all are PACKET_DATA */
enum packet_kind {
	PACKET_DATA,		/* a read or a write */
	PACKET_FLUSH,
	PACKET_DISCARD,
	PACKET_ZEROES,		/* write zeroes */
	/* no I/O: the oldest flushes had completed at this time, their number
	 * is that of the sectors */
	PACKET_FLUSHED,
	PACKET_KINDS
};

struct packet {
	uint64_t sector;	/* 512-byte units */
	uint32_t bytes;
	bool read;		/* else a write, or see kind */
	uint8_t kind;		/* enum packet_kind */
	bool fua, preflush;	/* of writes only */
};

/* the most bytes of an I/O in the kernel: 2 GiB less a page */
#define IO_BYTES_MAX 0x7ffff000u

struct bunch {
	uint64_t time;		/* ns, the recording machine's clock */
	uint32_t count;		/* 1 to BUNCH_MAX */
	struct packet packets[BUNCH_MAX];
};

/* 1.3.0: records a flush as a write of 0 bytes */
static inline bool packet_is_flush(const struct packet *p)
{
	return p->kind == PACKET_FLUSH ||
	       (p->kind == PACKET_DATA && !p->read && !p->bytes);
}

/* Whether the kernel accepts it.  1.3.0: records discards as writes, which may
 * be too long. */
static inline bool packet_is_possible(const struct packet *p)
{
	if (packet_is_flush(p))
		return true;
	return p->sector <= INT64_MAX >> 9 &&
	       (p->kind != PACKET_DATA || p->bytes <= IO_BYTES_MAX);
}

/* whether a file must have kinds for it */
static inline bool packet_has_kind(const struct packet *p)
{
	return p->kind != PACKET_DATA || p->fua || p->preflush;
}

void bunch_file_encode(const struct bunch_file *h,
		       uint8_t raw[BUNCH_FILE_HEAD]);

/* decodes any bytes; the caller checks the version */
void bunch_file_decode(struct bunch_file *h,
		       const uint8_t raw[BUNCH_FILE_HEAD]);

/* bytes of b in a file */
size_t bunch_size(const struct bunch *b);

/* Encodes b to raw, which has room for bunch_size(); returns that.  If a packet
 * has a kind, the header must have kinds set. */
size_t bunch_encode(const struct bunch *b, uint8_t *raw);

/*
 * Decodes the bunch at raw, of which len bytes are read, of a file with kinds
 * or without.  Returns its size; 0: needs more bytes; -1: damaged, *what is a
 * constant phrase, and *at the damage's offset from raw.
 */
int bunch_decode(struct bunch *b, const uint8_t *raw, size_t len, bool kinds,
		 const char **what, size_t *at);

#endif
