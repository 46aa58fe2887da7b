/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issues and their completions; see pairs.h.
 *
 * An event that waits has a place in an array, is found by a hash of what makes
 * a pair, and stands in a queue, the one that came last at its end.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/hash.h"
#include "record/record.h"
#include "tools/blkiomon/pairs.h"

/* --- pairs ---------------------------------------------------------------- */

enum {
	NONE = UINT32_MAX,
	FIRST_PLACES = 1024,
	LISTS = 128,		/* 1.3.0: leftovers come in their order */
	/* these bits of the action must agree */
	AGREE = BLK_TC_ACT(BLK_TC_READ) | BLK_TC_ACT(BLK_TC_WRITE) |
		BLK_TC_ACT(BLK_TC_FS) | BLK_TC_ACT(BLK_TC_PC),
};

struct place {
	struct seen seen;
	uint32_t before, after;	/* in the queue; after: in the free list, too */
};

struct pairs {
	struct place *places;
	size_t size;		/* of places, */
	uint32_t used;		/* and how many ever were in use */
	uint32_t unused;	/* free list */
	uint32_t first, last;	/* of the queue */
	uint64_t seed;	/* of the keys */
	struct hash by_key;	/* key to number of the place */
	uint64_t forgotten;
	struct seen given_up;	/* the older one of the last mismatch */
};

struct pairs *pairs_new(void)
{
	struct pairs *ps = calloc(1, sizeof(*ps));

	if (!ps)
		return NULL;
	ps->unused = ps->first = ps->last = NONE;
	ps->seed = hash_seed();
	return ps;
}

void pairs_free(struct pairs *ps)
{
	if (!ps)
		return;
	hash_free(&ps->by_key);
	free(ps->places);
	free(ps);
}

static uint64_t key_of(const struct pairs *ps, const struct event *ev)
{
	uint64_t rest = (uint64_t)ev->device << 32 | (ev->action & AGREE) >> 16;

	return ev->sector ^ hash_mix(ps->seed, rest);
}

static bool agree(const struct event *a, const struct event *b)
{
	return a->sector == b->sector && a->device == b->device &&
	       !((a->action ^ b->action) & AGREE);
}

/* --- places ------------------------------------------------------------- */

static int grow(struct pairs *ps)
{
	struct place *places = array_reserve(ps->places, ps->used, &ps->size,
					     FIRST_PLACES, sizeof(*places));

	if (!places)
		return -ENOMEM;
	ps->places = places;
	return 0;
}

static void enqueue(struct pairs *ps, uint32_t i)
{
	struct place *p = &ps->places[i];

	p->before = ps->last;
	p->after = NONE;
	if (ps->last == NONE)
		ps->first = i;
	else
		ps->places[ps->last].after = i;
	ps->last = i;
}

static void dequeue(struct pairs *ps, uint32_t i)
{
	struct place *p = &ps->places[i];

	if (p->before == NONE)
		ps->first = p->after;
	else
		ps->places[p->before].after = p->after;
	if (p->after == NONE)
		ps->last = p->before;
	else
		ps->places[p->after].before = p->before;
}

/* The place is free, what stands there can be read until the next call. */
static void leave(struct pairs *ps, uint32_t i)
{
	struct place *p = &ps->places[i];

	dequeue(ps, i);
	hash_del(&ps->by_key, key_of(ps, &p->seen.ev));
	p->after = ps->unused;
	ps->unused = i;
}

static void forget(struct pairs *ps, uint32_t i)
{
	leave(ps, i);
	ps->forgotten++;
}

static int wait(struct pairs *ps, const struct event *ev, uint64_t order)
{
	uint32_t i;

	if (ps->by_key.count == PAIRS_MAX)
		forget(ps, ps->first);
	i = ps->unused;
	if (i != NONE)
		ps->unused = ps->places[i].after;
	else if (ps->used < ps->size || !grow(ps))
		i = ps->used++;
	else
		return -ENOMEM;
	ps->places[i].seen = (struct seen){ *ev, order };
	enqueue(ps, i);
	return hash_put_number(&ps->by_key, key_of(ps, ev), i);
}

/* The place of the event that ev belongs to, or NONE. */
static uint32_t find(struct pairs *ps, const struct event *ev)
{
	int64_t i = hash_get_number(&ps->by_key, key_of(ps, ev));

	if (i < 0)
		return NONE;
	if (agree(&ps->places[i].seen.ev, ev))
		return (uint32_t)i;
	/* two that have a key in common by the rarest of chances */
	forget(ps, (uint32_t)i);
	return NONE;
}

/* --- pairs -------------------------------------------------------------- */

static bool is_match(const struct pair *p)
{
	return p->older->action & BLK_TC_ACT(BLK_TC_ISSUE) &&
	       p->younger->action & BLK_TC_ACT(BLK_TC_COMPLETE);
}

/* The event at place i gives way to ev, which is younger. */
static void give_way(struct pairs *ps, uint32_t i, const struct event *ev,
		     uint64_t order, struct pair *p)
{
	struct seen *seen = &ps->places[i].seen;

	ps->given_up = *seen;
	*seen = (struct seen){ *ev, order };
	p->older = &ps->given_up.ev;
}

int pairs_add(struct pairs *ps, const struct event *ev, uint64_t order,
	      struct pair *p)
{
	uint32_t i = find(ps, ev);
	const struct seen *other;

	if (i == NONE)
		return wait(ps, ev, order) ? -ENOMEM : PAIR_WAITS;
	other = &ps->places[i].seen;
	if (other->ev.time < ev->time)
		*p = (struct pair){ &other->ev, ev, other->order, order };
	else
		*p = (struct pair){ ev, &other->ev, order, other->order };
	if (is_match(p)) {
		leave(ps, i);
		return PAIR_MATCH;
	}
	if (p->younger == ev)
		give_way(ps, i, ev, order, p);
	/* the younger one waits as if it had just come */
	dequeue(ps, i);
	enqueue(ps, i);
	return PAIR_MISMATCH;
}

/* --- leftovers ---------------------------------------------------------- */

static unsigned int list_of(const struct pairs *ps, uint32_t i)
{
	return ps->places[i].seen.ev.sector % LISTS;
}

/* All that wait to sorted[]: list by list, backwards along the queue. */
static void sort(const struct pairs *ps, uint32_t *sorted)
{
	uint32_t starts[LISTS + 1] = { 0 };

	for (uint32_t i = ps->last; i != NONE; i = ps->places[i].before)
		starts[list_of(ps, i) + 1]++;
	for (unsigned int l = 0; l < LISTS; l++)
		starts[l + 1] += starts[l];
	for (uint32_t i = ps->last; i != NONE; i = ps->places[i].before)
		sorted[starts[list_of(ps, i)]++] = i;
}

int pairs_leftovers(const struct pairs *ps, void *ctx,
		    void (*show)(void *ctx, const struct seen *s))
{
	size_t count = ps->by_key.count;
	uint32_t *sorted = malloc((count + 1) * sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	sort(ps, sorted);
	for (size_t i = 0; i < count; i++)
		show(ctx, &ps->places[sorted[i]].seen);
	free(sorted);
	return 0;
}

uint64_t pairs_waiting(const struct pairs *ps)
{
	return ps->by_key.count;
}

uint64_t pairs_forgotten(const struct pairs *ps)
{
	return ps->forgotten;
}

/* --- debug ---------------------------------------------------------------- */

/* how a value is shown; 1.3.0: 32 bits are signed */
enum kind { MAGIC, ACTION, SIGNED_32, SIGNED_64, UNSIGNED_16 };

struct field {
	const char *name;
	enum kind kind;
	size_t at;		/* in struct seen, for the last three */
};

static const struct field fields[] = {
	{ "magic", MAGIC, 0 },
	{ "sequence", SIGNED_32, offsetof(struct seen, ev.sequence) },
	{ "time", SIGNED_64, offsetof(struct seen, ev.time) },
	{ "sector", SIGNED_64, offsetof(struct seen, ev.sector) },
	{ "bytes", SIGNED_32, offsetof(struct seen, ev.bytes) },
	{ "action", ACTION, 0 },
	{ "pid", SIGNED_32, offsetof(struct seen, ev.pid) },
	{ "device", SIGNED_32, offsetof(struct seen, ev.device) },
	{ "cpu", SIGNED_32, offsetof(struct seen, ev.cpu) },
	{ "error", UNSIGNED_16, offsetof(struct seen, ev.error) },
	{ "pdu_len", UNSIGNED_16, offsetof(struct seen, ev.pdu_len) },
	{ "order", SIGNED_64, offsetof(struct seen, order) },
};

static int64_t number(const struct seen *s, const struct field *f)
{
	const uint8_t *at = (const uint8_t *)s + f->at;

	switch (f->kind) {
	case SIGNED_32:
		return (int32_t)get32(at);
	case SIGNED_64:
		return (int64_t)get64(at);
	case UNSIGNED_16:
		return get16(at);
	default:
		return (int64_t)(BLK_MAGIC | s->ev.version);
	}
}

/* One line: the field of each of the columns. */
static void line(FILE *out, const struct field *f,
		 const struct seen *const *columns, unsigned int count)
{
	fprintf(out, "%-8s", f->name);
	for (unsigned int i = 0; i < count; i++) {
		const struct event *ev = &columns[i]->ev;

		if (f->kind == ACTION)
			fprintf(out, " %16" PRIx64,
				(uint64_t)ev->zone << 32 | ev->action);
		else
			fprintf(out, " %16" PRId64, number(columns[i], f));
	}
	fputc('\n', out);
}

static void show(FILE *out, const struct seen *const *columns,
		 unsigned int count)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		line(out, &fields[i], columns, count);
}

void debug_mismatch(FILE *out, const struct pair *p)
{
	const struct seen older = { *p->older, p->older_order };
	const struct seen younger = { *p->younger, p->younger_order };
	const struct seen *const columns[] = { &older, &younger };

	fputs("--- mismatch ---\n", out);
	show(out, columns, 2);
}

void debug_leftover(FILE *out, const struct seen *s)
{
	fputs("--- leftover ---\n", out);
	show(out, &s, 1);
}

void debug_counts(FILE *out, const struct counts *c)
{
	fprintf(out, "%" PRIu64 " leftover, %" PRIu64 " match, %" PRIu64
		" mismatch, %" PRIu64 " driverdata, %" PRIu64 " overall\n",
		c->leftovers, c->matches, c->mismatches, c->driver_data,
		c->records);
}
