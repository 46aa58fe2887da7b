/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The replay file, format 1.0.0: btrecord writes it and btreplay reads it.
 *
 * A file is a header and, until its end, bunches; a bunch is a time and the
 * I/Os that are sent together at that time.  All numbers are in the byte order
 * of the machine that wrote them.  doc/btreplay.5 has the layout.
 *
 * A file with kinds tells flushes, discards and other I/Os without data from
 * writes, in what is padding to 1.3.0.  Its header has a mark, as the padding
 * of other files may be anything.  To 1.3.0 all that moves no data is a write
 * of 0 bytes, which does no harm.
 *
 * A file may have any bytes: what is decoded here is within the bounds below.
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
 * 1.3.0: the last bunch is not counted, and a run that was killed leaves zeros,
 * so the counts are often too small.
 */
struct bunch_file {
	uint64_t version;
	uint64_t genesis;	/* ns, the time of the first I/O */
	uint64_t bunches, packets;	/* of packets below 2^48 */
	bool kinds;		/* its packets have kinds */
};

/* what a packet is, in files with kinds; in others all are PACKET_DATA */
enum packet_kind {
	PACKET_DATA,		/* a read or a write */
	PACKET_FLUSH,
	PACKET_DISCARD,
	PACKET_ZEROES,		/* zeros are written, none are sent */
	/* not an I/O: the oldest flushes had completed at this time, as many
	 * of them as bytes has sectors */
	PACKET_FLUSHED,
	PACKET_KINDS
};

struct packet {
	uint64_t sector;	/* 512-byte units */
	uint32_t bytes;
	bool read;		/* else a write, or what has a kind */
	uint8_t kind;		/* enum packet_kind */
	/* of writes only: they are on the medium when they complete; a flush
	 * goes before them */
	bool fua, preflush;
};

/* bytes that the kernel takes in one I/O, at most: 2 GiB less a page */
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

/*
 * Whether the kernel can do an I/O at all.  A flush has no place.
 *
 * 1.3.0: discards are recorded as writes, and may be longer.
 */
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

/* how many bytes b has in a file */
size_t bunch_size(const struct bunch *b);

/*
 * b to raw, which has room for bunch_size() bytes; returns that.  The header
 * must say so if a packet has a kind.
 */
size_t bunch_encode(const struct bunch *b, uint8_t *raw);

/*
 * Decodes the bunch that begins at raw, of which len bytes are there, of a file
 * with kinds or without.  Returns its size, and *b is good; 0: it needs more
 * bytes; -1: it is damaged, *what is a constant phrase about it, and *at how
 * many bytes after raw the damage is.
 */
int bunch_decode(struct bunch *b, const uint8_t *raw, size_t len, bool kinds,
		 const char **what, size_t *at);

#endif
