/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The packets of a Perfetto trace (TracePacket of its protobuf sources), of
 * those kinds that a timeline of ios needs.
 *
 * A trace is packets, each a field 1.  Field numbers of a packet: 8 timestamp
 * (ns), 10 sequence (always 1), 13 flags (1: words from before are forgotten,
 * 2: words are used), and what it is about:
 *
 *	6 clocks	two clocks at a moment: 1 {1 number, 2 ns}
 *	11 event	9 type (1 begin, 2 end, 4 counter), 11 track, 10 name,
 *			30 counter's value, 47 flows, 4 annotations: 1 name and
 *			4 number or 17 text
 *	12 words	2 event's name, 3 annotation's name, 29 annotation's
 *			text: each {1 number, 2 text}
 *	60 track	1 number, 2 name, 5 parent, 8 counter {3 unit, 6 its
 *			name}, 11 order of children (3: as 12 says), 12 rank, 15
 *			2: never shown as one with others of its name
 *
 * Names and texts are words, known by a number from 1 on.  Packets need not be
 * in the order of time, but of what is at one time on a track the one that is
 * first in the file is first: so ends of slices come before begins, inner ends
 * before outer ones, if they are written in this order.
 *
 * Functions with a buf write whole packets.  The others write at p, where the
 * caller has made room for PACKET_MAX bytes a packet, and return their end.
 */
#ifndef EMIT_PERFETTO_PACKET_H
#define EMIT_PERFETTO_PACKET_H

#include <stdint.h>

#include "base/varint.h"

/* --- protobuf ------------------------------------------------------------- */

/*
 * Protobuf's encoding: a message is fields, each a number with the kind of its
 * value, then the value: a varint, eight bytes, or a length with as many bytes,
 * which may be a message again.
 *
 * Each function writes at p, where the caller has made room, and returns the
 * end of what it wrote.  Fields are below 2,048.
 */

enum {
	PROTOBUF_TAG = 2,	/* bytes of a field's number */
	PROTOBUF_NUMBER = PROTOBUF_TAG + VARINT_BYTES,	/* a field's at most */
	PROTOBUF_LENGTH = 5,	/* of a length below 4 GiB */
	/* what a text or a message may take beside its bytes */
	PROTOBUF_HEAD = PROTOBUF_TAG + PROTOBUF_LENGTH,
};

enum protobuf_kind {
	PROTOBUF_VARINT,
	PROTOBUF_FIXED64,
	PROTOBUF_BYTES
};

static inline uint8_t *protobuf_tag(uint8_t *p, unsigned int field,
				    enum protobuf_kind kind)
{
	return varint_put(p, field << 3 | kind);
}

/* Not negative: those of int64 have ten bytes, as these of uint64. */
static inline uint8_t *protobuf_number(uint8_t *p, unsigned int field,
				       uint64_t v)
{
	return varint_put(protobuf_tag(p, field, PROTOBUF_VARINT), v);
}

static inline uint8_t *protobuf_fixed64(uint8_t *p, unsigned int field,
					uint64_t v)
{
	p = protobuf_tag(p, field, PROTOBUF_FIXED64);
	for (int i = 0; i < 8; i++)
		*p++ = (uint8_t)(v >> 8 * i);
	return p;
}

/* len bytes, below 4 GiB */
uint8_t *protobuf_bytes(uint8_t *p, unsigned int field, const void *bytes,
			uint32_t len);

/* the same of a text with its NUL, which is not written */
uint8_t *protobuf_text(uint8_t *p, unsigned int field, const char *text);

/*
 * A message begins: its fields are written where this returns, and nothing
 * else is before protobuf_close().
 */
static inline uint8_t *protobuf_open(uint8_t *p, unsigned int field)
{
	/* most are below 128 bytes: a length of one byte */
	return protobuf_tag(p, field, PROTOBUF_BYTES) + 1;
}

/* slow path of protobuf_close() */
uint8_t *protobuf_close_long(uint8_t *begin, uint8_t *end);

/*
 * It has ended: begin is what protobuf_open() returned.  Up to
 * PROTOBUF_LENGTH - 1 bytes behind end are needed, as it may have to move.
 */
static inline uint8_t *protobuf_close(uint8_t *begin, uint8_t *end)
{
	if (end - begin >= 0x80)
		return protobuf_close_long(begin, end);
	begin[-1] = (uint8_t)(end - begin);
	return end;
}

/* --- packet --------------------------------------------------------------- */

struct buf;			/* base/buf.h */

enum packet_word {
	PACKET_EVENT = 2,	/* what an event is called */
	PACKET_ANNOTATION = 3,	/* what an annotation is called */
	PACKET_TEXT = 29	/* what an annotation says */
};

enum packet_unit {
	PACKET_NO_COUNTER,
	PACKET_COUNT,
	PACKET_RATE		/* bytes a second */
};

struct packet_track {
	uint64_t number, parent;	/* parent 0: none */
	const char *name;
	enum packet_unit unit;
	uint32_t rank;		/* among the parent's, or those without */
};

enum {
	PACKET_MAX = 96,	/* of a begin, an end, a counter */
	PACKET_NUMBER = 24,	/* of an annotation, a flow */
};

/* the time of day, in ns since 1970, when the trace's time was 0 */
void packet_clock(struct buf *b, int64_t start);

/* words begin: the first that are needed, count texts with numbers from 1 on */
void packet_words(struct buf *b, const char *const *events,
		  uint32_t event_count, const char *const *annotations,
		  uint32_t annotation_count);

/* one more text, len bytes; before the packet that needs it */
void packet_text(struct buf *b, uint32_t number, const char *text,
		 uint32_t len);

void packet_track(struct buf *b, const struct packet_track *t);

uint8_t *packet_begin(uint8_t *p, uint64_t time, uint64_t track,
		      uint32_t name);
uint8_t *packet_end(uint8_t *p, uint64_t time, uint64_t track);
uint8_t *packet_counter(uint8_t *p, uint64_t time, uint64_t track,
			uint64_t value);

/*
 * A begin with more: between both calls, for each of these, PACKET_NUMBER bytes
 * of room are needed.
 */
struct packet_open {
	uint8_t *packet, *event;
};

uint8_t *packet_open(struct packet_open *o, uint8_t *p, uint64_t time,
		     uint64_t track, uint32_t name);
uint8_t *packet_annotate(uint8_t *p, uint32_t name, uint64_t number);
uint8_t *packet_annotate_text(uint8_t *p, uint32_t name, uint32_t text);
uint8_t *packet_flow(uint8_t *p, uint64_t flow);
uint8_t *packet_close(const struct packet_open *o, uint8_t *p);

#endif
