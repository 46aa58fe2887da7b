/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taps on rings of joined records.  The test plays the programs' part: it makes
 * events of I/Os at random on three CPUs, in slots and rings as bpf/joined.bpf.c
 * does, and drains the taps in between, in any order.  Each event must come once,
 * on its CPU, in the order of time, and what a ring had no room for must be
 * missing from the numbers.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/time.h"
#include "bpf/joined.h"
#include "bpf/ring.h"
#include "capture/cpus.h"
#include "capture/from/joined_cpu.h"
#include "capture/tap.h"
#include "make.h"

enum {
	CPUS = 3,
	BITS = 6,		/* rings of 64 records */
	IOS = 60000,
	LAST = 2 * CPUS,	/* more I/Os, one of each CPU with an even number */
	OPEN = 200,		/* I/Os in flight at most */
	PHASES = 4,		/* Q G D C */
	LONG = 1100,		/* ms: then what is open leaves its slot */
};

static const uint32_t numbers[] = { 8 << 20, 8 << 20 | 16 };

/* what the programs have done */
struct io {
	uint64_t time[PHASES];	/* ns; 0: not yet */
	uint8_t cpu[PHASES];
	bool lost[PHASES];
	uint8_t seen[PHASES];
};

/* what a CPU's tap has delivered of a device */
struct lane {
	uint64_t last;		/* ns */
	uint32_t sequence;
};

static struct {
	struct joined joined;
	struct io *ios;
	uint32_t begun, open[OPEN], open_count;
	uint64_t lost, missing;
	struct lane lanes[CPUS][2];
	unsigned int waits;	/* calls of joined_wait() */
} t;

/* --- in place of bpf/joined and bpf/ring -------------------------------------- */

uint32_t joined_slot_count(void)
{
	return JOINED_SLOTS + JOINED_PROBES;
}

int joined_wake_open(struct joined *j, uint32_t cpu, struct bpf_ring **wake)
{
	(void)j;
	(void)cpu;
	*wake = NULL;
	return 0;
}

int joined_wait(struct joined *j)
{
	(void)j;
	t.waits++;
	return 0;
}

int bpf_ring_fd(const struct bpf_ring *r)
{
	(void)r;
	return -1;
}

int bpf_ring_drain(struct bpf_ring *r, bpf_ring_take *take, void *ctx)
{
	(void)r;
	(void)take;
	(void)ctx;
	return 0;
}

void bpf_ring_close(struct bpf_ring *r)
{
	(void)r;
}

/* --- what programs do --------------------------------------------------------- */

static const uint16_t bits[PHASES] = { JOINED_QUEUE, JOINED_GETRQ, JOINED_ISSUE,
				       JOINED_COMPLETE };

static struct joined_slot *slot_of(uint32_t io)
{
	struct joined_slot *s = &t.joined.slots[io % JOINED_SLOTS];

	return s->key == (uint64_t)(io + 1) << 6 ? s : NULL;
}

static void lose(uint32_t cpu, uint32_t io, uint16_t events)
{
	for (unsigned int p = 0; p < PHASES; p++)
		if (events & bits[p]) {
			t.ios[io].lost[p] = true;
			t.joined.cpus[cpu].lost++;
			t.lost++;
		}
}

static void put(uint32_t cpu, uint32_t io, const struct joined_io *of)
{
	struct joined_cpu *c = &t.joined.cpus[cpu];
	struct joined_record *r = &t.joined.records[
		(cpu << BITS) + (c->head & (c->limit - 1))];

	if (c->head - c->tail >= c->limit) {
		lose(cpu, io, of->events);
		return;
	}
	r->io = *of;
	r->lost = (uint32_t)c->lost;
	r->lap = JOINED_LAP(c->head, BITS);
	c->head++;
}

static struct joined_io first_of(uint32_t io, unsigned int phase, uint32_t cpu,
				 uint64_t now)
{
	return (struct joined_io){
		.first = now, .sector = io, .queued = 4096, .bytes = 4096,
		.pid = 1, .events = bits[phase], .device = io & 1,
		.cpu = (uint16_t)cpu, .issue_cpu = (uint16_t)cpu,
	};
}

/* An event into its slot, or one for itself. */
static void note(uint32_t io, unsigned int phase, uint32_t cpu, uint64_t now)
{
	struct joined_slot *s = slot_of(io);

	if (s && (phase == 2 || s->io.cpu == cpu)) {
		s->io.offsets[phase == 2 ? 2 : 0] = (uint32_t)(now - s->io.first);
		s->io.events |= bits[phase];
		if (phase == 2)
			s->io.issue_cpu = (uint16_t)cpu;
		return;
	}
	if (s)
		put(cpu, io, &s->io);
	s = &t.joined.slots[io % JOINED_SLOTS];
	s->key = (uint64_t)(io + 1) << 6;
	s->io = first_of(io, phase, cpu, now);
}

/* The slot's events with a completion, or that alone. */
static void complete(uint32_t io, uint32_t cpu, uint64_t now)
{
	struct joined_slot *s = slot_of(io);
	struct joined_io all;

	if (s) {
		all = s->io;
		all.times.end = (uint32_t)(now - all.first);
		all.events |= JOINED_COMPLETE;
		s->io.first = 0;
		s->key = 0;
	} else {
		all = first_of(io, 3, cpu, now);
	}
	put(cpu, io, &all);
}

/* The next event of an I/O, there; whether it is the last one. */
static bool advance(uint32_t io, unsigned int phase, uint32_t cpu)
{
	uint64_t now = time_now();

	t.ios[io].time[phase] = now;
	t.ios[io].cpu[phase] = (uint8_t)cpu;
	if (phase < PHASES - 1)
		note(io, phase, cpu, now);
	else
		complete(io, cpu, now);
	return phase == PHASES - 1;
}

/* The next event of an I/O that is open, or the first of a new one. */
static void step(void)
{
	uint32_t at = (uint32_t)random() % OPEN, io, cpu;
	unsigned int phase = 0;

	if (at >= t.open_count) {
		if (t.begun == IOS)
			return;
		at = t.open_count++;
		t.open[at] = t.begun++;
	}
	io = t.open[at];
	while (t.ios[io].time[phase])
		phase++;
	/* mostly where it was queued */
	cpu = phase && random() % 4 ? t.ios[io].cpu[0] :
				      (uint32_t)random() % CPUS;
	if (advance(io, phase, cpu))
		t.open[at] = t.open[--t.open_count];
}

/* Events after all that was lost, which show the last gaps. */
static void step_last(void)
{
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		for (unsigned int phase = 0; phase < PHASES; phase++)
			advance(IOS + 2 * cpu, phase, cpu);
	t.begun = IOS + LAST;
}

/* --- what taps deliver --------------------------------------------------------- */

static unsigned int phase_of(uint32_t action)
{
	static const uint8_t kinds[PHASES] = { BLK_TA_QUEUE, BLK_TA_GETRQ,
					       BLK_TA_ISSUE, BLK_TA_COMPLETE };
	unsigned int phase = 0;

	while ((uint8_t)action != (uint8_t)kinds[phase])
		assert_int_not_equal(++phase, PHASES);
	return phase;
}

static void check(uint32_t cpu, unsigned int device, const struct event *ev)
{
	struct lane *l = &t.lanes[cpu][device];
	struct io *io = &t.ios[ev->sector];
	unsigned int phase = phase_of(ev->action);

	assert_true(ev->sector < t.begun);
	assert_int_equal(ev->sector & 1, device);
	assert_int_equal(ev->cpu, cpu);
	assert_int_equal(io->cpu[phase], cpu);
	assert_true(ev->time == io->time[phase]);
	assert_true(ev->time >= l->last);
	l->last = ev->time;
	io->seen[phase]++;
	t.missing += ev->sequence - l->sequence - 1;
	l->sequence = ev->sequence;
}

static int take(void *ctx, unsigned int device, const void *records, size_t len,
		const struct tap_sums *sums)
{
	const uint8_t *at = records, *end = at + len;
	uint32_t cpu = *(uint32_t *)ctx;
	struct event ev;

	(void)sums;
	for (; at < end; at += BLK_HEADER_7 + ev.pdu_len) {
		memcpy(&ev, at, BLK_HEADER_7);
		if (!(ev.action & BLK_TC_ACT(BLK_TC_NOTIFY)))
			check(cpu, device, &ev);
	}
	return 0;
}

static void drain(struct tap **taps, uint32_t cpu)
{
	assert_true(taps[cpu]->ops->drain(taps[cpu], take, &cpu) >= 0);
}

/* --- the test ------------------------------------------------------------------ */

static void set_up(struct joined_run **run, struct tap **taps,
		   const struct cpus *cpus)
{
	const struct joined_plan plan = {
		.joined = &t.joined, .cpus = cpus, .devices = numbers,
		.count = 2, .mask = UINT16_MAX,
	};

	t.joined.cpu_count = CPUS;
	t.joined.bits = BITS;
	t.joined.slots = calloc(joined_slot_count(), sizeof(*t.joined.slots));
	t.joined.cpus = calloc(CPUS, sizeof(*t.joined.cpus));
	t.joined.records = calloc(CPUS << BITS, sizeof(*t.joined.records));
	t.ios = calloc(IOS + LAST, sizeof(*t.ios));
	assert_true(t.joined.slots && t.joined.cpus && t.joined.records &&
		    t.ios);
	assert_int_equal(joined_run_new(run, &plan), 0);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		t.joined.cpus[cpu].limit = 1 << BITS;
		assert_int_equal(joined_cpu_open(&taps[cpu], *run, cpu), 0);
	}
}

static void tear_down(struct joined_run *run, struct tap **taps)
{
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		taps[cpu]->ops->close(taps[cpu]);
	joined_run_free(run);
	free(t.joined.slots);
	free(t.joined.cpus);
	free(t.joined.records);
	free(t.ios);
}

/* Those that were made, and not lost, once. */
static void check_all(void)
{
	for (uint32_t i = 0; i < t.begun; i++)
		for (unsigned int p = 0; p < PHASES; p++) {
			const struct io *io = &t.ios[i];

			assert_int_equal(io->seen[p],
					 io->time[p] && !io->lost[p]);
		}
	assert_true(t.lost > 0);
	assert_true(t.missing == t.lost);
}

static void run_until(struct tap **taps, uint32_t ios)
{
	while (t.begun < ios) {
		for (unsigned int n = (unsigned int)random() % 200; n--;)
			step();
		drain(taps, (uint32_t)random() % CPUS);
	}
}

/* Whoever drains first does not have all: others are to hand it over. */
static void drain_all(struct tap **taps)
{
	for (unsigned int round = 0; round < 3; round++)
		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			drain(taps, cpu);
}

static void test_random(void **state)
{
	uint32_t online[CPUS] = { 0, 1, 2 };
	const struct cpus cpus = { .online = online, .count = CPUS,
				   .max = CPUS };
	struct joined_run *run;
	struct tap *taps[CPUS];

	(void)state;
	srandom(7);
	set_up(&run, taps, &cpus);
	run_until(taps, IOS / 2);
	usleep(LONG * 1000);
	run_until(taps, IOS);
	drain_all(taps);
	step_last();
	assert_true(t.waits > 0);
	assert_int_equal(joined_run_stop(run), 0);
	drain_all(taps);
	check_all();
	tear_down(run, taps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
