/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/Os that threads read and join ahead: whenever they are started and stopped, what
 * comes, with names, messages and gaps between, is what comes without them.
 */
#include <errno.h>

#include "base/random.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/reader.h"
#include "scratch.h"

enum { CPUS = 2, IOS = 3600, STEP = 1000, NAMES_EVERY = 90 };

/* --- the trace ------------------------------------------------------------ */

struct cpu {
	struct bytes *b;
	uint32_t number;
};

static void add(struct cpu *c, uint32_t cpu, struct event ev)
{
	ev.cpu = cpu;
	ev.device = BLK_DEVICE(8, 0);
	ev.sequence = c->number++;
	add_record(c->b, &ev);
}

static void add_note(struct cpu *c, uint32_t pid, uint64_t time)
{
	char name[16];
	struct event ev = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = pid,
				.time = time);

	snprintf(name, sizeof(name), "p%u", pid);
	ev = with_payload(ev, name, strlen(name));
	add_record(c->b, &ev);
}

static void add_message(struct cpu *c, uint32_t cpu, uint64_t time)
{
	static const char text[] = "a mark";

	add(c, cpu, with_payload(EVENT(.action = NOTE(BLK_TN_MESSAGE),
				       .time = time, .pid = 1),
				 text, sizeof(text) - 1));
}

/* an I/O from Q to C, of which D and C, and a requeue, come later */
static void add_io(struct cpu *c, uint32_t cpu, uint32_t n, bool again)
{
	static const uint32_t actions[] = {
		ACT(BLK_TA_QUEUE, CAT(QUEUE)), ACT(BLK_TA_GETRQ, 0),
		ACT(BLK_TA_INSERT, CAT(QUEUE)), ACT(BLK_TA_ISSUE, CAT(ISSUE)),
		ACT(BLK_TA_REQUEUE, CAT(REQUEUE)),
		ACT(BLK_TA_ISSUE, CAT(ISSUE)),
		ACT(BLK_TA_COMPLETE, CAT(COMPLETE)),
	};
	uint64_t time = (uint64_t)(n + 1) * STEP;

	for (unsigned int i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		uint32_t kinds = CAT(WRITE) | CAT(FS);

		if (!again && (i == 4 || i == 5))
			continue;
		/* some never complete, and one in a while is lost */
		if (i == 6 && n % 701 == 700)
			continue;
		if (n % 997 == 996 && i == 2)
			c->number++;
		add(c, cpu, EVENT(.action = actions[i] | kinds << 16,
				  .time = time + i * 10, .bytes = 4096,
				  .sector = (uint64_t)n * 8,
				  .pid = n / NAMES_EVERY + 1));
	}
	/* known once another CPU's event is next */
	if (n % 499 == 498)
		c->number++;
}

static void make_trace(struct random *r)
{
	struct cpu cpus[CPUS];

	for (unsigned int i = 0; i < CPUS; i++)
		cpus[i] = (struct cpu){ bytes_new(), 1 };
	for (uint32_t n = 0; n < IOS; n++) {
		uint32_t cpu = (uint32_t)random_below(r, CPUS);

		if (n % NAMES_EVERY == 0)
			add_note(&cpus[cpu], n / NAMES_EVERY + 1,
				 (uint64_t)(n + 1) * STEP);
		if (random_below(r, 200) == 0)
			add_message(&cpus[cpu], cpu, (uint64_t)(n + 1) * STEP);
		add_io(&cpus[cpu], cpu, n, random_below(r, 50) == 0);
	}
	for (unsigned int i = 0; i < CPUS; i++) {
		char path[32];

		snprintf(path, sizeof(path), "sda.blktrace.%u", i);
		put_bytes(path, cpus[i].b->data, cpus[i].b->len);
		free(cpus[i].b);
	}
}

/* --- reading it ----------------------------------------------------------- */

/* all that came, in order */
struct account {
	uint64_t sum;
	unsigned int ios, messages, gaps, lost;
};

static void note_down(struct account *a, uint64_t n)
{
	a->sum = (a->sum ^ n) * 0x100000001b3;
}

static void on_message(void *ctx, const struct event *ev)
{
	struct account *a = ctx;

	a->messages++;
	note_down(a, ev->time);
	note_down(a, ev->payload[ev->pdu_len - 1]);
}

static void on_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	struct account *a = ctx;

	a->gaps++;
	note_down(a, origin + device + begins);
}

static void on_lost(void *ctx, uint64_t from, uint64_t to)
{
	struct account *a = ctx;

	a->lost++;
	note_down(a, from);
	note_down(a, to);
}

static void put_io(struct account *a, const struct ios *s, const struct io *io)
{
	const char *name = reader_process(ios_reader(s), 0, io->pid);

	/* the next process's name is known only when its note was read */
	note_down(a, reader_process(ios_reader(s), 0, io->pid + 1) != NULL);
	note_down(a, name ? (uint64_t)atoi(name + 1) : 0);
	note_down(a, io->id);
	note_down(a, io->time);
	note_down(a, io->total);
	note_down(a, io->ended);
	note_down(a, io->requeues);
	for (const struct io_stay *y = io->stays; y; y = y->before)
		note_down(a, y->from ^ y->to);
	note_down(a, ios_time(s));
	note_down(a, ios_oldest(s));
	a->ios++;
}

/* r NULL: in this thread only; else threads are started and stopped at random */
static struct account read_trace(struct random *r, unsigned int threads)
{
	const struct reader_options o = { .window = WINDOW_ALL };
	struct account a = { .sum = 1 };
	const struct ios_watcher watcher = { on_message, on_gap, &a };
	const struct io *io;
	struct ios *s;
	int got;

	assert_int_equal(ios_open(&s, &o), 0);
	assert_int_equal(reader_add(ios_reader(s), "sda"), 0);
	ios_watch_messages(s, &watcher);
	ios_watch_gaps(s, on_lost, &a);
	while ((got = ios_next(s, &io)) != 0) {
		assert_true(got == 1 || got == -EINTR);
		if (got == 1)
			put_io(&a, s, io);
		if (r && random_below(r, 300) == 0)
			ios_read_ahead(s, threads);
		if (r && random_below(r, 600) == 0)
			ios_stop_ahead(s);
	}
	note_down(&a, ios_events(s));
	note_down(&a, ios_end(s));
	ios_close(s);
	return a;
}

static void test_same(void **state)
{
	struct random r;
	struct account one;

	(void)state;
	random_init(&r, 1);
	make_trace(&r);
	one = read_trace(NULL, 1);
	assert_int_equal(one.ios, IOS);
	assert_true(one.messages && one.gaps && one.lost);
	for (int i = 0; i < 40; i++) {
		struct account other = read_trace(&r, 2 + i % 2);

		assert_memory_equal(&other, &one, sizeof(one));
	}
}

/* closed while threads read, join or wait */
static void test_closing(void **state)
{
	const struct reader_options o = { .window = WINDOW_ALL };
	struct random r;

	(void)state;
	random_init(&r, 2);
	make_trace(&r);
	for (unsigned int i = 1; i < 60; i += 3) {
		const struct io *io;
		struct ios *s;

		assert_int_equal(ios_open(&s, &o), 0);
		assert_int_equal(ios_read_ahead(s, 3), -ENOTSUP);
		assert_int_equal(reader_add(ios_reader(s), "sda"), 0);
		for (unsigned int n = 0; n < i; n++)
			assert_int_equal(ios_next(s, &io), 1);
		assert_int_equal(ios_read_ahead(s, 2 + i % 2), 0);
		for (unsigned int n = 0; n < i * i; n++)
			assert_int_equal(ios_next(s, &io), 1);
		ios_close(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_same), IN_SCRATCH(test_closing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
