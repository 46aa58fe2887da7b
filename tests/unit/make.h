/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Things that unit tests are made of: events, records in every layout ever
 * written, input bytes, and hooks that keep a diary.
 *
 * The offsets are written down here once more, on purpose: a test that asked
 * record/record for them would find every mistake correct.
 */
#ifndef TESTS_UNIT_MAKE_H
#define TESTS_UNIT_MAKE_H

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/hooks.h"
#include "record/record.h"

/* --- events -------------------------------------------------------------- */

#define CAT(name) BLK_TC_BIT(BLK_TC_##name)
#define ACT(nr, categories) ((uint32_t)(nr) | (uint32_t)(categories) << 16)
#define NOTE(nr) ACT(nr, CAT(NOTIFY))

/* a version 7 event without payload; the arguments are designated fields */
#define EVENT(...)                                                \
	((struct event){ .magic = BLK_MAGIC | 7, .version = 7,    \
			 .payload = (const uint8_t *)"", __VA_ARGS__ })

static inline struct event with_payload(struct event ev, const void *bytes,
					size_t len)
{
	ev.payload = bytes;
	ev.pdu_len = (uint16_t)len;
	return ev;
}

/* n as the kernel puts unplug depths and split sectors into payloads */
static inline void big64_to(uint8_t *p, uint64_t n)
{
	for (int i = 7; i >= 0; i--, n >>= 8)
		p[i] = (uint8_t)n;
}

static inline void big32_to(uint8_t *p, uint32_t n)
{
	for (int i = 3; i >= 0; i--, n >>= 8)
		p[i] = (uint8_t)n;
}

/* --- records ------------------------------------------------------------- */

/* where a layout keeps what differs between layouts; 0: nowhere */
struct shape {
	unsigned int version, size, action, action_bytes, pid, device, cpu,
		cpu_bytes, error, pdu_len, comm;
};

enum { V2, V3, V3_44, V4, V4_EARLY, V4_60, V5, V6, V7, V8, SHAPES };

static inline const struct shape *shape_of(int which)
{
	static const struct shape shapes[SHAPES] = {
		[V2] = { 2, 40, 28, 4, 32, 0, 0, 0, 36, 38, 0 },
		[V3] = { 3, 48, 28, 4, 32, 0, 36, 2, 38, 40, 0 },
		[V3_44] = { 3, 44, 28, 4, 32, 0, 36, 2, 38, 40, 0 },
		[V4] = { 4, 64, 28, 4, 32, 0, 36, 4, 40, 42, 44 },
		[V4_EARLY] = { 4, 64, 28, 4, 32, 44, 36, 4, 40, 42, 48 },
		[V4_60] = { 4, 60, 28, 4, 32, 0, 36, 4, 40, 42, 44 },
		[V5] = { 5, 64, 28, 4, 32, 44, 36, 4, 40, 42, 48 },
		[V6] = { 6, 64, 28, 4, 32, 44, 36, 4, 40, 42, 48 },
		[V7] = { 7, 48, 28, 4, 32, 36, 40, 4, 44, 46, 0 },
		[V8] = { 8, 64, 32, 8, 28, 40, 44, 4, 48, 50, 0 },
	};

	return &shapes[which];
}

/* n in size bytes, native or the other way round */
static inline void store(uint8_t *p, uint64_t n, size_t size, bool swapped)
{
	const bool big = swapped == (BYTE_ORDER == LITTLE_ENDIAN);

	for (size_t i = 0; i < size; i++, n >>= 8)
		p[big ? size - 1 - i : i] = (uint8_t)n;
}

/* the header of *ev in that shape to raw, which is cleared first */
static inline void make_header(const struct shape *s, bool swapped,
			       const struct event *ev, const char *comm,
			       uint8_t raw[BLK_HEADER_MAX])
{
	memset(raw, 0, BLK_HEADER_MAX);
	store(raw, BLK_MAGIC | s->version, 4, swapped);
	store(raw + 4, ev->sequence, 4, swapped);
	store(raw + 8, ev->time, 8, swapped);
	store(raw + 16, ev->sector, 8, swapped);
	store(raw + 24, ev->bytes, 4, swapped);
	store(raw + s->action, (uint64_t)ev->zone << 32 | ev->action,
	      s->action_bytes, swapped);
	store(raw + s->pid, ev->pid, 4, swapped);
	if (s->device)
		store(raw + s->device, ev->device, 4, swapped);
	if (s->cpu)
		store(raw + s->cpu, ev->cpu, s->cpu_bytes, swapped);
	store(raw + s->error, ev->error, 2, swapped);
	store(raw + s->pdu_len, ev->pdu_len, 2, swapped);
	if (s->comm && comm)
		memcpy(raw + s->comm, comm, strnlen(comm, 16));
}

/* --- input bytes --------------------------------------------------------- */

struct bytes {
	size_t len;
	uint8_t data[1 << 19];
};

static inline struct bytes *bytes_new(void)
{
	struct bytes *b = malloc(sizeof(*b));

	assert_non_null(b);
	b->len = 0;
	return b;
}

static inline void add_bytes(struct bytes *b, const void *from, size_t len)
{
	assert_true(b->len + len <= sizeof(b->data));
	memcpy(b->data + b->len, from, len);
	b->len += len;
}

static inline void add_zeros(struct bytes *b, size_t len)
{
	assert_true(b->len + len <= sizeof(b->data));
	memset(b->data + b->len, 0, len);
	b->len += len;
}

/* a record of that shape with the event's payload, 16 bytes of comm if any */
static inline void add_shaped(struct bytes *b, int shape, bool swapped,
			      const struct event *ev, const char *comm)
{
	const struct shape *s = shape_of(shape);
	uint8_t raw[BLK_HEADER_MAX];

	make_header(s, swapped, ev, comm, raw);
	add_bytes(b, raw, s->size);
	add_bytes(b, ev->payload, ev->pdu_len);
}

static inline void add_record(struct bytes *b, const struct event *ev)
{
	add_shaped(b, V7, false, ev, NULL);
}

/* a queued write of CPU 0, number and time n */
static inline void add_simple(struct bytes *b, uint32_t n)
{
	add_record(b, &EVENT(.sequence = n, .time = n, .pid = 100,
			     .action = ACT(BLK_TA_QUEUE, CAT(WRITE))));
}

/* --- the diary ----------------------------------------------------------- */

struct diary {
	struct hooks hooks;
	char text[8192];
};

__attribute__((format(printf, 2, 3)))
static inline void diary_write(struct diary *d, const char *fmt, ...)
{
	size_t len = strlen(d->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->text + len, sizeof(d->text) - len, fmt, ap);
	va_end(ap);
}

static inline void diary_note(void *ctx, const struct event *ev)
{
	diary_write(ctx, "note %u of %u: %.*s\n", event_number(ev), ev->pid,
		    (int)ev->pdu_len, (const char *)ev->payload);
}

static inline void diary_damage(void *ctx, const struct damage *d)
{
	diary_write(ctx, "%llu+%llu %s\n", (unsigned long long)d->at,
		    (unsigned long long)d->lost, d->what);
}

static inline void diary_added(void *ctx, const char *file)
{
	diary_write(ctx, "added %s\n", file);
}

static inline void diary_idle(void *ctx)
{
	diary_write(ctx, "idle\n");
}

static inline void diary_init(struct diary *d)
{
	d->text[0] = '\0';
	d->hooks = (struct hooks){ d, diary_note, diary_damage, diary_added,
				   diary_idle };
}

/* --- chance, the same in every run --------------------------------------- */

static inline uint32_t chance(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

#endif
