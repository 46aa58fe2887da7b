/* SPDX-License-Identifier: GPL-2.0-only */
/* The packets of a Perfetto trace; fields: packet.h. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/hint.h"
#include "base/varint.h"
#include "emit/perfetto/packet.h"

/* --- protobuf ------------------------------------------------------------- */

uint8_t *protobuf_bytes(uint8_t *p, unsigned int field, const void *bytes,
			uint32_t len)
{
	p = varint_put(protobuf_tag(p, field, PROTOBUF_BYTES), len);
	memcpy(p, bytes, len);
	return p + len;
}

uint8_t *protobuf_text(uint8_t *p, unsigned int field, const char *text)
{
	return protobuf_bytes(p, field, text, (uint32_t)strlen(text));
}

/* The length takes more than the one byte reserved. */
COLD uint8_t *protobuf_close_long(uint8_t *begin, uint8_t *end)
{
	uint8_t length[VARINT_BYTES];
	size_t len = (size_t)(end - begin);
	size_t more = (size_t)(varint_put(length, len) - length) - 1;

	memmove(begin + more, begin, len);
	memcpy(begin - 1, length, more + 1);
	return end + more;
}

/* --- packet --------------------------------------------------------------- */

enum {
	PACKET = 1,
	TIME = 8, SEQUENCE = 10, FLAGS = 13,
	CLOCKS = 6, EVENT = 11, WORDS = 12, TRACK = 60,
};

enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME = 10,
       EVENT_TRACK = 11, EVENT_VALUE = 30, EVENT_FLOW = 47 };

enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_COUNTER = 4 };

enum { WORDS_BEGIN = 1, WORDS_USED = 2 };

enum { CLOCK_REALTIME = 1, CLOCK_BOOTTIME = 6 };

enum { UNIT_COUNT = 2, MERGE_NONE = 2, ORDER_BY_RANK = 3 };

/* of a packet about a track or a word, without its text */
enum { ROOM = 128 };

/* --- clock, words, tracks ------------------------------------------------- */

static uint8_t *put_clock(uint8_t *p, uint64_t clock, uint64_t ns)
{
	uint8_t *begin = protobuf_open(p, 1);

	return protobuf_close(begin, protobuf_number(protobuf_number(begin, 1,
						     clock), 2, ns));
}

void packet_clock(struct buf *b, int64_t start)
{
	uint8_t *p = (uint8_t *)buf_room(b, ROOM), *packet, *clocks;

	if (!p)
		return;
	packet = protobuf_open(p, PACKET);
	clocks = protobuf_open(protobuf_number(packet, TIME, 0), CLOCKS);
	p = put_clock(clocks, CLOCK_BOOTTIME, 0);
	p = put_clock(p, CLOCK_REALTIME, (uint64_t)start);
	p = protobuf_number(protobuf_close(clocks, p), SEQUENCE, 1);
	buf_commit(b, (char *)protobuf_close(packet, p));
}

static uint8_t *put_word(uint8_t *p, enum packet_word kind, uint32_t number,
			 const char *text, uint32_t len)
{
	uint8_t *begin = protobuf_open(p, kind);

	p = protobuf_number(begin, 1, number);
	return protobuf_close(begin, protobuf_bytes(p, 2, text, len));
}

static uint8_t *put_words(uint8_t *p, enum packet_word kind,
			  const char *const *texts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		p = put_word(p, kind, i + 1, texts[i],
			     (uint32_t)strlen(texts[i]));
	return p;
}

static size_t room_of(const char *const *texts, uint32_t count)
{
	size_t room = 0;

	for (uint32_t i = 0; i < count; i++)
		room += strlen(texts[i]) + ROOM;
	return room;
}

void packet_words(struct buf *b, const char *const *events,
		  uint32_t event_count, const char *const *annotations,
		  uint32_t annotation_count)
{
	size_t room = room_of(events, event_count) +
		      room_of(annotations, annotation_count);
	uint8_t *p = (uint8_t *)buf_room(b, room + ROOM), *packet, *words;

	if (!p)
		return;
	packet = protobuf_open(p, PACKET);
	words = protobuf_open(protobuf_number(packet, SEQUENCE, 1), WORDS);
	p = put_words(words, PACKET_EVENT, events, event_count);
	p = put_words(p, PACKET_ANNOTATION, annotations, annotation_count);
	p = protobuf_number(protobuf_close(words, p), FLAGS,
			    WORDS_BEGIN | WORDS_USED);
	buf_commit(b, (char *)protobuf_close(packet, p));
}

void packet_text(struct buf *b, uint32_t number, const char *text,
		 uint32_t len)
{
	uint8_t *p = (uint8_t *)buf_room(b, (size_t)len + ROOM);
	uint8_t *packet, *words;

	if (!p)
		return;
	packet = protobuf_open(p, PACKET);
	words = protobuf_open(protobuf_number(packet, SEQUENCE, 1), WORDS);
	p = put_word(words, PACKET_TEXT, number, text, len);
	p = protobuf_number(protobuf_close(words, p), FLAGS, WORDS_USED);
	buf_commit(b, (char *)protobuf_close(packet, p));
}

static uint8_t *put_unit(uint8_t *p, enum packet_unit unit)
{
	uint8_t *begin = protobuf_open(p, 8);

	p = unit == PACKET_COUNT ? protobuf_number(begin, 3, UNIT_COUNT) :
				   protobuf_text(begin, 6, "bytes/s");
	return protobuf_close(begin, p);
}

void packet_track(struct buf *b, const struct packet_track *t)
{
	uint8_t *p = (uint8_t *)buf_room(b, strlen(t->name) + ROOM);
	uint8_t *packet, *track;

	if (!p)
		return;
	packet = protobuf_open(p, PACKET);
	track = protobuf_open(packet, TRACK);
	p = protobuf_text(protobuf_number(track, 1, t->number), 2, t->name);
	if (t->parent)
		p = protobuf_number(p, 5, t->parent);
	else
		p = protobuf_number(p, 11, ORDER_BY_RANK);
	if (t->unit != PACKET_NO_COUNTER)
		p = put_unit(p, t->unit);
	p = protobuf_number(protobuf_number(p, 12, t->rank), 15, MERGE_NONE);
	buf_commit(b, (char *)protobuf_close(packet, protobuf_close(track, p)));
}

/* --- events --------------------------------------------------------------- */

static inline uint8_t *open_event(struct packet_open *o, uint8_t *p,
				  uint64_t time, uint64_t type, uint64_t track)
{
	o->packet = protobuf_open(p, PACKET);
	p = protobuf_number(o->packet, TIME, time);
	p = protobuf_number(p, SEQUENCE, 1);
	p = protobuf_number(p, FLAGS, WORDS_USED);
	o->event = protobuf_open(p, EVENT);
	p = protobuf_number(o->event, EVENT_TYPE, type);
	return protobuf_number(p, EVENT_TRACK, track);
}

static inline uint8_t *close_event(const struct packet_open *o, uint8_t *p)
{
	return protobuf_close(o->packet, protobuf_close(o->event, p));
}

uint8_t *packet_begin(uint8_t *p, uint64_t time, uint64_t track, uint32_t name)
{
	struct packet_open o;

	p = open_event(&o, p, time, TYPE_BEGIN, track);
	return close_event(&o, protobuf_number(p, EVENT_NAME, name));
}

uint8_t *packet_end(uint8_t *p, uint64_t time, uint64_t track)
{
	struct packet_open o;

	p = open_event(&o, p, time, TYPE_END, track);
	return close_event(&o, p);
}

uint8_t *packet_counter(uint8_t *p, uint64_t time, uint64_t track,
			uint64_t value)
{
	struct packet_open o;

	p = open_event(&o, p, time, TYPE_COUNTER, track);
	return close_event(&o, protobuf_number(p, EVENT_VALUE, value));
}

uint8_t *packet_open(struct packet_open *o, uint8_t *p, uint64_t time,
		     uint64_t track, uint32_t name)
{
	p = open_event(o, p, time, TYPE_BEGIN, track);
	return protobuf_number(p, EVENT_NAME, name);
}

static inline uint8_t *annotate(uint8_t *p, uint32_t name, unsigned int field,
				uint64_t value)
{
	uint8_t *begin = protobuf_open(p, EVENT_ANNOTATION);

	p = protobuf_number(begin, 1, name);
	return protobuf_close(begin, protobuf_number(p, field, value));
}

uint8_t *packet_annotate(uint8_t *p, uint32_t name, uint64_t number)
{
	return annotate(p, name, 4, number);
}

uint8_t *packet_annotate_text(uint8_t *p, uint32_t name, uint32_t text)
{
	return annotate(p, name, 17, text);
}

uint8_t *packet_flow(uint8_t *p, uint64_t flow)
{
	return protobuf_fixed64(p, EVENT_FLOW, flow);
}

uint8_t *packet_close(const struct packet_open *o, uint8_t *p)
{
	return close_event(o, p);
}
