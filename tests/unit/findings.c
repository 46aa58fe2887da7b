/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings: each fault is found on the disks that have it, and nothing on
 * healthy ones.
 */
#include "findings/findings.h"
#include "findings/rules.h"
#include "findings/words.h"
#include "made_recipes.h"
#include "rounds.h"

enum { SEEDS = 6, HEALTHY = 20 };

static struct device disk = { .id = 0, .number = 8 << 20 };

/* ios in the order in which they end; those without an end last */
static int by_end(const void *a, const void *b)
{
	const struct io *x = a, *y = b;
	uint64_t ends = x->total == IO_NONE ? IO_NONE : x->time + x->total;
	uint64_t other = y->total == IO_NONE ? IO_NONE : y->time + y->total;

	if (ends != other)
		return ends < other ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* wholes and empty flushes that stand beside some records */
static bool beside(const struct made_disk *d, size_t i, struct io *io)
{
	const struct made *m = &d->list[i];

	if (!m->part && m->op != IO_FLUSH_OP)
		return false;
	if (m->part && d->list[i].sector % 2048)
		return false;
	*io = made_io(d, &disk, i);
	io->id += d->count;
	io->kind = IO_BIO;
	io->birth = 'Q';
	io->has = m->part ? 1U << IO_Q2X | 1U << IO_X2C : 1U << IO_PREFLUSH;
	io->rq = m->part ? 0 : io->id;
	io->issued = IO_NONE;
	io->issues = 0;
	io->categories = m->part ? CAT(WRITE) : CAT(WRITE) | CAT(FLUSH);
	return true;
}

static struct io *records(const struct made_disk *d, size_t *count)
{
	struct io *ios = calloc(2 * d->count, sizeof(*ios));

	*count = 0;
	for (size_t i = 0; i < d->count; i++) {
		if (d->list[i].gone)
			continue;
		ios[(*count)++] = made_io(d, &disk, i);
		if (beside(d, i, &ios[*count]))
			++*count;
	}
	qsort(ios, *count, sizeof(*ios), by_end);
	return ios;
}

static uint64_t missing(const struct made_disk *d)
{
	uint64_t count = 0;

	for (size_t i = 0; i < d->count; i++)
		count += d->list[i].gone;
	return count;
}

/* what is found on a disk; so many records are said to be lost beside */
static struct findings *look_at(const struct made_disk *d, uint64_t lost)
{
	uint64_t gone = missing(d), length = 0;
	struct findings_facts facts = { .lost = 5 * gone + lost,
					.dropped = 5 * gone + lost,
					.missing = gone };
	struct findings *f;
	size_t count;
	struct io *ios = records(d, &count);

	assert_int_equal(findings_new(&f, made_name, NULL), 0);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(findings_io(f, &ios[i]), 0);
		if (ios[i].total != IO_NONE)
			length = ios[i].time + ios[i].total;
	}
	assert_int_equal(findings_device(f, &disk, &facts), 0);
	assert_int_equal(findings_end(f, 0, d->ends ? d->ends : length), 0);
	free(ios);
	return f;
}

static struct findings *try_losing(void (*make)(struct made_disk *),
				   void (*spoil)(struct made_disk *),
				   uint64_t seed, uint64_t lost)
{
	struct made_disk d = made_plain(seed);
	struct findings *f;

	make(&d);
	made_run(&d);
	if (spoil)
		spoil(&d);
	f = look_at(&d, lost);
	made_free(&d);
	return f;
}

static struct findings *try(void (*make)(struct made_disk *),
			    void (*spoil)(struct made_disk *), uint64_t seed)
{
	return try_losing(make, spoil, seed, 0);
}

/* the rules that were found: 1 << rule */
static uint32_t found_in(const struct findings *f)
{
	uint32_t found = 0;

	for (size_t i = 0; i < findings_count(f); i++)
		found |= 1U << findings_get(f, i)->rule;
	return found;
}

static bool leads(const struct finding *f)
{
	return findings_rules[f->rule].leads;
}

/* the gravest first, then what explains the others, then what took most time; what was not found is last */
static void check_order(const struct findings *f)
{
	for (size_t i = 1; i < findings_tried(f); i++) {
		const struct finding *a = findings_get(f, i - 1);
		const struct finding *b = findings_get(f, i);

		assert_int_equal(b->state == FINDING_FOUND,
				 i < findings_count(f));
		if (i >= findings_count(f))
			continue;
		assert_true(a->severity <= b->severity);
		if (a->severity < b->severity || leads(a))
			continue;
		assert_false(leads(b));
		assert_true(a->time_lost >= b->time_lost);
	}
}

/* a recipe's fault is found, and nothing else but what it brings with it */
static void try_recipe(const struct made_recipe *r, uint64_t seed)
{
	struct findings *f = try(r->make, r->spoil, seed);
	uint32_t found = found_in(f), must = 1U << r->rule;

	check_order(f);
	findings_free(f);
	if (!(found & must))
		fail_msg("%s, seed %d: not found, but %x",
			 finding_rule_name(r->rule), (int)seed, found);
	if (found & ~(must | r->also))
		fail_msg("%s, seed %d: found rules %x, too",
			 finding_rule_name(r->rule), (int)seed, found);
}

/* every recipe six times, and every rule has one, but for changes, which
 * findings_changes tests */
static void test_recipes(void **state)
{
	uint32_t rules_seen = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(made_recipes) / sizeof(made_recipes[0]);
	     i++) {
		const struct made_recipe *r = &made_recipes[i];

		rules_seen |= 1U << r->rule;
		for (uint64_t seed = 1; seed <= (uint64_t)rounds(SEEDS); seed++)
			try_recipe(r, seed * 77);
	}
	for (int i = 0; i < FINDING_RULES; i++)
		if (findings_rules[i].cause == CHANGE_NONE)
			assert_true(rules_seen & 1U << i);
}

static void test_healthy(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(made_healthy) / sizeof(made_healthy[0]);
	     i++)
		for (uint64_t seed = 1; seed <= (uint64_t)rounds(HEALTHY); seed++) {
			struct findings *f = try(made_healthy[i], NULL,
						 seed * 1001);

			if (findings_count(f))
				fail_msg("disk %d, seed %d: found %x", (int)i,
					 (int)seed, found_in(f));
			findings_free(f);
		}
}

/* what looks like a fault, and is none */
static void test_twins(void **state)
{
	static const struct {
		enum finding_rule rule;
		void (*make)(struct made_disk *d);
		void (*spoil)(struct made_disk *d);
		uint64_t lost;
	} twins[] = {
		{ FINDING_SLOW_REGION, make_scattered, NULL, 0 },
		{ FINDING_SPLIT, make_split_freely, NULL, 0 },
		{ FINDING_SPLIT, make_split_cache, NULL, 0 },
		{ FINDING_PERIODIC, make_noise, NULL, 0 },
		{ FINDING_SATURATION, make_deep, NULL, 0 },
		{ FINDING_ONE_CPU, make_two_cpus, NULL, 0 },
		/* completions may be among what was lost */
		{ FINDING_STUCK, make_clean, spoil_stuck, 1 },
		{ FINDING_STALL, make_stall, NULL, 1 },
		{ FINDING_STUCK, make_hang, spoil_hang, 1 },
		{ FINDING_STALL, make_hang, spoil_hang, 1 },
		/* I/O in flight when the trace ends */
		{ FINDING_STUCK, make_cut, spoil_cut, 0 },
		{ FINDING_STALL, make_cut, spoil_cut, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
		for (uint64_t seed = 1; seed <= (uint64_t)rounds(SEEDS); seed++) {
			struct findings *f = try_losing(twins[i].make,
							twins[i].spoil,
							seed * 7,
							twins[i].lost);

			assert_false(found_in(f) & 1U << twins[i].rule);
			findings_free(f);
		}
	}
}

/* ios that are open at both ends of a trace are missing, but none is lost */
static void test_not_lost(void **state)
{
	struct findings_facts facts = { .missing = 100 };
	struct findings *f;

	(void)state;
	for (int i = 0; i < 2; i++, facts.lost = 1) {
		assert_int_equal(findings_new(&f, NULL, NULL), 0);
		assert_int_equal(findings_device(f, &disk, &facts), 0);
		assert_int_equal(findings_end(f, 0, SECOND), 0);
		assert_int_equal(findings_count(f), i);
		findings_free(f);
	}
}

/* --- hostile ------------------------------------------------------------- */

static uint64_t wild(uint64_t *seed)
{
	uint64_t v = (uint64_t)chance(seed) << 33 ^
		     (uint64_t)chance(seed) << 16 ^ chance(seed);

	/* small ones, and those at the ends of what there is */
	return chance(seed) % 4 ? v >> chance(seed) % 64
				: UINT64_MAX - chance(seed) % 3;
}

/* one whose numbers fit together in no way */
static struct io wild_io(uint64_t *seed, const struct device *disks)
{
	struct io io = made_blank(&disks[chance(seed) % 300], wild(seed));

	io.rq = chance(seed) % 4 ? io.id : wild(seed);
	io.kind = chance(seed) % IO_KINDS;
	io.op = chance(seed) % IO_OPS;
	io.ended = chance(seed) % 2 ? IO_ENDED_C : chance(seed) % IO_ENDINGS;
	io.birth = chance(seed) % 4 ? 'Q' : 'D';
	io.gap = chance(seed) % 16 == 0;
	io.sector = wild(seed);
	io.bytes = wild(seed);
	io.categories = (uint32_t)wild(seed);
	io.pid = (uint32_t)wild(seed);
	io.error = chance(seed) % 8 ? 0 : (uint16_t)wild(seed);
	io.time = wild(seed);
	io.total = wild(seed);
	io.issued = wild(seed);
	io.has = chance(seed);
	for (int i = 0; i < IO_PHASES; i++)
		io.phase[i] = wild(seed);
	io.issues = (uint32_t)wild(seed);
	io.requeues = (uint32_t)wild(seed);
	io.rq_bytes = wild(seed);
	io.rq_ios = (uint32_t)wild(seed);
	io.cpu_d = (uint32_t)wild(seed);
	io.cpu_c = (uint32_t)wild(seed);
	return io;
}

/* No number can do harm, and what is found of it can be said. */
static void test_wild(void **state)
{
	struct device *disks = calloc(300, sizeof(*disks));
	char text[FINDING_TEXT_MAX];
	struct findings *f;
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 6; round++) {
		assert_int_equal(findings_new(&f, NULL, NULL), 0);
		for (int i = 0; i < rounds(20000); i++) {
			struct io io = wild_io(&seed, disks);

			if (round % 2)
				io.disk = disks;
			assert_int_equal(findings_io(f, &io), 0);
		}
		assert_int_equal(findings_end(f, wild(&seed), wild(&seed)), 0);
		assert_int_equal(findings_tried(f), FINDING_RULES *
				 (round % 2 ? 1 : FINDINGS_DEVICES));
		for (size_t i = 0; i < findings_tried(f); i++)
			assert_true(finding_sentence(text, findings_get(f, i),
						     NULL) > 0);
		findings_free(f);
	}
	free(disks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recipes),
		cmocka_unit_test(test_healthy),
		cmocka_unit_test(test_twins),
		cmocka_unit_test(test_not_lost),
		cmocka_unit_test(test_wild),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
