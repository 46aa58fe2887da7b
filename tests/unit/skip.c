/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Skipping to a time: random traces of several CPUs, read with and without.
 * What comes from that time on is the same, notes act in the same order
 * between the same events, and of each CPU the last event before is shown.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "make.h"
#include "rounds.h"
#include "run/device.h"
#include "run/input.h"

enum { CPUS = 5, LINES = 8192 };

/* --- a trace ---------------------------------------------------------------- */

struct kind {
	unsigned int cpus, events;	/* events of each CPU, about */
	uint32_t step;		/* of time, at most; 1: many are equal */
	uint32_t late;		/* one event in so many is late; 0: none */
	int shape;
	bool damaged;		/* somewhere in one of the files */
};

struct trace {
	char dir[32];
	uint64_t end;		/* the latest time */
	unsigned int cpus;
};

static void path_of(const struct trace *t, unsigned int cpu, char path[64])
{
	snprintf(path, 64, "%s/x.blktrace.%u", t->dir, cpu);
}

static void add_note(struct bytes *in, struct event ev, uint64_t *seed)
{
	const char *names[] = { "cp", "dd", "fio" };
	const char *name = names[chance(seed) % 3];

	ev.pid = chance(seed) % 8;
	ev.action = NOTE(chance(seed) % 3);
	ev = with_payload(ev, name, strlen(name));
	add_record(in, &ev);
}

static void make_file(struct trace *t, const struct kind *k, unsigned int cpu,
		      uint64_t *seed)
{
	struct event ev = EVENT(.cpu = cpu, .time = 5 + chance(seed) % 9,
				.action = ACT(BLK_TA_QUEUE, CAT(READ)));
	struct bytes *in = bytes_new();
	uint32_t events = k->events / 2 + chance(seed) % k->events;
	char path[64];
	int fd;

	ev.payload = (const uint8_t *)"xy";
	for (ev.sequence = 1; ev.sequence <= events; ev.sequence++) {
		uint64_t time = ev.time += chance(seed) % (k->step + 1);

		if (k->late && chance(seed) % k->late == 0)
			ev.time -= chance(seed) % 30 % ev.time;
		ev.pdu_len = (uint16_t)(chance(seed) % 3);
		add_shaped(in, k->shape, false, &ev, NULL);
		if (chance(seed) % 6 == 0)
			add_note(in, ev, seed);
		ev.time = time;
	}
	t->end = ev.time > t->end ? ev.time : t->end;
	if (k->damaged && cpu == 0)
		memset(in->data + chance(seed) % in->len, 0xff, 1);
	path_of(t, cpu, path);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, in->data, in->len), in->len);
	close(fd);
	free(in);
}

static void make_trace(struct trace *t, const struct kind *k, uint64_t seed)
{
	*t = (struct trace){ "/tmp/unit.XXXXXX", 0, k->cpus };
	assert_non_null(mkdtemp(t->dir));
	for (unsigned int cpu = 0; cpu < k->cpus; cpu++)
		make_file(t, k, cpu, &seed);
}

static void remove_trace(const struct trace *t)
{
	char path[64];

	for (unsigned int cpu = 0; cpu < t->cpus; cpu++) {
		path_of(t, cpu, path);
		unlink(path);
	}
	rmdir(t->dir);
}

/* --- what reading it gives -------------------------------------------------- */

/* notes and events from a time on, in order, each as a number */
struct story {
	struct hooks hooks;
	uint64_t lines[LINES];
	size_t count;
	uint64_t last[CPUS];	/* time of each CPU's last event before */
	uint64_t shown;		/* events before that time */
};

static void tell(struct story *s, uint64_t what)
{
	assert_true(s->count < LINES);
	s->lines[s->count++] = what;
}

static uint64_t number_of(const struct event *ev)
{
	return ev->time << 32 | (uint64_t)ev->cpu << 24 | ev->sequence;
}

static void on_note(void *ctx, const struct event *ev)
{
	tell(ctx, 1ull << 63 | number_of(ev));
}

static void on_damage(void *ctx, const struct damage *d)
{
	tell(ctx, 3ull << 62 | d->at);
}

static void read_trace(const struct trace *t, struct story *s, int batch,
		       uint64_t time, bool skip)
{
	const struct input_options o = { .directory = t->dir, .batch = batch };
	const char *name = "x";
	struct input *in;
	struct event *ev;
	uint64_t first = 0;
	int bad, got;

	memset(s, 0, sizeof(*s));
	s->hooks = (struct hooks){ s, on_note, on_damage, hooks_no_added,
				   hooks_no_idle };
	in = input_new(&o, &s->hooks);
	assert_int_equal(input_add(in, &name, 1, &bad), 0);
	for (bool begun = false; (got = input_next(in, &ev)) == 1;
	     begun = true) {
		first = begun ? first : ev->time;
		if (ev->time >= time) {
			tell(s, number_of(ev));
			continue;
		}
		s->last[ev->lane->cpu] = ev->time;
		s->shown++;
		if (skip && !begun)
			assert_int_equal(input_skip(in, first, time), 0);
	}
	assert_int_equal(got, 0);
	input_free(in);
}

/* Events that were passed over. */
static uint64_t compare(const struct trace *t, int batch, uint64_t time)
{
	struct story *whole = malloc(sizeof(*whole));
	struct story *part = malloc(sizeof(*part));
	uint64_t saved;

	read_trace(t, whole, batch, time, false);
	read_trace(t, part, batch, time, true);
	assert_int_equal(part->count, whole->count);
	assert_memory_equal(part->lines, whole->lines,
			    whole->count * sizeof(*whole->lines));
	assert_memory_equal(part->last, whole->last, sizeof(whole->last));
	saved = whole->shown - part->shown;
	free(whole);
	free(part);
	return saved;
}

/* Events that were passed over with rounds(seeds) traces. */
static uint64_t compare_kind(const struct kind *k, int seeds)
{
	static const int batches[] = { 1, 2, 3, 7, 16, 0 };
	uint64_t saved = 0;

	for (int seed = 0; seed < rounds(seeds); seed++) {
		uint64_t state = (uint64_t)seed;
		struct trace t;

		make_trace(&t, k, state);
		for (int n = 0; n < 12; n++)
			saved += compare(&t, batches[chance(&state) % 6],
					 chance(&state) % (t.end + 20));
		remove_trace(&t);
	}
	return saved;
}

/* of so many events that were passed over in all traces; with fewer traces chance
 * has more of a say */
static uint64_t least(int events)
{
	return (uint64_t)(rounds(events) < events ? rounds(events) / 4 : events);
}

/* --- tests --------------------------------------------------------------- */

/* times that are mostly different */
static void test_usual(void **state)
{
	const struct kind k = { CPUS, 150, 100, 0, V7, false };
	const struct kind v8 = { 3, 150, 100, 0, V8, false };
	const struct kind one = { 1, 600, 100, 0, V7, false };

	(void)state;
	assert_true(compare_kind(&k, 40) > least(40000));
	assert_true(compare_kind(&v8, 20) > least(10000));
	assert_true(compare_kind(&one, 20) > least(10000));
}

/* more than a batch of the usual size, where doubts lead to earlier times */
static void test_long(void **state)
{
	const struct kind k = { 2, 1500, 20, 0, V7, false };
	struct trace t;
	uint64_t seed = 3, saved = 0;

	(void)state;
	make_trace(&t, &k, 1);
	for (int n = 0; n < 50; n++)
		saved += compare(&t, 0, chance(&seed) % t.end);
	assert_true(saved > 10000);
	remove_trace(&t);
}

/* many equal times: whose turn it is depends on who had it last */
static void test_equal(void **state)
{
	const struct kind k = { CPUS, 100, 1, 0, V7, false };
	const struct kind some = { CPUS, 100, 4, 0, V7, false };

	(void)state;
	compare_kind(&k, 60);
	assert_true(compare_kind(&some, 60) > least(100));
}

/* times that go back, also to before the first event */
static void test_late(void **state)
{
	const struct kind k = { 3, 120, 40, 10, V7, false };
	const struct kind rare = { 3, 120, 40, 200, V7, false };
	const struct kind equal = { 4, 60, 3, 6, V7, false };

	(void)state;
	compare_kind(&k, 40);
	compare_kind(&equal, 150);
	assert_true(compare_kind(&rare, 40) > least(1000));
}

/* damage is reported as ever */
static void test_damaged(void **state)
{
	const struct kind k = { 3, 120, 40, 0, V7, true };

	(void)state;
	compare_kind(&k, 60);
}

/* versions that name the process in each record are read as ever */
static void test_old(void **state)
{
	const struct kind k = { 3, 60, 40, 0, V5, false };

	(void)state;
	assert_int_equal(compare_kind(&k, 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_old),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
