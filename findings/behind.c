/* SPDX-License-Identifier: GPL-2.0-only */
/* How long requests take while others are in flight; see behind.h. */
#include <errno.h>

#include "base/hint.h"
#include "base/histogram.h"
#include "findings/behind.h"
#include "findings/finding.h"
#include "findings/served.h"

/* --- times ---------------------------------------------------------------- */

/* requests of a kind before its median counts */
enum { FEW = 10 };

void times_free(struct times *t)
{
	for (int op = 0; op < SERVED_OPS; op++)
		for (int size = 0; size < SERVED_SIZES; size++)
			histogram_free(&t->device[op][size]);
	histogram_free(&t->all);
}

uint64_t times_median(const struct histogram *h)
{
	return h->count ? histogram_kth(h, h->count / 2 + 1) : 0;
}

/* whether medians are renewed at this count */
static bool due(uint64_t count)
{
	if (LIKELY(count >= 1024))
		return count % 1024 == 0;
	return !(count & (count - 1)) || count == FEW;
}

static int merge_all(const struct times *t, struct histogram *all)
{
	int err = 0;

	for (int op = 0; op < SERVED_OPS && !err; op++)
		for (int size = 0; size < SERVED_SIZES && !err; size++)
			err = histogram_merge(all, &t->device[op][size]);
	return err;
}

static int renew_usual(struct times *t)
{
	struct histogram all = { 0 };
	int err = merge_all(t, &all);

	if (!err) {
		t->usual = times_median(&all);
		t->usual_count = t->count;
	}
	histogram_free(&all);
	return err;
}

int times_usual_of_all(struct times *t, uint64_t *usual)
{
	int err = 0;

	if (t->count > t->usual_count + t->usual_count / 8)
		err = renew_usual(t);
	*usual = t->usual;
	return err;
}

int times_add(struct times *t, const struct served *s)
{
	struct histogram *h = &t->device[s->op][s->size];
	int err = histogram_add(h, served_device_time(s));

	if (err)
		return err;
	if (h->count >= FEW && due(h->count))
		t->medians[s->op][s->size] = times_median(h);
	t->count++;
	return 0;
}

uint64_t times_usual(const struct times *t, const struct served *s)
{
	return t->medians[s->op][s->size];
}

int times_end(struct times *t)
{
	return merge_all(t, &t->all);
}

uint64_t times_percentile(const struct times *t, uint32_t p)
{
	uint64_t k = histogram_rank(t->all.count, p);

	return k ? histogram_kth(&t->all, k) : 0;
}

/* --- behind --------------------------------------------------------------- */

static const uint64_t AFTER = 10000000;	/* ns that a process keeps working */

enum {
	LARGE = 65536,		/* bytes of a large write */
	LOOK = 64,		/* requests between looks */
	EACH = 64, SOME = 8,	/* medians: the first of these, then every
				 * eighth */
};

static void kind_free(struct behind_kind *k)
{
	histogram_free(&k->lengths);
	for (int i = 0; i < SERVED_SIZES; i++) {
		histogram_free(&k->during[i]);
		histogram_free(&k->else_[i]);
	}
	*k = (struct behind_kind){ 0 };
}

void behind_free(struct behind *b)
{
	for (int i = 0; i < BEHIND_WHATS; i++)
		kind_free(&b->kinds[i]);
	for (int op = 0; op < SERVED_OPS; op++)
		for (int i = 0; i < SERVED_SIZES; i++)
			histogram_free(&b->all[op][i]);
}

static uint32_t bit(enum behind_what what)
{
	return 1U << what;
}

/* the kinds of a request, as bits */
static inline uint32_t kinds_of(const struct behind *b, const struct served *s,
				uint32_t process)
{
	uint32_t of = 0;

	if (s->op == SERVED_WRITE && s->bytes >= LARGE)
		of |= bit(BEHIND_WRITES);
	if (s->op == SERVED_DISCARD)
		of |= bit(BEHIND_DISCARDS);
	/* processes without a number are not followed */
	if (process == PROCESSES_OTHERS)
		return of;
#pragma GCC unroll 4
	for (int i = 0; i < BEHIND_FOLLOWED; i++)
		if (b->processes[i] == process)
			of |= bit(BEHIND_PROCESSES + i);
	return of;
}

/* those that a request may have to wait for */
static inline uint32_t kinds_before(enum served_op op)
{
	static const uint32_t before[SERVED_OPS] = {
		[SERVED_READ] = (1U << BEHIND_WHATS) - 1,
		[SERVED_WRITE] = 1U << BEHIND_DISCARDS,
		[SERVED_OTHER] = 1U << BEHIND_DISCARDS,
	};

	return before[op];
}

/* The first of its kind: all earlier requests waited for none. */
static int begin_kind(struct behind *b, enum behind_what what)
{
	struct behind_kind *k = &b->kinds[what];
	int err = 0;

	b->ever |= bit(what);
	for (int op = 0; op < SERVED_OPS && !err; op++)
		for (int i = 0; i < SERVED_SIZES && !err; i++)
			if (kinds_before(op) & bit(what))
				err = histogram_merge(&k->else_[i],
						      &b->all[op][i]);
	return err;
}

static int measure(struct behind_kind *k, uint64_t length)
{
	uint64_t count = ++k->count;
	int err = 0;

	if (count <= EACH || count % SOME == 0)
		err = histogram_add(&k->lengths, length);
	if (!err && (!(count & (count - 1)) || count % 1024 == 0))
		k->usual = times_median(&k->lengths);
	return err;
}

static int add_culprit(struct behind_kind *k, const struct served *s,
		       uint64_t more)
{
	uint64_t length = served_time(s) + more, until;
	int err = measure(k, length);

	if (length > 2 * k->usual)
		length = 2 * k->usual;
	until = s->at[SERVED_BEGUN] + length;
	if (until > k->until)
		k->until = until;
	return err;
}

static inline int add_victim(struct behind_kind *k, const struct served *s,
			     unsigned int cell)
{
	bool during = s->at[SERVED_BEGUN] < k->until;
	struct histogram *sizes = during ? k->during : k->else_;

	return histogram_add_cell(&sizes[s->size], served_time(s), cell);
}

/* A request that may have waited for each of these kinds. */
static inline int add_victims(struct behind *b, const struct served *s,
			      uint32_t kinds)
{
	unsigned int cell = histogram_cell(served_time(s));
	int err = 0;

#pragma GCC unroll 4
	for (int i = 0; i < BEHIND_WHATS; i++)
		if (kinds & bit(i))
			err |= add_victim(&b->kinds[i], s, cell);
	if (kinds_before(s->op) & ~b->ever)
		err |= histogram_add_cell(&b->all[s->op][s->size],
					  served_time(s), cell);
	return err ? -ENOMEM : 0;
}

/* the followed process with the fewest bytes, or a free place */
static struct behind_kind *least(struct behind *b, const struct processes *p)
{
	struct behind_kind *found = &b->kinds[BEHIND_PROCESSES];

	for (int i = BEHIND_PROCESSES; i < BEHIND_WHATS; i++) {
		struct behind_kind *k = &b->kinds[i];

		if (!k->followed)
			return k;
		if (p->list[k->process].bytes < p->list[found->process].bytes)
			found = k;
	}
	return found;
}

/* whether it is the turn of a process that is not followed */
static bool is_looked_at(const struct behind *b, const struct processes *p,
			 uint32_t process)
{
	return process != PROCESSES_OTHERS &&
	       (b->followed < BEHIND_FOLLOWED ||
		p->list[process].counts[PROCESSES_ALL] % LOOK == 0);
}

/* its place, or NULL */
static struct behind_kind *take_place(struct behind *b,
				      const struct processes *p,
				      uint32_t process)
{
	struct behind_kind *k = least(b, p);

	if (!k->followed)
		return k;
	if (p->list[process].bytes <= p->list[k->process].bytes)
		return NULL;
	kind_free(k);
	b->begun &= ~bit((enum behind_what)(k - b->kinds));
	b->followed--;
	return k;
}

static int follow(struct behind *b, const struct processes *p, uint32_t process)
{
	struct behind_kind *k = take_place(b, p, process);
	bool first;

	if (!k)
		return 0;
	/* a free place: this is its first request */
	first = !(b->ever & bit((enum behind_what)(k - b->kinds)));
	b->followed++;
	k->process = process;
	k->followed = true;
	b->processes[k - b->kinds - BEHIND_PROCESSES] = process;
	return first ? begin_kind(b, (enum behind_what)(k - b->kinds)) : 0;
}

static APART int add_to_kind(struct behind *b, enum behind_what what,
			     const struct served *s)
{
	struct behind_kind *k = &b->kinds[what];
	int err = 0;

	if (!k->count && !k->followed)
		err = begin_kind(b, what);
	b->begun |= bit(what);
	return err ? err : add_culprit(k, s, what < BEHIND_PROCESSES
					     ? 0 : AFTER);
}

int behind_add(struct behind *b, const struct processes *p,
	       const struct served *s)
{
	uint32_t process = processes_first(p, s->process);
	uint32_t of = kinds_of(b, s, process);
	int err = 0;

	if (!(of >> BEHIND_PROCESSES) && is_looked_at(b, p, process)) {
		err = follow(b, p, process);
		of = kinds_of(b, s, process);
	}
	if (!err)
		err = add_victims(b, s, b->begun & kinds_before(s->op) & ~of);
	for (; of && !err; of &= of - 1)
		err = add_to_kind(b, (enum behind_what)__builtin_ctz(of), s);
	return err;
}

bool behind_proves(const struct behind_kind *k, uint64_t count,
		   uint64_t ratio, uint64_t more, struct behind_proof *proof)
{
	*proof = (struct behind_proof){ 0 };
	for (int i = 0; i < SERVED_SIZES; i++) {
		uint64_t a = times_median(&k->during[i]);
		uint64_t b = times_median(&k->else_[i]);

		if (k->during[i].count < count || k->else_[i].count < count ||
		    !b || a < b + more ||
		    wide_less(wide_of(a), wide_over(wide_product(b, ratio),
						    1000)))
			continue;
		if (k->during[i].count > proof->count)
			*proof = (struct behind_proof){ a, b,
							k->during[i].count };
	}
	return proof->count;
}
