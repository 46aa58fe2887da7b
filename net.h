/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire formats of a capture over TCP, both in doc/blktrace-net.5: 1.3.0's,
 * headers of 64 bytes in the sender's byte order and trace bytes after data
 * headers; and the acknowledged protocol, frames of 24 bytes, little-endian,
 * each followed by its content.
 */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NET_PORT "8462"

/* --- 1.3.0's protocol ----------------------------------------------------- */

enum {
	NET_HEADER = 64,
	NET_NAME = 32,		/* with its NUL */
	NET_PREFIX = 36,	/* magic and name: the same in a whole flow */
};

/* by a header's len */
enum net_kind {
	NET_OPEN,
	NET_CLOSE,
	NET_ANSWER,
	NET_DATA,		/* this length or a larger one follows */
};

/*
 * As cpu: the data is a device's card, not records.  Only inside TLS, which
 * 1.3.0 does not have; each block is a whole card, and replaces the last one.
 */
#define NET_CPU_CARD 0xfffffffeu
#define NET_CARD_MAX (1u << 20)

/* 1.3.0: lengths are an int */
#define NET_DATA_MAX 0x7fffffffu

/* net_decode()'s result if net_name_valid() is false */
#define NET_BAD_NAME "bad device name"

struct net_header {
	char name[NET_NAME];	/* the kernel's name of the device */
	uint32_t cpu;		/* in a close: dropped events */
	uint32_t max_cpus;	/* the sender's CPU numbers are below */
	uint32_t len;		/* one of enum net_kind, or bytes of data */
	uint32_t run;		/* the sender's pid, on all connections */
	uint32_t buf_size;	/* the sender's -b, in bytes */
	uint32_t buf_nr;	/* and -n */
	uint32_t page_size;
};

void net_encode(const struct net_header *h, uint8_t raw[NET_HEADER]);

/*
 * NULL: *h is valid.  Else a constant phrase such as "bad magic", and *h must
 * not be used; but with NET_BAD_NAME, name is set, maybe without a NUL.
 */
const char *net_decode(struct net_header *h, const uint8_t raw[NET_HEADER]);

/* whether name can be part of a file name */
bool net_name_valid(const char *name);

/* whether it is also safe in scripts; the kernel's names are */
bool net_name_harmless(const char *name);

static inline enum net_kind net_kind(const struct net_header *h)
{
	return h->len < NET_DATA ? (enum net_kind)h->len : NET_DATA;
}

/*
 * How many of left bytes, 3 or more, to send after one header, at most max, 8
 * or more.  Never leaves 1 or 2, which would be a close or an answer.
 */
size_t net_chunk(size_t left, size_t max);

/* --- the acknowledged protocol -------------------------------------------- */

enum {
	FRAME = 24,		/* bytes, before the content */
	FRAME_VERSION = 1,
	FRAME_TOKEN = 16,	/* bytes that name a run, drawn at random */
	FRAME_TEXT = 256,	/* content of a refusal, at most */
	/* bytes of the content of other frames */
	FRAME_HELLO = FRAME_TOKEN + 4,
	FRAME_LANE = NET_NAME + 16,
	FRAME_TOTALS = 32,
	/* records of a block, if they are more than one */
	FRAME_BLOCK = 256 << 10,
	/* records of a packed block; and how often their bytes may exceed its
	 * own, as unpacking takes time */
	FRAME_PACKED_MAX = 1 << 20,
	FRAME_PACKED_RATIO = 64,
	/* extra of the client's first frame, lane of the welcome: packed blocks
	 * may come, and the server takes them */
	FRAME_TAKES_PACKED = 1,
};

/* first byte of the first frame; a header of 1.3.0's protocol has another */
#define FRAME_FIRST 'B'

enum frame_kind {
	/* the client's, in this order */
	FRAME_BEGIN,		/* lane: the version; extra: whether packed
				 * blocks may come; content: hello */
	FRAME_OPEN,		/* lane, from 0; offset; extra: whether the file must
				 * end with what was acknowledged; content: lane */
	FRAME_START,		/* lane: their number */
	FRAME_DATA,		/* lane, offset; content: the rest of a block of
				 * whole records, or a card */
	FRAME_PACKED,		/* the same; extra: bytes of the records; content:
				 * these as blocks of pack/format.h */
	FRAME_CLOSE,		/* lane; extra: dropped events; content: totals */
	FRAME_END,
	/* the server's */
	FRAME_HAVE,		/* lane; offset: bytes that are stored beyond those
				 * that were acknowledged; or with extra 1 that are
				 * missing of these */
	FRAME_WELCOME,		/* extra: whether the run has ended; lane:
				 * whether it takes packed blocks, to a client
				 * that may send some */
	FRAME_ACK,		/* offset: blocks of this connection, so far */
	FRAME_BYE,		/* all is stored, and the run has ended */
	FRAME_REFUSAL,		/* content: why, as text */
	FRAME_KINDS,
};

struct frame {
	enum frame_kind kind;
	uint32_t lane;
	uint64_t offset;	/* in the lane, lost bytes included */
	uint32_t len;		/* of the content */
	uint32_t extra;		/* 0 if it has no meaning */
};

void frame_encode(const struct frame *f, uint8_t raw[FRAME]);

/* false: it is none, and *f is undefined */
bool frame_decode(struct frame *f, const uint8_t raw[FRAME]);

/* content of FRAME_BEGIN */
struct frame_hello {
	uint8_t token[FRAME_TOKEN];
	uint32_t run;		/* the sender's pid */
};

void frame_hello_encode(const struct frame_hello *h, uint8_t raw[FRAME_HELLO]);
void frame_hello_decode(struct frame_hello *h, const uint8_t raw[FRAME_HELLO]);

/* content of FRAME_OPEN; of h name, cpu and max_cpus */
void frame_lane_encode(const struct net_header *h, uint64_t stored,
		       uint8_t raw[FRAME_LANE]);

/* stored: bytes that were acknowledged; NULL, or what is wrong, as from
 * net_decode() */
const char *frame_lane_decode(struct net_header *h, uint64_t *stored,
			      const uint8_t raw[FRAME_LANE]);

/* content of FRAME_CLOSE: what the sender has recorded, and of that what did
 * not find room while the server was away */
struct frame_totals {
	uint64_t records, bytes;
	uint64_t lost_records, lost_bytes;
};

void frame_totals_encode(const struct frame_totals *t,
			 uint8_t raw[FRAME_TOTALS]);
void frame_totals_decode(struct frame_totals *t,
			 const uint8_t raw[FRAME_TOTALS]);

#endif
