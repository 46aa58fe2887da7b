/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The packets of a Perfetto trace (TracePacket of its protobuf sources) that a
 * timeline of I/Os needs.
 *
 * A trace is packets, each a field 1.  Field numbers of a packet: 8 timestamp
 * (ns), 10 sequence (always 1), 13 flags (1: earlier words are dropped, 2:
 * words are used), and one of:
 *
 *	6 clocks	two clocks at one time: 1 {1 number, 2 ns}
 *	11 event	9 type (1 begin, 2 end, 4 counter), 11 track, 10 name,
 *			30 counter's value, 47 flows, 4 annotations: 1 name and
 *			4 number or 17 text
 *	12 words	2 event's name, 3 annotation's name, 29 annotation's
 *			text: each {1 number, 2 text}
 *	60 track	1 number, 2 name, 5 parent, 8 counter {3 unit, 6 its
 *			name}, 11 order of children (3: by 12), 12 rank, 15
 *			2: never merged with others of its name
 *
 * Names and texts are words, numbered from 1.  Packets need not be in order of
 * time, but those of one time on a track are read in the file's order: ends of
 * slices must precede begins, and inner ends outer ones.
 *
 * Functions with a buf write complete packets.  The others write at p, which
 * has PACKET_MAX bytes of room per packet, and return their end.
 */
#ifndef EMIT_PERFETTO_PACKET_H
#define EMIT_PERFETTO_PACKET_H

#include <stdint.h>

#include "base/varint.h"

/* --- protobuf ------------------------------------------------------------- */

/*
 * Protobuf's encoding.  A message is fields, each a number with the kind of its
 * value, then the value: a varint, eight bytes, or a length and bytes, which
 * may be a nested message.
 *
 * Functions write at p, which has room, and return the end.  Fields are below
 * 2,048.
 */

enum {
	PROTOBUF_TAG = 2,	/* bytes of a field's number */
	PROTOBUF_NUMBER = PROTOBUF_TAG + VARINT_BYTES,	/* of a number field */
	PROTOBUF_LENGTH = 5,	/* of a length below 4 GiB */
	/* of a text or message besides its bytes */
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

/* Encodes int64 as uint64, negative ones in ten bytes. */
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

/* writes a text without its NUL */
uint8_t *protobuf_text(uint8_t *p, unsigned int field, const char *text);

/* Starts a message and returns where its fields start; protobuf_close() must
 * follow them. */
static inline uint8_t *protobuf_open(uint8_t *p, unsigned int field)
{
	/* a length of one byte, as most are below 128 bytes */
	return protobuf_tag(p, field, PROTOBUF_BYTES) + 1;
}

/* slow path of protobuf_close() */
uint8_t *protobuf_close_long(uint8_t *begin, uint8_t *end);

/*
 * Ends a message; begin is from protobuf_open().  It may move by up to
 * PROTOBUF_LENGTH - 1 bytes, for which there must be room after end.
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
	PACKET_EVENT = 2,	/* an event's name */
	PACKET_ANNOTATION = 3,	/* an annotation's name */
	PACKET_TEXT = 29	/* an annotation's text */
};

enum packet_unit {
	PACKET_NO_COUNTER,
	PACKET_COUNT,
	PACKET_RATE		/* bytes per second */
};

struct packet_track {
	uint64_t number, parent;	/* parent 0: none */
	const char *name;
	enum packet_unit unit;
	uint32_t rank;		/* among tracks of its parent, or without one */
};

enum {
	PACKET_MAX = 96,	/* of a begin, an end, a counter */
	PACKET_NUMBER = 24,	/* of an annotation, a flow */
};

/* the trace's start in ns since 1970 */
void packet_clock(struct buf *b, int64_t start);

/* starts the words with names of events and annotations, numbered from 1 */
void packet_words(struct buf *b, const char *const *events,
		  uint32_t event_count, const char *const *annotations,
		  uint32_t annotation_count);

/* adds a text of len bytes, before the packet that needs it */
void packet_text(struct buf *b, uint32_t number, const char *text,
		 uint32_t len);

void packet_track(struct buf *b, const struct packet_track *t);

uint8_t *packet_begin(uint8_t *p, uint64_t time, uint64_t track,
		      uint32_t name);
uint8_t *packet_end(uint8_t *p, uint64_t time, uint64_t track);
uint8_t *packet_counter(uint8_t *p, uint64_t time, uint64_t track,
			uint64_t value);

/*
 * A begin with annotations and flows between packet_open() and packet_close(),
 * which need PACKET_NUMBER bytes of room each.
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
