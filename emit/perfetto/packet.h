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
