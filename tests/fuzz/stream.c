/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One stream read whole and once more in pieces, for libFuzzer: where reads
 * happen to end must not show in its events, notes and damage reports.
 *
 * Inputs are those of tests/fuzz/blkparse.c, all files as one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "file/hooks.h"
#include "file/source.h"
#include "file/stream.h"
#include "record/record.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/packed_bytes.h"
#include "tests/fuzz/trickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 10 };

/* what a reading gave, as a checksum of all of it and some numbers */
struct tale {
	unsigned long sum;
	uint64_t events, notes, reports;
};

/* zlib is not instrumented, and so as fast as payloads want it. */
static void add(struct tale *t, const void *bytes, size_t len)
{
	t->sum = crc32(t->sum, bytes, (unsigned int)len);
}

static void add_event(struct tale *t, const struct event *ev)
{
	add(t, ev, offsetof(struct event, zone));
	add(t, &ev->zone, sizeof(ev->zone));
	add(t, ev->payload, ev->pdu_len);
}

/* --- hooks --------------------------------------------------------------- */

/* Notes come when they are read, so they have a sum of their own. */
static void on_note(void *ctx, const struct event *note)
{
	struct tale *both = ctx;

	add_event(&both[1], note);
	both->notes++;
}

static void on_damage(void *ctx, const struct damage *d)
{
	struct tale *both = ctx;

	add(&both[1], &d->at, sizeof(d->at));
	add(&both[1], &d->lost, sizeof(d->lost));
	add(&both[1], d->what, strlen(d->what));
	both->reports++;
}

/* --- reading ------------------------------------------------------------- */

static void read_stream(struct source *src, const uint8_t *head,
			struct tale both[2])
{
	const struct hooks hooks = { both, on_note, on_damage, hooks_no_added,
				     hooks_no_idle };
	struct stream_options o = {
		.name = "fuzz",
		.cpu = head[0] & 1 ? STREAM_ANY_CPU : 0,
		.batch = head[1] & 4 ? 1 + head[3] % 16 : STREAM_BATCH,
		.timed = head[1] & 8,
	};
	struct stream *s = stream_new(src, &o, &hooks);
	struct event *ev;
	int got;

	must(s != NULL);
	while ((got = stream_next(s, &ev))) {
		if (got == -EAGAIN || got == -EINTR)
			continue;
		must(got == 1);
		add_event(&both[0], ev);
		both->events++;
	}
	stream_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tale whole[2] = { { .sum = 0 } }, pieces[2] = { { .sum = 0 } };
	struct source *src = NULL;

	/* how much is unpacked before a fault shows does depend on the pieces */
	if (size < HEADER || is_compressed(data + HEADER, size - HEADER))
		return 0;
	must(!source_memory(&src, data + HEADER, size - HEADER));
	read_stream(src, data, whole);
	must(!trickle_open(&src, data + HEADER, size - HEADER,
			   data[2] ? data[2] : 100));
	read_stream(src, data, pieces);
	must(!memcmp(whole, pieces, sizeof(whole)));
	return 0;
}
