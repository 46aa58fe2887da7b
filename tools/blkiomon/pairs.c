/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Issues and their completions; see pairs.h.
 *
 * An event that waits has a place in an array, is found by a hash of what makes
 * a pair, and stands in a queue, the one that came last at its end.
 *
 * The table of chains has four times as many as there are places in use, so that
 * nearly all are of one place or none: a search of unpredictable length costs
 * more than all else here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "record/record.h"
#include "tools/blkiomon/pairs.h"

/* --- pairs ---------------------------------------------------------------- */

enum {
	NONE,			/* the place that is the queue's both ends */
	FIRST_PLACES = 1024,
	FIRST_CHAINS = 1024,	/* a power of two */
	SPARSE = 4,		/* chains for each event that waits */
	LISTS = 128,		/* 1.3.0: leftovers come in their order */
	/* these categories must agree */
	AGREE = BLK_TC_BIT(BLK_TC_READ) | BLK_TC_BIT(BLK_TC_WRITE) |
		BLK_TC_BIT(BLK_TC_FS) | BLK_TC_BIT(BLK_TC_PC),
};

struct place {
	uint32_t before, after;	/* in the queue; after: in the free list, too */
	uint32_t next;		/* in its chain, or NONE */
	uint32_t hash;
	struct seen seen;	/* or the start of a struct seen_whole */
};

struct pairs {
	uint8_t *places;	/* named by where they start */
	uint32_t stride;	/* bytes of one */
	bool whole;
	size_t size;		/* of places, in bytes, */
	uint32_t used;		/* and how much was ever in use, with NONE */
	uint32_t unused;	/* free list */
	uint32_t waiting;
	uint32_t *chains;	/* their first places, or NONE */
	uint32_t mask;		/* number of chains minus 1 */
	uint64_t seed;		/* of the hashes */
	uint64_t forgotten;
	struct seen_whole given_up;	/* the older one of the last mismatch */
};

static inline struct place *place_of(const struct pairs *ps, uint32_t i)
{
	return (struct place *)(ps->places + i);
}

static inline uint32_t *chain_of(const struct pairs *ps, uint32_t hash)
{
	return &ps->chains[hash & ps->mask];
}

static int grow_places(struct pairs *ps)
{
	size_t size = ps->size ? 2 * ps->size : FIRST_PLACES * ps->stride;
	uint8_t *places = realloc(ps->places, size);

	if (!places)
		return -ENOMEM;
	ps->places = places;
	ps->size = size;
	return 0;
}

/* Makes room for one more in the chains, of which there are none at first. */
static COLD int grow_chains(struct pairs *ps)
{
	uint32_t size = ps->chains ? 2 * (ps->mask + 1) : FIRST_CHAINS;
	uint32_t *chains = calloc(size, sizeof(*chains));

	if (!chains)
		return -ENOMEM;
	free(ps->chains);
	ps->chains = chains;
	ps->mask = size - 1;
	for (uint32_t i = place_of(ps, NONE)->after; i != NONE;
	     i = place_of(ps, i)->after) {
		struct place *p = place_of(ps, i);
		uint32_t *chain = chain_of(ps, p->hash);

		p->next = *chain;
		*chain = i;
	}
	return 0;
}

struct pairs *pairs_new(bool whole)
{
	struct pairs *ps = calloc(1, sizeof(*ps));

	if (!ps)
		return NULL;
	ps->whole = whole;
	ps->stride = (uint32_t)(offsetof(struct place, seen) +
				seen_size(whole));
	ps->seed = hash_seed();
	if (grow_places(ps)) {
		pairs_free(ps);
		return NULL;
	}
	*place_of(ps, NONE) = (struct place){ .before = NONE, .after = NONE };
	ps->used = ps->stride;
	if (grow_chains(ps)) {
		pairs_free(ps);
		return NULL;
	}
	return ps;
}

void pairs_free(struct pairs *ps)
{
	if (!ps)
		return;
	free(ps->chains);
	free(ps->places);
	free(ps);
}

static uint32_t hash_of(const struct pairs *ps, const struct seen *s)
{
	uint64_t rest = (uint64_t)s->device << 32 | (s->categories & AGREE);
	uint64_t key = s->sector ^ hash_mix(ps->seed, rest);

	return (uint32_t)hash_home(ps->seed, key, UINT32_MAX);
}

static bool agree(const struct seen *a, const struct seen *b)
{
	return a->sector == b->sector && a->device == b->device &&
	       !((a->categories ^ b->categories) & AGREE);
}

/* --- places ------------------------------------------------------------- */

static inline void enqueue(struct pairs *ps, uint32_t i)
{
	struct place *p = place_of(ps, i), *ends = place_of(ps, NONE);

	p->before = ends->before;
	p->after = NONE;
	place_of(ps, ends->before)->after = i;
	ends->before = i;
}

static inline void dequeue(struct pairs *ps, const struct place *p)
{
	place_of(ps, p->before)->after = p->after;
	place_of(ps, p->after)->before = p->before;
}

/* The place to which *link leads is free; what stands there can be read until
 * the next call. */
static inline void leave(struct pairs *ps, uint32_t *link)
{
	uint32_t i = *link;
	struct place *p = place_of(ps, i);

	*link = p->next;
	dequeue(ps, p);
	p->after = ps->unused;
	ps->unused = i;
	ps->waiting--;
}

static COLD void forget_first(struct pairs *ps)
{
	uint32_t i = place_of(ps, NONE)->after;
	uint32_t *link = chain_of(ps, place_of(ps, i)->hash);

	while (*link != i)
		link = &place_of(ps, *link)->next;
	leave(ps, link);
	ps->forgotten++;
}

/* A place that is free now, or NONE: no memory. */
static inline uint32_t free_place(struct pairs *ps)
{
	uint32_t i = ps->unused;

	if (LIKELY(i != NONE)) {
		ps->unused = place_of(ps, i)->after;
		return i;
	}
	if (ps->used == ps->size && grow_places(ps))
		return NONE;
	i = ps->used;
	ps->used += ps->stride;
	return i;
}

static inline int wait(struct pairs *ps, const struct seen *s, uint32_t hash)
{
	uint32_t i, *chain;
	struct place *p;

	if (ps->waiting == PAIRS_MAX)
		forget_first(ps);
	if (ps->waiting * SPARSE > ps->mask && grow_chains(ps))
		return -ENOMEM;
	i = free_place(ps);
	if (i == NONE)
		return -ENOMEM;
	chain = chain_of(ps, hash);
	p = place_of(ps, i);
	p->next = *chain;
	p->hash = hash;
	seen_copy(&p->seen, s, ps->whole);
	*chain = i;
	enqueue(ps, i);
	ps->waiting++;
	return 0;
}

/* What leads to the place of the event that s belongs to, or to NONE. */
static inline uint32_t *find(struct pairs *ps, const struct seen *s,
			     uint32_t hash)
{
	uint32_t *link = chain_of(ps, hash);

	while (*link != NONE) {
		struct place *p = place_of(ps, *link);

		if (agree(&p->seen, s))
			break;
		link = &p->next;
	}
	return link;
}

/* --- pairs -------------------------------------------------------------- */

static bool is_match(const struct pair *p)
{
	return p->older->categories & BLK_TC_BIT(BLK_TC_ISSUE) &&
	       p->younger->categories & BLK_TC_BIT(BLK_TC_COMPLETE);
}

/* The event at a place gives way to s, which is younger. */
static void give_way(struct pairs *ps, struct place *place,
		     const struct seen *s, struct pair *p)
{
	seen_copy(&ps->given_up, &place->seen, ps->whole);
	seen_copy(&place->seen, s, ps->whole);
	p->older = &ps->given_up.seen;
}

int pairs_add(struct pairs *ps, const struct seen *s, struct pair *p)
{
	uint32_t hash = hash_of(ps, s), *link = find(ps, s, hash), i = *link;
	struct place *other;

	if (i == NONE)
		return wait(ps, s, hash) ? -ENOMEM : PAIR_WAITS;
	other = place_of(ps, i);
	if (other->seen.time < s->time)
		*p = (struct pair){ &other->seen, s };
	else
		*p = (struct pair){ s, &other->seen };
	if (is_match(p)) {
		leave(ps, link);
		return PAIR_MATCH;
	}
	if (p->younger == s)
		give_way(ps, other, s, p);
	/* the younger one waits as if it had just come */
	dequeue(ps, other);
	enqueue(ps, i);
	return PAIR_MISMATCH;
}

/* --- leftovers ---------------------------------------------------------- */

static unsigned int list_of(const struct pairs *ps, uint32_t i)
{
	return place_of(ps, i)->seen.sector % LISTS;
}

/* All that wait to sorted[]: list by list, backwards along the queue. */
static void sort(const struct pairs *ps, uint32_t *sorted)
{
	uint32_t starts[LISTS + 1] = { 0 };
	uint32_t last = place_of(ps, NONE)->before;

	for (uint32_t i = last; i != NONE; i = place_of(ps, i)->before)
		starts[list_of(ps, i) + 1]++;
	for (unsigned int l = 0; l < LISTS; l++)
		starts[l + 1] += starts[l];
	for (uint32_t i = last; i != NONE; i = place_of(ps, i)->before)
		sorted[starts[list_of(ps, i)]++] = i;
}

int pairs_leftovers(const struct pairs *ps, void *ctx,
		    void (*show)(void *ctx, const struct seen *s))
{
	size_t count = ps->waiting;
	uint32_t *sorted = malloc((count + 1) * sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	sort(ps, sorted);
	for (size_t i = 0; i < count; i++)
		show(ctx, &place_of(ps, sorted[i])->seen);
	free(sorted);
	return 0;
}

uint64_t pairs_waiting(const struct pairs *ps)
{
	return ps->waiting;
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
	size_t at;		/* in struct seen_whole, for the last three */
};

static const struct field fields[] = {
	{ "magic", MAGIC, 0 },
	{ "sequence", SIGNED_32, offsetof(struct seen_whole, ev.sequence) },
	{ "time", SIGNED_64, offsetof(struct seen_whole, ev.time) },
	{ "sector", SIGNED_64, offsetof(struct seen_whole, ev.sector) },
	{ "bytes", SIGNED_32, offsetof(struct seen_whole, ev.bytes) },
	{ "action", ACTION, 0 },
	{ "pid", SIGNED_32, offsetof(struct seen_whole, ev.pid) },
	{ "device", SIGNED_32, offsetof(struct seen_whole, ev.device) },
	{ "cpu", SIGNED_32, offsetof(struct seen_whole, ev.cpu) },
	{ "error", UNSIGNED_16, offsetof(struct seen_whole, ev.error) },
	{ "pdu_len", UNSIGNED_16, offsetof(struct seen_whole, ev.pdu_len) },
	{ "order", SIGNED_64, offsetof(struct seen_whole, order) },
};

static int64_t number(const struct seen_whole *s, const struct field *f)
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
		 const struct seen_whole *const *columns, unsigned int count)
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

static void show(FILE *out, const struct seen_whole *const *columns,
		 unsigned int count)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		line(out, &fields[i], columns, count);
}

static const struct seen_whole *whole(const struct seen *s)
{
	return (const struct seen_whole *)s;
}

void debug_mismatch(FILE *out, const struct pair *p)
{
	const struct seen_whole *const columns[] = { whole(p->older),
						     whole(p->younger) };

	fputs("--- mismatch ---\n", out);
	show(out, columns, 2);
}

void debug_leftover(FILE *out, const struct seen *s)
{
	const struct seen_whole *const column = whole(s);

	fputs("--- leftover ---\n", out);
	show(out, &column, 1);
}

void debug_counts(FILE *out, const struct counts *c)
{
	fprintf(out, "%" PRIu64 " leftover, %" PRIu64 " match, %" PRIu64
		" mismatch, %" PRIu64 " driverdata, %" PRIu64 " overall\n",
		c->leftovers, c->matches, c->mismatches, c->driver_data,
		c->records);
}
