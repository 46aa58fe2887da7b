/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a stream through blkiomon, for libFuzzer: source, stream, pairs,
 * sums, reports, debugging text.  It is driven as blkiomon.c drives it, with
 * memory in place of a pipe and an interval that ends every so many events.
 *
 * Inputs are those of tests/fuzz/blkparse.c, all files as one stream.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/hooks.h"
#include "file/source.h"
#include "file/stream.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/trickle.h"
#include "tools/blkiomon/arrivals.h"
#include "tools/blkiomon/interval.h"
#include "tools/blkiomon/pairs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 10 };

struct run {
	struct arrivals *arrivals;
	struct pairs *pairs;
	struct interval interval;
	FILE *null;
	bool whole;		/* as with -D, which writes what is left over */
	uint64_t order, told, matches, booked;
};

/* --- hooks -------------------------------------------------------------- */

static void on_note(void *ctx, const struct event *note)
{
	((struct run *)ctx)->order += note->version >= BLK_VERSION_7;
}

/* --- events ------------------------------------------------------------- */

/* Values of a cell lie between its ends, and its sum does, too. */
static void check_cell(const struct cell *c)
{
	must(!c->num || (c->min <= c->max && c->sum / c->num <= c->max));
	must(c->num || (!c->max && !c->sum && c->min == UINT64_MAX));
}

/* Every request is in both histograms and, once, in or beside the cells. */
static void check_sums(struct run *r, const struct device_sums *a)
{
	uint64_t sizes = 0, latencies = 0, cells;

	for (int i = 0; i < SIZE_BUCKETS; i++)
		sizes += a->sizes[i];
	for (int i = 0; i < LATENCY_BUCKETS; i++)
		latencies += a->latencies[i];
	for (int i = 0; i < FIGURES; i++)
		check_cell(&a->cells[i]);
	cells = a->cells[SIZE_READ].num + a->cells[SIZE_WRITE].num;
	must(sizes == latencies && sizes >= cells + a->bidirectional);
	r->told += sizes;
}

static void end_interval(struct run *r)
{
	uint8_t raw[REPORT_SIZE];

	for (uint32_t i = r->interval.count; i-- > 0;) {
		check_sums(r, &r->interval.devices[i]);
		report_text(r->null, &r->interval.devices[i], (time_t)r->order);
		report_binary(raw, &r->interval.devices[i], (time_t)r->order);
	}
	interval_clear(&r->interval);
}

static void take(struct run *r, const struct event *ev)
{
	uint64_t order = r->order++;
	struct seen_whole *w;

	if (!(ev->action & (BLK_TC_ACT(BLK_TC_ISSUE) |
			    BLK_TC_ACT(BLK_TC_COMPLETE))))
		return;
	w = (struct seen_whole *)arrivals_add(r->arrivals, ev->time, order,
					      ev->cpu);
	must(w != NULL);
	w->seen.sector = ev->sector;
	w->seen.device = ev->device;
	w->seen.bytes = ev->bytes;
	w->seen.categories = (uint16_t)(ev->action >> 16);
	if (!r->whole)
		return;
	w->ev = *ev;
	w->order = order;
}

static void pair_request(struct run *r, const struct seen *s)
{
	struct pair p;
	int got = pairs_add(r->pairs, s, &p);

	must(got >= 0);
	if (got == PAIR_WAITS)
		return;
	must(p.older->time <= p.younger->time);
	if (got == PAIR_MISMATCH) {
		if (r->whole)
			debug_mismatch(r->null, &p);
		return;
	}
	r->matches++;
	got = interval_add(&r->interval, p.older, p.younger);
	must(!got || got == -E2BIG);
	r->booked += !got;
}

/* What may go by now goes in order of time. */
static void pair_requests(struct run *r)
{
	const struct seen *s;
	uint64_t before = 0;

	while ((s = arrivals_next(r->arrivals))) {
		must(s->time >= before);
		before = s->time;
		pair_request(r, s);
	}
}

static void run_events(struct run *r, struct stream *s, unsigned int interval)
{
	struct event *ev;
	int got;

	while ((got = stream_next(s, &ev))) {
		if (got == -EAGAIN || got == -EINTR)
			continue;
		must(got == 1);
		take(r, ev);
		if (!interval || r->order % interval)
			continue;
		arrivals_tick(r->arrivals);
		pair_requests(r);
		end_interval(r);
	}
	arrivals_flush(r->arrivals);
	pair_requests(r);
	end_interval(r);
}

static void show_leftover(void *ctx, const struct seen *s)
{
	debug_leftover(ctx, s);
}

static struct stream *open_stream(const uint8_t *data, size_t size,
				  const struct hooks *hooks)
{
	const struct stream_options o = {
		.name = "fuzz",
		.cpu = STREAM_ANY_CPU,
		.batch = data[1] & 4 ? 1 : STREAM_BATCH,
	};
	struct source *src = NULL;
	struct stream *s;

	if (data[2])
		must(!trickle_open(&src, data + HEADER, size - HEADER,
				   data[2]));
	else
		must(!source_memory(&src, data + HEADER, size - HEADER));
	s = stream_new(src, &o, hooks);
	must(s != NULL);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run r = { .order = 0 };
	const struct hooks hooks = { &r, on_note, must_be_told, hooks_no_added,
				     hooks_no_idle };
	struct stream *s;

	if (size < HEADER)
		return 0;
	r.whole = data[1] & 16;
	r.arrivals = arrivals_new(data[1] & 8, r.whole);
	r.pairs = pairs_new(r.whole);
	r.null = fopen("/dev/null", "w");
	must(r.arrivals && r.pairs && r.null);
	s = open_stream(data, size, &hooks);
	run_events(&r, s, data[3]);
	must(r.told == r.booked && r.booked <= r.matches);
	must(pairs_waiting(r.pairs) + 2 * r.matches <= r.order);
	if (r.whole)
		must(!pairs_leftovers(r.pairs, r.null, show_leftover));
	stream_free(s);
	arrivals_free(r.arrivals);
	pairs_free(r.pairs);
	interval_free(&r.interval);
	fclose(r.null);
	return 0;
}
