/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The joiner, for libFuzzer: whatever events come, what tests/requests/check.h
 * says must hold for its records.
 *
 * An input begins with two bytes, then come events.  tests/fuzz/seed writes the
 * same header:
 *
 *	0	bits 0-1 ios at a time; 2 looks; 3 remaps; 4 plugged; 5 pids;
 *		7 events are records, else six bytes each, see small_event()
 *	1	of records: so many, and a hole is told; 0: never
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file/source.h"
#include "file/stream.h"
#include "record/record.h"
#include "request/joiner.h"
#include "run/device.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/packed_bytes.h"
#include "tests/requests/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 2, SMALL = 6, RECORDS = 128 };

struct run {
	struct joiner *joiner;
	struct check *check;
	struct devices devices;
	uint64_t latest;	/* time of an event */
};

static void take_records(struct run *r)
{
	const struct io *io;

	while (joiner_next(r->joiner, &io))
		check_record(r->check, io);
}

static void give(struct run *r, const struct event *ev)
{
	check_event(r->check, ev);
	if (ev->time > r->latest)
		r->latest = ev->time;
	joiner_event(r->joiner, ev);
	take_records(r);
}

static struct joiner_bounds bounds_of(uint8_t head)
{
	/* not as many as usual: memory is not what is looked at here */
	static const uint32_t ios[] = { 4096, 1, 3, 40 };

	return (struct joiner_bounds){
		.ios = ios[head & 3],
		.looks = head & 4 ? 1 : 256,
		.chain = head & 4 ? 1 : 32,
		.remaps = head & 8 ? 1 : 64,
		.plugged = head & 16 ? 1 : 64,
		.pids = head & 32 ? 1 : 256,
	};
}

/* --- events of six bytes ------------------------------------------------- */

#define CATEGORY(name) BLK_TC_ACT(BLK_TC_##name)

/* so few of everything that events meet */
static const uint32_t ways[] = {
	CATEGORY(READ), CATEGORY(WRITE), CATEGORY(WRITE) | CATEGORY(DISCARD),
	CATEGORY(FLUSH), CATEGORY(WRITE) | CATEGORY(FLUSH),
	CATEGORY(WRITE) | CATEGORY(FUA),
	CATEGORY(WRITE) | CATEGORY(FLUSH) | CATEGORY(FUA), 0,
};
static const uint32_t kinds[] = { 0, CATEGORY(FS), CATEGORY(PC),
				  CATEGORY(FS) | CATEGORY(NOTIFY) };
static const uint32_t sizes[] = { 0, 512, 1024, 4096, 8192, 65536, 1,
				  UINT32_MAX };
static const uint32_t numbers[] = { 0, 8 << 20, 9 << 20, 253 << 20 };

enum { GAP_BEGINS = 64, GAP_ENDS = 128 };

static uint64_t place(uint8_t byte)
{
	return byte & 128 ? (uint64_t)(byte & 127) * 2048 : byte;
}

static void set_payload(struct event *ev, uint8_t *to, const uint8_t *b)
{
	ev->payload = to;
	memset(to, 0, 16);
	to[6] = to[14] = (uint8_t)(place(b[5]) >> 8);
	to[7] = to[15] = (uint8_t)place(b[5]);
	ev->pdu_len = 8;
	if (event_number(ev) != BLK_TA_REMAP)
		return;
	ev->pdu_len = 16;
	memset(to, 0, 8);
	to[0] = (uint8_t)(numbers[b[4] & 3] >> 24);
	to[1] = (uint8_t)(numbers[b[4] & 3] >> 16);
}

/*
 *	0	action, of 21, and whether version 8, and with its categories
 *	1	way, kind, and bits 5-7 a step of time
 *	2	sector
 *	3	size, and bits 3-4 the CPU
 *	4	device, and of a remap the one above, process, holes
 *	5	the number in its payload
 */
static void small_event(struct run *r, const uint8_t *b, uint64_t *time)
{
	uint8_t payload[16];
	struct event ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.version = b[0] & 128 ? BLK_VERSION_8 : BLK_VERSION_7,
		.action = b[0] % 21 | ways[b[1] & 7] | kinds[b[1] >> 3 & 3],
		.zone = b[0] & 64 ? 1u << (b[5] & 7) : 0,
		.sector = place(b[2]),
		.bytes = sizes[b[3] & 7],
		.cpu = b[3] >> 3 & 3,
		.device = numbers[b[4] >> 2 & 3],
		.pid = b[4] >> 4 & 3,
		.error = b[3] & 128 ? 65531 : 0,
	};

	/* now and then longer than the joiner waits for what is late */
	*time += b[1] >> 5 == 7 ? 1000000000 : b[1] >> 5;
	ev.time = b[3] & 64 ? *time / 2 : *time;
	set_payload(&ev, payload, b);
	ev.lane = device_lane(&r->devices, &ev);
	must(ev.lane != NULL);
	if (b[4] & GAP_ENDS)
		joiner_gap(r->joiner, 0, ev.device, false);
	give(r, &ev);
	if (b[4] & GAP_BEGINS)
		joiner_gap(r->joiner, 0, ev.device, true);
	take_records(r);
}

static void small_events(struct run *r, const uint8_t *b, size_t size)
{
	uint64_t time = 0;

	for (; size >= SMALL; size -= SMALL, b += SMALL)
		small_event(r, b, &time);
}

/* --- records ------------------------------------------------------------- */

static void no_note(void *ctx, const struct event *note)
{
	(void)ctx, (void)note;
}

static void records(struct run *r, const uint8_t *b, size_t size, uint8_t holes)
{
	const struct hooks hooks = { NULL, no_note, must_be_told,
				     hooks_no_added, hooks_no_idle };
	const struct stream_options o = { .name = "fuzz",
		.cpu = STREAM_ANY_CPU, .batch = STREAM_BATCH };
	struct source *src;
	struct stream *s;
	struct event *ev;
	uint64_t n = 0;
	int got;

	must(!source_memory(&src, b, size));
	s = stream_new(src, &o, &hooks);
	must(s != NULL);
	while ((got = stream_next(s, &ev))) {
		if (got == 1)
			ev->lane = device_lane(&r->devices, ev);
		if (got != 1 || !ev->lane)
			continue;
		give(r, ev);
		if (holes && ++n % holes == 0)
			joiner_gap(r->joiner, 0, ev->device, n / holes % 2);
	}
	stream_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct joiner_bounds bounds;
	struct run r = { .check = check_new(false) };

	must(r.check != NULL);
	/* what is packed is another target's */
	if (size >= HEADER && !is_compressed(data + HEADER, size - HEADER)) {
		bounds = bounds_of(data[0]);
		must(!joiner_new(&r.joiner, &bounds));
		if (data[0] & RECORDS)
			records(&r, data + HEADER, size - HEADER, data[1]);
		else
			small_events(&r, data + HEADER, size - HEADER);
		joiner_end(r.joiner, r.latest, size & 1);
		take_records(&r);
		check_end(r.check, joiner_counts(r.joiner));
		if (check_fault(r.check))
			fprintf(stderr, "%s\n", check_fault(r.check));
		must(!check_fault(r.check));
		joiner_free(r.joiner);
	}
	devices_free(&r.devices);
	check_free(r.check);
	return 0;
}
