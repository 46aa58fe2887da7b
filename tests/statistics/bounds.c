/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes records out of traces as the kernel drops them, and sees whether what
 * is then told of percentiles is true.
 *
 *	bounds SEEDS DIRECTORY...
 *
 * A loss is of runs of a CPU's records, without holes in the numbers, and a
 * note of blktrace's once a second.  What the whole trace has as ios and
 * percentiles of Q2C is the truth; the numbers of ios that were measured and
 * that may be missing must come to as many, and each percentile be in its
 * interval.
 *
 * A line for each directory: its name, ios, losses, how many of these held the
 * number, then p50, p90, p99, and how often an upper end of these was known:
 * tab-separated.  Status 1 if anything did not hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "request/io.h"
#include "request/joiner.h"
#include "stat/bounds.h"
#include "tests/requests/dice.h"
#include "tests/requests/trace.h"

enum { PERCENTILES = 3, NOTE_SIZE = 64, SECOND = 1000000000 };

static const uint32_t percentiles[PERCENTILES] = {
	50 * HISTOGRAM_PERCENT, 90 * HISTOGRAM_PERCENT, 99 * HISTOGRAM_PERCENT,
};

/* the whole trace */
struct truth {
	uint64_t *spans;	/* of its ios */
	size_t count, size;
	uint64_t at[PERCENTILES];
};

/* what is seen of what is left */
struct view {
	struct bounds_seen seen;
	struct histogram spans;
	uint64_t unsure;	/* of these */
};

struct held {
	uint64_t losses, number, known;
	uint64_t percentile[PERCENTILES];
};

/* --- joining ------------------------------------------------------------- */

typedef void take_io(void *ctx, const struct io *io);

static void take_all(struct joiner *j, take_io *take, void *ctx)
{
	const struct io *io;

	while (joiner_next(j, &io))
		take(ctx, io);
}

/* Returns completions of what is not there. */
static uint64_t join(const struct event *events, size_t count, take_io *take,
		     void *ctx)
{
	struct joiner *j;
	uint64_t ghosts;

	if (joiner_new(&j, &JOINER_BOUNDS))
		msg_die("no memory");
	for (size_t i = 0; i < count; i++) {
		joiner_event(j, &events[i]);
		take_all(j, take, ctx);
	}
	joiner_end(j, count ? events[count - 1].time : 0, false);
	take_all(j, take, ctx);
	ghosts = joiner_counts(j)->leftovers[JOINER_GHOST_C];
	joiner_free(j);
	return ghosts;
}

static bool is_measured(const struct io *io)
{
	return io_completed(io) && io->birth == 'Q' && !io->gap;
}

/* Whether it has all records that it could leave: what rides in another's
 * request has no more of its own. */
static bool is_whole(const struct io *io)
{
	return io->birth == 'Q' && (io_completed(io) || io->merge);
}

static void add_truth(void *ctx, const struct io *io)
{
	struct truth *t = ctx;
	uint64_t *spans;

	if (io->kind != IO_BIO || !is_measured(io))
		return;
	spans = array_reserve(t->spans, t->count, &t->size, 1024,
			      sizeof(*spans));
	if (!spans)
		msg_die("no memory");
	t->spans = spans;
	spans[t->count++] = io->total;
}

static void add_view(void *ctx, const struct io *io)
{
	struct view *v = ctx;

	if (io->kind != IO_BIO)
		return;
	if (is_whole(io))
		bounds_see(&v->seen, io->events);
	if (!is_measured(io))
		v->seen.open++;
	else if (histogram_add(&v->spans, io->total))
		msg_die("no memory");
	else
		v->unsure += !io->sure;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *one = a, *two = b;

	return *one < *two ? -1 : *one > *two;
}

static void find_truth(struct truth *t, const struct trace *trace)
{
	*t = (struct truth){ NULL };
	join(trace->events, trace->count, add_truth, t);
	if (!t->count)
		msg_die("the trace has no ios");
	qsort(t->spans, t->count, sizeof(*t->spans), ascending);
	for (int i = 0; i < PERCENTILES; i++)
		t->at[i] = t->spans[histogram_rank(t->count, percentiles[i])
				    - 1];
}

/* --- losing -------------------------------------------------------------- */

/* The next record of the same CPU, or count. */
static size_t next_of_cpu(const struct trace *t, size_t at)
{
	const struct event *ev = &t->events[at];

	while (++at < t->count)
		if (t->events[at].cpu == ev->cpu &&
		    t->events[at].device == ev->device &&
		    !event_is_note(&t->events[at]))
			break;
	return at;
}

/* Marks what is lost; returns how many records that are. */
static size_t lose(const struct trace *t, bool *lost, struct dice *d)
{
	static const unsigned int rows[] = { 5, 20, 85, 85, 170 };
	static const unsigned int per_mille[] = { 2, 10, 50, 200 };
	size_t want = t->count * DICE_PICK(d, per_mille) / 1000 + 1;
	size_t count = 0;

	while (count < want) {
		size_t at = (size_t)dice_below(d, t->count);
		unsigned int left = DICE_PICK(d, rows);

		if (event_is_note(&t->events[at]))
			continue;
		for (; left-- && at < t->count; at = next_of_cpu(t, at)) {
			count += !lost[at];
			lost[at] = true;
		}
	}
	return count;
}

/* what is left, with what blktrace says meanwhile */
struct rest {
	struct event *events;
	size_t count;
	char (*texts)[NOTE_SIZE];
	size_t notes;
	uint64_t dropped, told, due;
};

static void add_note(struct rest *n, const struct event *like)
{
	char *text = n->texts[n->notes++];
	int len = snprintf(text, NOTE_SIZE, "blktrace: %" PRIu64 " dropped",
			   n->dropped);
	struct event note = *like;

	note.action = BLK_TN_MESSAGE | BLK_TC_ACT(BLK_TC_NOTIFY);
	note.pid = 0;
	note.bytes = 0;
	note.payload = (const uint8_t *)text;
	note.pdu_len = (uint16_t)len;
	n->events[n->count++] = note;
	n->told = n->dropped;
	n->due = like->time + SECOND;
}

/* A note once a second, and at the end. */
static void make_rest(struct rest *n, const struct trace *t, const bool *lost)
{
	*n = (struct rest){ .due = SECOND };
	n->events = calloc(2 * t->count + 1, sizeof(*n->events));
	n->texts = calloc(t->count + 1, NOTE_SIZE);
	if (!n->events || !n->texts)
		msg_die("no memory");
	for (size_t i = 0; i < t->count; i++) {
		const struct event *ev = &t->events[i];

		if (ev->time >= n->due && n->dropped > n->told)
			add_note(n, ev);
		n->dropped += lost[i];
		if (!lost[i])
			n->events[n->count++] = *ev;
	}
	if (n->dropped > n->told)
		add_note(n, &t->events[t->count - 1]);
}

/* --- judging ------------------------------------------------------------- */

static void judge(struct held *h, const struct truth *t, const struct view *v)
{
	uint64_t m = bounds_missing(&v->seen);

	h->losses++;
	h->number += v->spans.count + m >= t->count;
	for (int i = 0; i < PERCENTILES; i++) {
		struct bounds b = bounds_percentile(
			&v->spans, (struct doubt){ m, v->unsure },
			percentiles[i]);

		h->percentile[i] += b.low <= t->at[i] && t->at[i] <= b.high;
		h->known += b.high != UINT64_MAX;
	}
}

static void one_loss(struct held *h, const struct truth *truth,
		     const struct trace *t, uint64_t seed)
{
	bool *lost = calloc(t->count, sizeof(*lost));
	struct view v = { .seen = { 0 } };
	struct dice d = { seed };
	struct rest rest;

	if (!lost)
		msg_die("no memory");
	v.seen.lost = lose(t, lost, &d);
	make_rest(&rest, t, lost);
	v.seen.ghosts = join(rest.events, rest.count, add_view, &v);
	judge(h, truth, &v);
	histogram_free(&v.spans);
	free(rest.events);
	free(rest.texts);
	free(lost);
}

static bool one_trace(const char *dir, uint64_t seeds)
{
	struct held h = { 0 };
	struct truth truth;
	struct trace t;
	bool all;

	trace_load(&t, dir);
	find_truth(&truth, &t);
	for (uint64_t seed = 0; seed < seeds; seed++)
		one_loss(&h, &truth, &t, seed);
	printf("%s\t%zu\t%" PRIu64 "\t%" PRIu64, dir, truth.count, h.losses,
	       h.number);
	all = h.number == h.losses;
	for (int i = 0; i < PERCENTILES; i++) {
		printf("\t%" PRIu64, h.percentile[i]);
		all = all && h.percentile[i] == h.losses;
	}
	printf("\t%" PRIu64 "\n", h.known);
	free(truth.spans);
	trace_free(&t);
	return all;
}

int main(int argc, char **argv)
{
	bool all = true;

	if (argc < 3) {
		fputs("usage: bounds SEEDS DIRECTORY...\n", stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		all = one_trace(argv[i], strtoull(argv[1], NULL, 10)) && all;
	return !all;
}
