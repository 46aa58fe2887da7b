/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes events out of traces and counts how many records are then wrong.
 *
 *	loss SEEDS DIRECTORY...
 *
 * For each seed and directory three runs of up to 200 events of a CPU are
 * taken out, once so that the numbers show it, once as if the kernel had
 * dropped them: no number is missing.  A completed record whose first event is
 * still there is compared with its record of the whole trace: right if the
 * total is the same, and D2C is or is absent.
 *
 * A line for each directory and way, then both ways' sums: tab-separated,
 * columns as the first line has them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/msg.h"
#include "request/io.h"
#include "request/joiner.h"
#include "tests/requests/dice.h"
#include "tests/requests/trace.h"

enum { RUNS = 3, LONGEST = 200, FIRST_TRUTHS = 4096 };

/* what a record is known by again, and what it must be */
struct truth {
	uint64_t time, sector, bytes;
	uint32_t device, cpu, pid;
	char birth;
	uint8_t kind;
	size_t order;		/* in which records have left */
	uint64_t total, d2c;	/* IO_NONE: absent */
};

struct truths {
	struct truth *list;
	size_t count, size;
};

struct found {
	uint64_t taken, events;	/* out, of so many */
	uint64_t right, wrong, wrong_gap, late, open, lost;
};

struct comparison {
	const struct truths *truths;
	struct found *found;
};

/* --- the whole trace ----------------------------------------------------- */

static void make_truth(struct truth *t, const struct io *io)
{
	memset(t, 0, sizeof(*t));	/* it is compared byte by byte */
	t->time = io->time;
	t->sector = io->sector;
	t->bytes = io->bytes;
	t->device = io->device;
	t->cpu = io->cpu;
	t->pid = io->pid;
	t->birth = io->birth;
	t->kind = (uint8_t)io->kind;
	t->total = io->total;
	t->d2c = io->has & 1u << IO_D2C ? io->phase[IO_D2C] : IO_NONE;
}

static void add_truth(void *ctx, const struct io *io)
{
	struct truths *all = ctx;
	struct truth *list = array_reserve(all->list, all->count, &all->size,
					   FIRST_TRUTHS, sizeof(*list));

	if (!list)
		msg_die("no memory");
	all->list = list;
	make_truth(&list[all->count], io);
	list[all->count].order = all->count;
	all->count++;
}

static int by_key(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct truth, order));
}

static int by_key_and_order(const void *a, const void *b)
{
	const struct truth *s = a, *t = b;
	int before = by_key(a, b);

	return before ? before : (s->order > t->order) - (s->order < t->order);
}

/* the first to have left of those with that key, or NULL */
static const struct truth *truth_of(const struct truths *all,
				    const struct truth *key)
{
	const struct truth *t = bsearch(key, all->list, all->count,
					sizeof(*t), by_key);

	while (t && t > all->list && !by_key(t - 1, key))
		t--;
	return t;
}

static void find_truths(struct truths *all, const struct trace *t,
			struct run *whole)
{
	*all = (struct truths){ NULL };
	run_make(whole, t->count);
	memcpy(whole->events, t->events, t->count * sizeof(*t->events));
	whole->count = t->count;
	run_find_holes(whole);
	run_join(whole, &JOINER_BOUNDS, NULL, add_truth, all);
	qsort(all->list, all->count, sizeof(*all->list), by_key_and_order);
}

/* --- with less ----------------------------------------------------------- */

static bool is_right(const struct truth *t, const struct truth *whole)
{
	return t->total == whole->total &&
	       (t->d2c == IO_NONE || t->d2c == whole->d2c);
}

static void compare(void *ctx, const struct io *io)
{
	const struct comparison *c = ctx;
	const struct truth *whole;
	struct truth key;

	make_truth(&key, io);
	whole = truth_of(c->truths, &key);
	if (io->ended == IO_ENDED_LOST)
		c->found->lost++;
	else if (io->ended != IO_ENDED_C)
		c->found->open++;
	else if (!whole)
		c->found->late++;
	else if (is_right(&key, whole))
		c->found->right++;
	else if (io->gap)
		c->found->wrong_gap++;
	else
		c->found->wrong++;
}

struct place {
	uint32_t device, cpu;
	size_t *events;		/* indices */
	size_t count, size;
};

struct places {
	struct place *list;
	size_t count, size;
};

static struct place *place_of(struct places *all, const struct event *ev)
{
	struct place *list;

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].device == ev->device &&
		    all->list[i].cpu == ev->cpu)
			return &all->list[i];
	list = array_reserve(all->list, all->count, &all->size, 8,
			     sizeof(*list));
	if (!list)
		msg_die("no memory");
	all->list = list;
	list[all->count] = (struct place){ ev->device, ev->cpu, NULL, 0, 0 };
	return &list[all->count++];
}

static void find_places(struct places *all, const struct trace *t)
{
	*all = (struct places){ NULL };
	for (size_t i = 0; i < t->count; i++) {
		struct place *p;
		size_t *events;

		if (event_is_note(&t->events[i]))
			continue;
		p = place_of(all, &t->events[i]);
		events = array_reserve(p->events, p->count, &p->size, 64,
				       sizeof(*events));
		if (!events)
			msg_die("no memory");
		p->events = events;
		p->events[p->count++] = i;
	}
}

/* Those with more events than can be taken out go first. */
static size_t long_first(struct places *all)
{
	size_t longs = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct place p = all->list[i];

		if (p.count <= RUNS * LONGEST)
			continue;
		all->list[i] = all->list[longs];
		all->list[longs++] = p;
	}
	return longs ? longs : all->count;
}

static void free_places(struct places *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->list[i].events);
	free(all->list);
}

static void choose(bool *dead, const struct places *all, size_t among,
		   uint64_t seed)
{
	struct dice d = { seed };

	for (int run = 0; run < RUNS; run++) {
		const struct place *p = &all->list[dice_below(&d, among)];
		size_t last = p->count > LONGEST ? p->count - LONGEST : 1;
		size_t at = (size_t)dice_below(&d, last);
		size_t end = at + 1 + (size_t)dice_below(&d, LONGEST - 1);

		for (; at < end && at < p->count; at++)
			dead[p->events[at]] = true;
	}
}

static void thin(struct run *run, const struct run *whole, const bool *dead)
{
	run_make(run, whole->count);
	for (size_t i = 0; i < whole->count; i++)
		if (!dead[i])
			run->events[run->count++] = whole->events[i];
}

static void one_seed(const struct run *whole, const struct places *places,
		     size_t among, uint64_t seed, bool holes,
		     struct comparison *c)
{
	bool *dead = calloc(whole->count + 1, sizeof(*dead));
	struct run run;

	if (!dead)
		msg_die("no memory");
	choose(dead, places, among, seed);
	thin(&run, whole, dead);
	if (holes)
		run_find_holes(&run);
	c->found->events += whole->count;
	c->found->taken += whole->count - run.count;
	run_join(&run, &JOINER_BOUNDS, NULL, compare, c);
	run_free(&run);
	free(dead);
}

/* --- all of it ----------------------------------------------------------- */

static void print(const char *name, bool holes, const struct found *f)
{
	printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
	       "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
	       name, holes ? "holes" : "dropped", f->events, f->taken,
	       f->right, f->wrong, f->wrong_gap, f->late, f->open, f->lost);
}

static void add(struct found *to, const struct found *f)
{
	to->events += f->events;
	to->taken += f->taken;
	to->right += f->right;
	to->wrong += f->wrong;
	to->wrong_gap += f->wrong_gap;
	to->late += f->late;
	to->open += f->open;
	to->lost += f->lost;
}

static void one_trace(const char *dir, uint64_t seeds, struct found sums[2])
{
	struct truths truths;
	struct places places;
	struct trace t;
	struct run whole;
	size_t among;

	trace_load(&t, dir);
	find_truths(&truths, &t, &whole);
	find_places(&places, &t);
	among = long_first(&places);
	for (int holes = 1; holes >= 0 && among; holes--) {
		struct found f = { 0 };
		struct comparison c = { &truths, &f };

		for (uint64_t seed = 0; seed < seeds; seed++)
			one_seed(&whole, &places, among, seed, holes, &c);
		print(dir, holes, &f);
		add(&sums[holes], &f);
	}
	free(truths.list);
	free_places(&places);
	run_free(&whole);
	trace_free(&t);
}

int main(int argc, char **argv)
{
	struct found sums[2] = { { 0 }, { 0 } };

	if (argc < 3) {
		fputs("usage: loss SEEDS DIRECTORY...\n", stderr);
		return 2;
	}
	puts("trace\tway\tevents\ttaken\tright\twrong\twrong_gap\tlate\topen"
	     "\tlost");
	for (int i = 2; i < argc; i++)
		one_trace(argv[i], strtoull(argv[1], NULL, 10), sums);
	print("all", true, &sums[1]);
	print("all", false, &sums[0]);
	return 0;
}
