/* SPDX-License-Identifier: GPL-2.0-only */
/* What a tap adds to the records it reads; see notes.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hint.h"
#include "base/time.h"
#include "capture/notes.h"
#include "record/record.h"

enum {
	OUT_STEP = 4 << 10,
	MOMENT = 32,		/* room for a time in seconds and ns */
	PIDS_MAX = 1 << 16,	/* then all are named again */
};

/* --- clocks --------------------------------------------------------------- */

struct notes_stamp notes_stamp_now(void)
{
	uint64_t now = time_now();
	struct timespec wall;

	clock_gettime(CLOCK_REALTIME, &wall);
	return (struct notes_stamp){ now, (uint32_t)wall.tv_sec,
				     (uint32_t)wall.tv_nsec };
}

/* --- lanes ---------------------------------------------------------------- */

/* Marks each slot empty by a pid of another slot. */
static void lane_init(struct tap_lane *l, uint32_t device)
{
	*l = (struct tap_lane){ .device = device };
	for (uint32_t i = 0; i < NOTES_NAMED; i++)
		l->named[i] = i + 1;
}

int notes_init(struct notes *n, uint32_t cpu, const uint32_t *devices,
	       unsigned int count)
{
	*n = (struct notes){ .cpu = cpu };
	n->lanes = calloc(count + 1, sizeof(*n->lanes));
	if (!n->lanes)
		return -ENOMEM;
	n->count = count;
	for (unsigned int i = 0; i < count; i++)
		lane_init(&n->lanes[i], devices[i]);
	return 0;
}

void notes_free(struct notes *n)
{
	for (unsigned int i = 0; i < n->count; i++)
		free(n->lanes[i].out);
	free(n->lanes);
	hash_free(&n->pids);
}

struct tap_lane *notes_find(const struct notes *n, uint32_t device)
{
	for (unsigned int i = 0; i < n->count; i++)
		if (n->lanes[i].device == device)
			return &n->lanes[i];
	return NULL;
}

COLD int tap_lane_grow(struct tap_lane *l, size_t len)
{
	size_t size = l->size ? l->size : OUT_STEP;
	uint8_t *out;

	while (size - l->len < len)
		size *= 2;
	out = realloc(l->out, size);
	if (!out)
		return -ENOMEM;
	l->out = out;
	l->size = size;
	return 0;
}

int tap_lane_add(struct tap_lane *l, const void *bytes, size_t len)
{
	int err = l->size - l->len < len ? tap_lane_grow(l, len) : 0;

	if (err)
		return err;
	memcpy(l->out + l->len, bytes, len);
	l->len += len;
	return 0;
}

int notes_deliver(struct notes *n, tap_deliver *deliver, void *ctx)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < n->count; i++) {
		struct tap_lane *l = &n->lanes[i];

		if (l->len)
			err = deliver(ctx, i, l->out, l->len, &l->sums);
		l->len = 0;
		l->sums = (struct tap_sums){ 0 };
	}
	return err;
}

/* --- notes ---------------------------------------------------------------- */

static int add_note(const struct notes *n, struct tap_lane *l,
		    struct event *note)
{
	int err;

	note->magic = BLK_MAGIC | BLK_VERSION_7;
	note->action |= BLK_TC_ACT(BLK_TC_NOTIFY);
	note->cpu = n->cpu;
	err = tap_lane_add(l, note, BLK_HEADER_7);
	l->sums.records++;
	return err ? err : tap_lane_add(l, note->payload, note->pdu_len);
}

int notes_add_pid(struct notes *n, struct tap_lane *l, uint32_t pid)
{
	uint64_t key = (uint64_t)(l - n->lanes) << 32 | pid;

	l->named[pid % NOTES_NAMED] = pid;
	if (hash_get(&n->pids, key))
		return 0;
	if (n->pids.count >= PIDS_MAX)
		hash_free(&n->pids);
	return hash_put(&n->pids, key, n) ? -ENOMEM : 1;
}

int notes_add_name(struct notes *n, struct tap_lane *l, uint64_t time,
		   uint32_t pid, uint32_t device,
		   const char name[NOTES_NAME])
{
	struct event note = {
		.time = time,
		.action = BLK_TN_PROCESS,
		.pid = pid,
		.device = device,
		.payload = (const uint8_t *)name,
		.pdu_len = NOTES_NAME,
	};

	return add_note(n, l, &note);
}

int notes_add_message(struct notes *n, struct tap_lane *l, uint64_t time,
		      uint32_t pid, uint32_t device, const char *text)
{
	size_t len = strlen(text);
	struct event note = {
		.time = time,
		.action = BLK_TN_MESSAGE,
		.pid = pid,
		.device = device,
		.payload = (const uint8_t *)text,
		.pdu_len = (uint16_t)(len < UINT16_MAX ? len : UINT16_MAX),
	};

	return add_note(n, l, &note);
}

int notes_add_stamp(struct notes *n, const struct notes_stamp *stamp)
{
	uint32_t wall[] = { stamp->seconds, stamp->nanoseconds };
	int err = 0;

	for (unsigned int i = 0; i < n->count && !err; i++) {
		struct event note = {
			.time = stamp->time,
			.action = BLK_TN_TIMESTAMP,
			.device = n->lanes[i].device,
			.payload = (const uint8_t *)wall,
			.pdu_len = sizeof(wall),
		};

		err = add_note(n, &n->lanes[i], &note);
	}
	return err;
}

/* time: 0: now */
static size_t encode_message(uint8_t *raw, unsigned int version, uint64_t time,
			     uint32_t device, uint32_t cpu, const char *text)
{
	size_t len = strlen(text);
	struct event ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = time ? time : time_now(),
		.action = BLK_TC_ACT(BLK_TC_NOTIFY) | BLK_TN_MESSAGE,
		.pid = (uint32_t)getpid(),
		.device = device,
		.cpu = cpu,
		.pdu_len = (uint16_t)len,
	};
	size_t head = record_encode(&ev, version, raw);

	memcpy(raw + head, text, len);
	return head + len;
}

static const char *moment(char text[MOMENT], uint64_t ns)
{
	snprintf(text, MOMENT, "%llu.%09llu",
		 (unsigned long long)(ns / NS_PER_SECOND),
		 (unsigned long long)(ns % NS_PER_SECOND));
	return text;
}

size_t notes_encode_drops(uint8_t raw[NOTES_DROPS], unsigned int version,
			  const struct notes_drops *d)
{
	char text[NOTES_DROPS - BLK_HEADER_MAX], since[MOMENT];

	snprintf(text, sizeof(text), "blktrace: %llu dropped since %s",
		 (unsigned long long)d->dropped, moment(since, d->since));
	return encode_message(raw, version, d->time, d->device, d->cpu, text);
}

size_t notes_encode_missing(uint8_t raw[NOTES_MISSING], unsigned int version,
			    const struct notes_missing *m)
{
	char text[NOTES_MISSING - BLK_HEADER_MAX];
	char since[MOMENT], until[MOMENT];

	snprintf(text, sizeof(text), "blktrace: %llu events missing since %s"
		 " until %s: %llu of %llu I/Os that the device completed",
		 (unsigned long long)m->events, moment(since, m->since),
		 moment(until, m->until), (unsigned long long)m->ios,
		 (unsigned long long)m->completed);
	return encode_message(raw, version ? version : BLK_VERSION_7, m->time,
			      m->device, m->cpu, text);
}

/* --- seals ---------------------------------------------------------------- */

void notes_account_begin(struct notes_account *a, const void *record)
{
	bool is_8 = get32(record) == (BLK_MAGIC | BLK_VERSION_8);
	struct event ev = { .version = 0 };

	a->version = is_8 ? BLK_VERSION_8 : BLK_VERSION_7;
	record_decode(record_layout(a->version, 0), false, record, &ev);
	a->device = ev.device;
	a->cpu = ev.cpu;
}

size_t notes_encode_seal(uint8_t raw[NOTES_SEAL], struct notes_account *a,
			 uint64_t time, const struct blk_seal *rest)
{
	struct blk_seal seal = *rest;
	struct event ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = time,
		.action = BLK_TC_ACT(BLK_TC_NOTIFY) | BLK_TN_SEAL,
		.device = a->device,
		.cpu = a->cpu,
		.pdu_len = sizeof(seal),
	};
	size_t head = record_encode(&ev, a->version, raw);

	seal.records = a->records;
	seal.checksum = a->sum.sum;
	a->sum = (struct checksum){ 0 };
	memcpy(raw + head, &seal, sizeof(seal));
	return head + sizeof(seal);
}
