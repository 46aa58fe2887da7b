/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What changed on a disk: thirteen causes, at four times and rates each, are found
 * with their process and their time; a hundred minutes of healthy disks have
 * nothing.
 */
#include "findings/course.h"
#include "findings/words.h"
#include "made_recipes.h"
#include "rounds.h"

enum { SEEDS = 4, HEALTHY = 300 };

static struct device disk = { .id = 0, .number = 8 << 20 };

/* of each trace */
static const uint64_t RUN = 20 * SECOND;

/* when the cause is there; by the disk's seed, so that its functions know it */
struct sick {
	uint64_t from, until;
	double much;		/* 0 to 1 */
};

static struct sick sick_of(const struct made_disk *d)
{
	uint64_t seed = d->first_seed;
	struct sick s;

	s.from = 4 * SECOND + chance(&seed) % 6000 * MS;
	s.until = s.from + 2 * SECOND + chance(&seed) % 4000 * MS;
	s.much = chance(&seed) % 1000 / 1000.0;
	return s;
}

static bool is_sick(const struct made_disk *d, uint64_t now)
{
	struct sick s = sick_of(d);

	return now >= s.from && now < s.until;
}

static void load(struct made_disk *d, double rate)
{
	mix_of(d, rate, 0.6, RUN);
}

/* --- causes --------------------------------------------------------------- */

/* fewer I/Os may pass than come */
static void sick_throttled(struct made_disk *d)
{
	struct sick s = sick_of(d);
	double rate = 400 + 800 * s.much;
	uint64_t next = s.from;

	load(d, rate);
	for (size_t i = 0; i < d->count; i++) {
		struct made *m = &d->list[i];

		if (m->queued < s.from || m->queued >= s.until)
			continue;
		next += (uint64_t)(1e9 / (rate * 0.8));
		if (next < m->queued)
			next = m->queued;
		if (next > m->queued && m->queued < s.until)
			m->throttled = (next < s.until ? next : s.until) -
				       m->queued;
	}
}

static void sick_neighbour(struct made_disk *d)
{
	struct sick s = sick_of(d);

	d->servers = 1;
	d->tags = 8;
	d->service = service_neighbour;
	for (uint64_t t = made_gap(d, 200); t < RUN; t += made_gap(d, 200))
		made_add(d, one(d, t, IO_READ,
				chance(&d->seed) % (SPAN / 8) * 8, 8192,
				POSTGRES));
	for (uint64_t t = s.from; t < s.until;
	     t += made_gap(d, 2000 + 200 * s.much))
		made_add(d, one(d, t, IO_READ,
				chance(&d->seed) % (1 << 21) * 8, 65536,
				RSYNC));
}

/* three, five seconds apart */
static void sick_checkpoint(struct made_disk *d)
{
	struct sick s = sick_of(d);

	load(d, 300 + 300 * s.much);
	for (int k = 0; k < 3; k++)
		for (uint32_t i = 0; i < 400 + 400 * s.much; i++)
			made_add(d, one(d, s.from + k * 5 * SECOND + i * 20 * US,
					IO_WRITE, chance(&d->seed) % (1 << 20) * 8,
					8192, CHECKPOINTER));
}

static void sick_region(struct made_disk *d)
{
	d->servers = 32;
	d->service = service_region;
	load(d, 600 + 400 * sick_of(d).much);
}

static bool holds_at_one(struct made_disk *d, const struct made *m,
			 uint64_t now)
{
	(void)m;
	return d->under_way && is_sick(d, now);
}

static void sick_depth(struct made_disk *d)
{
	struct sick s = sick_of(d);

	d->holds = holds_at_one;
	load(d, 1500 + 700 * s.much);
}

static uint64_t service_pause(struct made_disk *d, const struct made *m,
			      uint64_t now)
{
	struct sick s = sick_of(d);
	uint64_t until = s.from + 150 * MS + (uint64_t)(s.much * 1e9);

	(void)m;
	return made_around(d, 400 * US) +
	       (now >= s.from && now < until ? until - now : 0);
}

static void sick_pause(struct made_disk *d)
{
	d->service = service_pause;
	load(d, 600);
}

static uint64_t service_flush(struct made_disk *d, const struct made *m,
			      uint64_t now)
{
	(void)now;
	return made_around(d, m->op == IO_FLUSH_OP ? 5 * MS : 400 * US);
}

static void flushes(struct made_disk *d, double rate, uint64_t from,
		    uint64_t until)
{
	for (uint64_t t = from + made_gap(d, rate); t < until;
	     t += made_gap(d, rate)) {
		made_add(d, one(d, t, IO_WRITE, chance(&d->seed) % 9999 * 8,
				4096, JOURNAL));
		made_add(d, one(d, t + MS, IO_FLUSH_OP, 0, 0, JOURNAL));
	}
}

static void sick_flushes(struct made_disk *d)
{
	struct sick s = sick_of(d);

	d->servers = 1;
	d->service = service_flush;
	load(d, 300);
	flushes(d, 1, 0, RUN);
	flushes(d, 80 + 40 * s.much, s.from, s.until);
}

/* without it every page is a read of its own */
static bool next_reader(struct made_disk *d, const struct made *m,
			uint64_t now, struct made *next)
{
	if (m->pid != BACKUP)
		return false;
	*next = one(d, now + (uint64_t)made_between(d, 1e4, 3e4), IO_READ,
		    m->sector + (m->bytes >> 9), is_sick(d, now) ? 4096 : 131072,
		    BACKUP);
	return now < RUN;
}

static void sick_readahead(struct made_disk *d)
{
	d->service = service_bandwidth;
	d->next = next_reader;
	load(d, 100 + 200 * sick_of(d).much);
	made_add(d, one(d, MS, IO_READ, 1 << 26, 131072, BACKUP));
}

static uint64_t service_gc(struct made_disk *d, const struct made *m,
			   uint64_t now)
{
	uint64_t every = 700 * MS + (uint64_t)(sick_of(d).much * 8e8);
	uint64_t at = now % every, stop = 40 * MS;

	(void)m;
	return made_around(d, 400 * US) + (at < stop ? stop - at : 0);
}

static void sick_gc(struct made_disk *d)
{
	d->service = service_gc;
	load(d, 700);
}

/* what is sent to a path that fails ends with an error after 30 ms; then one
 * path carries all */
static uint64_t service_path(struct made_disk *d, const struct made *m,
			     uint64_t now)
{
	struct sick s = sick_of(d);

	(void)m;
	if (now < s.from)
		return made_around(d, 400 * US);
	return now < s.from + 200 * MS ? 30 * MS : made_around(d, 700 * US);
}

static void sick_path(struct made_disk *d)
{
	d->service = service_path;
	load(d, 500 + 300 * sick_of(d).much);
}

static void spoil_path(struct made_disk *d)
{
	struct sick s = sick_of(d);

	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].issued >= s.from &&
		    d->list[i].issued < s.from + 200 * MS &&
		    chance(&d->seed) % 2)
			d->list[i].error = 5;
}

static uint64_t service_five_times(struct made_disk *d, const struct made *m,
				   uint64_t now)
{
	(void)m;
	return made_around(d, is_sick(d, now) ? 2000 * US : 400 * US);
}

static void sick_slower(struct made_disk *d)
{
	d->service = service_five_times;
	d->servers = 32;
	load(d, 300 + 500 * sick_of(d).much);
}

/* one in twenty takes ten times as long, also when all is well */
static uint64_t service_busy(struct made_disk *d, const struct made *m,
			     uint64_t now)
{
	return service_five_times(d, m, now) * (made_chance(d) < 0.05 ? 10 : 1);
}

/* tens of thousands of I/Os in the time of the cause */
static void sick_busy(struct made_disk *d)
{
	d->service = service_busy;
	d->servers = 60;
	d->tags = d->requests = 256;
	load(d, 11500 + 500 * sick_of(d).much);
}

static bool holds_each(struct made_disk *d, const struct made *m, uint64_t now)
{
	return is_sick(d, now) && now < m->inserted + 3 * MS;
}

/* a scheduler that waits with each */
static void sick_held(struct made_disk *d)
{
	d->holds = holds_each;
	d->servers = 32;
	load(d, 300 + 300 * sick_of(d).much);
}

static const struct cause {
	const char *name;
	void (*make)(struct made_disk *d);
	void (*spoil)(struct made_disk *d);
	enum finding_rule rule;
	const char *says;	/* the sentence, of it */
	bool timed;		/* the span is the cause's */
} causes[] = {
	{ "throttling", sick_throttled, NULL, FINDING_THROTTLED,
	  " for a request", true },
	{ "neighbour", sick_neighbour, NULL, FINDING_BURST, "rsync reads",
	  true },
	{ "checkpoint", sick_checkpoint, NULL, FINDING_BURST,
	  "checkpointer writes in bursts", false },
	{ "region", sick_region, NULL, FINDING_SLOW_REGION, "sectors", false },
	{ "depth", sick_depth, NULL, FINDING_DEPTH_CUT,
	  "takes requests 1 at a time", true },
	{ "pause", sick_pause, NULL, FINDING_STALL, "nothing completed for",
	  false },
	{ "flushes", sick_flushes, NULL, FINDING_FLUSH_STORM,
	  "jbd2/sda-8 flushes", true },
	{ "readahead", sick_readahead, NULL, FINDING_SMALLER,
	  "backup reads in 4K requests", true },
	{ "gc", sick_gc, NULL, FINDING_PERIODIC, "recur every", false },
	{ "slower", sick_slower, NULL, FINDING_SLOWER, "the device is slower",
	  true },
	{ "busy", sick_busy, NULL, FINDING_SLOWER, "the device is slower",
	  true },
	{ "held", sick_held, NULL, FINDING_HELD, " in the scheduler", true },
	{ "path", sick_path, spoil_path, FINDING_ERRORS, "failed", false },
};

/* --- they are found ------------------------------------------------------- */

static int by_end(const void *a, const void *b)
{
	const struct io *x = a, *y = b;
	uint64_t p = x->time + x->total, q = y->time + y->total;

	return p != q ? (p > q) - (p < q) : (x->id > y->id) - (x->id < y->id);
}

/* as callers see them: flushes are I/Os, too */
static struct findings *look_at(struct made_disk *d)
{
	struct io *ios = calloc(d->count, sizeof(*ios));
	struct findings *f;

	for (size_t i = 0; i < d->count; i++) {
		ios[i] = made_io(d, &disk, i);
		ios[i].kind = IO_BIO;
		ios[i].birth = 'Q';
	}
	qsort(ios, d->count, sizeof(*ios), by_end);
	assert_int_equal(findings_new(&f, made_name, NULL), 0);
	for (size_t i = 0; i < d->count; i++)
		assert_int_equal(findings_io(f, &ios[i]), 0);
	assert_int_equal(findings_end(f, 0, RUN), 0);
	free(ios);
	return f;
}

static struct findings *try(void (*make)(struct made_disk *d),
			    void (*spoil)(struct made_disk *d),
			    struct made_disk *d)
{
	struct findings *f;

	make(d);
	made_run(d);
	if (spoil)
		spoil(d);
	f = look_at(d);
	made_free(d);
	return f;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* a bin of these traces has 134 ms */
static bool is_in_time(const struct finding *f, const struct sick *s)
{
	return f->span_count == 1 && apart(f->spans[0].from, s->from) < 135 * MS &&
	       apart(f->spans[0].until, s->until) < 135 * MS;
}

static bool is_found(const struct cause *c, uint64_t seed)
{
	struct made_disk d = made_plain(seed);
	struct sick s = sick_of(&d);
	struct findings *f = try(c->make, c->spoil, &d);
	const struct finding *first = findings_get(f, 0);
	const struct finding_names names = { .name = made_name };
	char text[FINDING_TEXT_MAX] = "nothing";
	bool named = false, found = false;

	if (findings_count(f)) {
		finding_sentence(text, first, &names);
		named = first->rule == c->rule && strstr(text, c->says);
		found = named && (!c->timed || is_in_time(first, &s));
	}
	if (!found || getenv("SHOW"))
		print_message("%s, %llu, %.2f to %.2f s: %s\n", c->name,
			      (unsigned long long)seed, s.from / 1e9,
			      s.until / 1e9, text);
	findings_free(f);
	assert_true(named);
	return found;
}

/* SEED=N: other disks */
static uint64_t seed_from(void)
{
	const char *seed = getenv("SEED");

	return seed ? strtoull(seed, NULL, 10) * 1000003 : 0;
}

static void test_causes(void **state)
{
	int missed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++)
			missed += !is_found(&causes[i],
					    seed_from() + seed * 991 + i);
	/* an end may be blurred by what the cause has left to be done */
	if (missed > 2)
		fail_msg("%d not at their time", missed);
}

/* --- nothing else is ------------------------------------------------------ */

static uint64_t service_some_tail(struct made_disk *d, const struct made *m,
				  uint64_t now)
{
	(void)m;
	(void)now;
	return made_around(d, 400 * US) * (made_chance(d) < 0.02 ? 10 : 1);
}

/* of all rates, up to half of what the disk can do */
static void healthy(struct made_disk *d)
{
	double rate = 50 + made_chance(d) * 2000;

	if (chance(&d->seed) % 2) {
		d->service = service_some_tail;
		d->servers = 16;
	}
	d->no_scheduler = chance(&d->seed) % 2;
	mix_of(d, rate, made_chance(d), RUN);
}

static void test_healthy(void **state)
{
	int alarms = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= (uint64_t)rounds(HEALTHY); seed++) {
		struct made_disk d = made_plain(seed_from() + seed * 31);
		struct findings *f = try(healthy, NULL, &d);
		char text[FINDING_TEXT_MAX];

		for (size_t i = 0; i < findings_count(f); i++) {
			const struct finding *one = findings_get(f, i);

			if (one->severity > FINDING_MEDIUM)
				continue;
			alarms++;
			finding_sentence(text, one, NULL);
			print_message("healthy %llu: %s\n",
				      (unsigned long long)seed, text);
		}
		findings_free(f);
	}
	if (alarms > 1)
		fail_msg("%d false alarms in %d minutes", alarms,
			 rounds(HEALTHY) / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_healthy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
