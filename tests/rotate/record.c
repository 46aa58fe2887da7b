/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record FROM TO LEVEL STEP_MS BEFORE_MS AFTER_MS TRIGGER...
 *
 * Hands the traces in directory FROM to a flight recorder with these triggers,
 * whose ring is large enough for all, packed by LEVEL or not; each CPU is
 * looked at every STEP_MS of their time.  TO becomes a directory of dumps, a
 * minute apart, that depend on nothing else.  How many bytes of records there
 * were, and of the ring they took, is printed.  Status 2: FROM cannot be fed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/time.h"
#include "capture/sink.h"
#include "capture/to/chunks.h"
#include "capture/to/sink_ring.h"
#include "expr/error.h"
#include "stat/trigger.h"
#include "tests/rotate/recorded.h"
#include "tools/blktrace/dumps.h"
#include "tools/blktrace/watch.h"

enum { FIRST_TRIGGER = 7, PATIENCE_MS = 60000, POLL_US = 5000 };

static struct notes_stamp first;

/* Dumps are to have nothing of when they were written. */
static struct notes_stamp at_first(void)
{
	return first;
}

static uint64_t no_drops(void *ctx)
{
	(void)ctx;
	return 0;
}

static void fired(void *ctx, const struct watch_event *e)
{
	dumps_fire(ctx, e);
}

static void seen(void *ctx, uint64_t time)
{
	dumps_seen(ctx, time);
}

static void check(int err, const char *what)
{
	if (err)
		msg_die("%s: %s", what, strerror(-err));
}

/* --- triggers ------------------------------------------------------------- */

static struct trigger **compile(char **texts, size_t count)
{
	struct trigger **all = calloc(count, sizeof(*all));
	struct expr_error why;

	if (!all)
		msg_die("no memory");
	for (size_t i = 0; i < count; i++)
		if (trigger_compile(&all[i], texts[i], &why))
			msg_die("%s: %s", texts[i], why.phrase);
	return all;
}

static void fire_exit(struct dumps *d, struct trigger **all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (trigger_wants_exit(all[i]))
			dumps_fire(d, &(struct watch_event){
				.trigger = "exit", .value = "",
				.time = recorded_now().time });
		trigger_free(all[i]);
	}
	free(all);
}

/* --- the ring ------------------------------------------------------------- */

/* Whether chunks of a lane are full and not packed. */
static bool is_behind(const struct chunk_lane *l)
{
	const struct chunk *k = l->newest;

	return k && k->older && !k->older->packed && !k->older->stays;
}

static bool any_behind(struct chunks *c)
{
	bool any = false;

	pthread_mutex_lock(&c->lock);
	for (unsigned int i = 0; i < c->lane_count; i++)
		any |= is_behind(c->lanes[i]);
	pthread_mutex_unlock(&c->lock);
	return any;
}

/* bytes of chunks that were read are packed: wait for that */
static void let_pack(struct chunks *c)
{
	for (int ms = 0; any_behind(c); ms += POLL_US / 1000) {
		if (ms > PATIENCE_MS)
			msg_die("chunks are not packed");
		usleep(POLL_US);
	}
}

static void report_room(const struct chunks *c)
{
	size_t used = 0;

	for (unsigned int i = 0; i < c->lane_count; i++)
		for (struct chunk *k = c->lanes[i]->oldest; k; k = k->newer)
			used += k->used;
	printf("%zu %zu\n", recorded_bytes(), used);
}

/* --- a run ---------------------------------------------------------------- */

struct run {
	struct sink *ring;
	struct dumps *dumps;
	struct watch *watch;
	struct trigger **triggers;
	size_t count;
	int signals;		/* nobody sends any */
	bool pack;		/* as blocks, and to packed files */
};

static void open_ring(struct run *r, unsigned int lanes, int level)
{
	check(sink_ring_new(&r->ring, &(struct sink_ring_options){
		.size = 2 * recorded_bytes() + chunks_least(lanes),
		.level = level, .pack = r->pack, .lanes = lanes,
		.now = recorded_now,
		.reporter = &recorded_reporter }), "the ring");
	recorded_begin(r->ring);
}

static void start(struct run *r, const char *to, int level, const char *before,
		  const char *after)
{
	check(dumps_start(&r->dumps, &(struct dumps_options){
		.ring = r->ring, .directory = to, .level = level,
		.pack = r->pack,
		.before = strtoull(before, NULL, 10) * NS_PER_MS,
		.after = strtoull(after, NULL, 10) * NS_PER_MS,
		.every = 60 * NS_PER_SECOND, .now = at_first,
		.dropped = no_drops, .reporter = &recorded_reporter }),
	      "dumps");
	check(watch_start(&r->watch, &(struct watch_options){
		.chunks = sink_ring_chunks(r->ring), .triggers = r->triggers,
		.count = r->count, .signals = r->signals, .begin = first.time,
		.fired = fired, .seen = seen, .ctx = r->dumps }),
	      "the watcher");
}

static void end(struct run *r, bool packed)
{
	recorded_end(r->ring);
	if (packed)
		let_pack(sink_ring_chunks(r->ring));
	watch_end(r->watch);
	report_room(sink_ring_chunks(r->ring));
	fire_exit(r->dumps, r->triggers, r->count);
	check(dumps_end(r->dumps, PATIENCE_MS), "dumps");
	r->ring->ops->free(r->ring);
	close(r->signals);
	recorded_free();
}

int main(int argc, char **argv)
{
	struct run r = { .signals = eventfd(0, EFD_NONBLOCK) };
	unsigned int lanes;
	int level;

	if (argc <= FIRST_TRIGGER)
		msg_die("record FROM TO LEVEL|pack STEP_MS BEFORE_MS AFTER_MS"
			" TRIGGER...");
	r.count = (size_t)(argc - FIRST_TRIGGER);
	r.triggers = compile(argv + FIRST_TRIGGER, r.count);
	level = atoi(argv[3]);
	r.pack = !strcmp(argv[3], "pack");
	lanes = (unsigned int)recorded_open(argv[1]);
	first = recorded_now();
	open_ring(&r, lanes, level);
	start(&r, argv[2], level, argv[5], argv[6]);
	recorded_feed(r.ring, strtoull(argv[4], NULL, 10) * NS_PER_MS);
	end(&r, level || r.pack);
	return 0;
}
