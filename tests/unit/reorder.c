/* SPDX-License-Identifier: GPL-2.0-only */
/* Live order: one stream of many CPUs, put in time order as it arrives. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "base/time.h"
#include "file/source.h"
#include "make.h"
#include "run/device.h"
#include "run/reorder.h"

/* a run of live order over bytes in memory or a pipe */
struct rig {
	struct reorder *live;
	struct devices devices;
	struct diary diary;
	int fd;			/* a pipe to read from, or -1 */
	int quiet_ms, wait_ms;	/* options */
};

static void rig_init(struct rig *r, struct source *src, uint32_t bound)
{
	struct reorder_options o = { .name = "pipe", .events = bound,
				     .quiet_ms = r->quiet_ms,
				     .wait_ms = r->wait_ms };

	r->devices = (struct devices){ 0 };
	diary_init(&r->diary);
	r->live = reorder_new(src, &r->devices, &o, &r->diary.hooks);
	assert_non_null(r->live);
}

static void rig_memory(struct rig *r, const struct bytes *in, uint32_t bound)
{
	struct source *src = NULL;

	r->fd = -1;
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	rig_init(r, src, bound);
}

/* those bytes in a pipe; returns the end to write more into */
static int rig_pipe(struct rig *r, const struct bytes *in)
{
	struct source *src = NULL;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	r->fd = ends[0];
	assert_int_equal(write(ends[1], in->data, in->len), in->len);
	assert_int_equal(source_fd(&src, ends[0]), 0);
	rig_init(r, src, 0);
	return ends[1];
}

static void rig_free(struct rig *r)
{
	reorder_free(r->live);
	devices_free(&r->devices);
	if (r->fd >= 0)
		close(r->fd);
}

/* the next events are these, told by their pids; ends with 0 */
static void check_next(struct rig *r, const char *pids)
{
	struct event *ev;

	for (; *pids; pids++) {
		assert_int_equal(reorder_next(r->live, &ev), 1);
		assert_int_equal(ev->pid, *pids);
		assert_int_equal(ev->lane->cpu, ev->cpu);
		assert_int_equal(ev->lane->device->number, ev->device);
	}
}

static void check_end(struct rig *r)
{
	struct event *ev;

	assert_int_equal(reorder_next(r->live, &ev), 0);
	assert_int_equal(reorder_next(r->live, &ev), 0);
}

/* an event called by a letter */
static void add(struct bytes *b, char name, uint64_t time, uint32_t cpu,
		uint32_t sequence)
{
	add_record(b, &EVENT(.pid = (uint32_t)name, .time = time, .cpu = cpu,
			     .sequence = sequence, .device = 0x800000,
			     .action = ACT(BLK_TA_QUEUE, CAT(WRITE))));
}

/* --- tests --------------------------------------------------------------- */

/* blocks of several CPUs come out in order of time */
static void test_order(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 0 };

	(void)state;
	add(in, 'a', 10, 0, 1);
	add(in, 'c', 30, 0, 2);
	add(in, 'e', 50, 0, 3);
	add(in, 'b', 20, 1, 1);
	add(in, 'd', 40, 1, 2);
	rig_memory(&r, in, 0);
	check_next(&r, "abcde");
	check_end(&r);
	assert_int_equal(reorder_late(r.live), 0);
	rig_free(&r);
	free(in);
}

/* of equal times the lower number goes first, of equal numbers the newest */
static void test_ties(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 0 };

	(void)state;
	add(in, 'e', 5, 0, 2);
	add(in, 'd', 5, 1, 1);
	add(in, 'c', 5, 2, 1);
	add(in, 'b', 5, 3, 1);
	add(in, 'a', 5, 3, 1);
	rig_memory(&r, in, 0);
	check_next(&r, "abcde");
	check_end(&r);
	rig_free(&r);
	free(in);
}

/* random events of few CPUs: the order is that of their keys */
static void test_random(void **state)
{
	struct bytes *in = bytes_new();
	uint64_t seed = 29, time = 0;
	struct event *ev;
	uint32_t count = 0;
	struct rig r = { .quiet_ms = 0 };

	(void)state;
	for (uint32_t i = 0; i < 5000; i++)
		add(in, 'x', chance(&seed) % 3000, chance(&seed) % 5, i);
	rig_memory(&r, in, 0);
	while (reorder_next(r.live, &ev) == 1) {
		assert_true(ev->time >= time);
		time = ev->time;
		count++;
	}
	assert_int_equal(count, 5000);
	assert_int_equal(reorder_late(r.live), 0);
	rig_free(&r);
	free(in);
}

/* a pipe's events go when the newest time read is the hold later, not before */
static void test_hold(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 0 };
	int into;

	(void)state;
	add(in, 'b', 2000, 0, 1);
	add(in, 'c', 2001, 0, 2);
	add(in, 'a', 900, 1, 1);
	add(in, 'd', 2000 + REORDER_HOLD, 0, 3);
	into = rig_pipe(&r, in);
	assert_int_equal(reorder_watermark(r.live), 0);
	check_next(&r, "ab");
	assert_int_equal(reorder_watermark(r.live), 2000);
	assert_string_equal(r.diary.text, "");
	check_next(&r, "cd");
	assert_string_equal(r.diary.text, "idle\n");
	close(into);
	check_end(&r);
	assert_int_equal(reorder_late(r.live), 0);
	rig_free(&r);
	free(in);
}

/* what comes later still is shown at once, and counted */
static void test_late(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 0 };
	int into;

	(void)state;
	add(in, 'a', 1000, 0, 1);
	add(in, 'd', 1000 + REORDER_HOLD, 0, 2);
	into = rig_pipe(&r, in);
	check_next(&r, "a");
	in->len = 0;
	add(in, 'c', 999, 1, 1);
	add(in, 'b', 500, 1, 2);
	assert_int_equal(write(into, in->data, in->len), in->len);
	check_next(&r, "bc");
	assert_int_equal(reorder_late(r.live), 2);
	close(into);
	check_next(&r, "d");
	check_end(&r);
	assert_int_equal(reorder_late(r.live), 2);
	rig_free(&r);
	free(in);
}

/* nobody waits for a file: CPUs one behind the other come out in order */
static void test_file(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 0 };

	(void)state;
	for (uint32_t cpu = 0; cpu < 2; cpu++)
		for (uint32_t n = 0; n < 600; n++)
			add(in, 'a', n * (uint64_t)REORDER_HOLD, cpu, n);
	add(in, 'z', 1, 2, 1);
	rig_memory(&r, in, 0);
	check_next(&r, "aaz");
	assert_int_equal(reorder_watermark(r.live), 1);
	assert_int_equal(reorder_late(r.live), 0);
	rig_free(&r);
	free(in);
}

/* more than the bound are held only as long as they are read ahead */
static void test_bound(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 0 };

	(void)state;
	add(in, 'a', 30, 0, 1);
	add(in, 'b', 40, 0, 2);
	add(in, 'c', 50, 0, 3);
	add(in, 'd', 60, 0, 4);
	add(in, 'x', 5, 0, 5);
	rig_memory(&r, in, 2);
	check_next(&r, "abxcd");
	check_end(&r);
	assert_int_equal(reorder_late(r.live), 1);
	rig_free(&r);
	free(in);
}

/* what a CPU has next, as far as it is held */
static void test_front(void **state)
{
	struct bytes *in = bytes_new();
	const struct lane *lane;
	struct event *ev;
	struct rig r = { .quiet_ms = 0 };

	(void)state;
	add(in, 'a', 10, 0, 1);
	add(in, 'b', 20, 1, 1);
	add(in, 'c', 30, 0, 2);
	rig_memory(&r, in, 0);
	assert_int_equal(reorder_next(r.live, &ev), 1);
	lane = ev->lane;
	assert_int_equal(reorder_front(r.live, lane)->pid, 'c');
	assert_int_equal(reorder_next(r.live, &ev), 1);
	assert_null(reorder_front(r.live, ev->lane));
	assert_int_equal(reorder_front(r.live, lane)->pid, 'c');
	check_next(&r, "c");
	assert_null(reorder_front(r.live, lane));
	assert_null(reorder_front(r.live, &(struct lane){ .id = 1 << 20 }));
	rig_free(&r);
	free(in);
}

/* a silent pipe: rendered text goes out, and what is held is let go */
static void test_silence(void **state)
{
	struct bytes *in = bytes_new();
	struct event *ev;
	struct rig r = { .quiet_ms = 0 };
	int into;

	(void)state;
	add(in, 'b', 20, 0, 1);
	add(in, 'a', 10, 1, 1);
	into = rig_pipe(&r, in);
	check_next(&r, "ab");
	assert_string_equal(r.diary.text, "idle\n");
	assert_int_equal(reorder_next(r.live, &ev), -EAGAIN);
	assert_string_equal(r.diary.text, "idle\nidle\n");
	close(into);
	check_end(&r);
	rig_free(&r);
	free(in);
}

/* who wants to hear of silence soon does, but nothing is let go earlier */
static void test_quiet(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 20 };
	uint64_t from = time_now(), held;
	struct event *ev;
	int into;

	(void)state;
	add(in, 'a', 10, 0, 1);
	into = rig_pipe(&r, in);
	check_next(&r, "a");
	held = time_now();
	assert_true(held - from >= REORDER_SILENCE * NS_PER_MS);
	assert_int_equal(reorder_next(r.live, &ev), -EAGAIN);
	assert_true(time_now() - held < REORDER_SILENCE * NS_PER_MS);
	close(into);
	check_end(&r);
	rig_free(&r);
	free(in);
}

/* no wait is long, and silence is silence all the same */
static void test_wait(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 200, .wait_ms = 10 };
	uint64_t from = time_now(), last = from, most = 0, now;
	struct event *ev;
	int into, got;

	(void)state;
	add(in, 'a', 10, 0, 1);
	into = rig_pipe(&r, in);
	for (; (got = reorder_next(r.live, &ev)) == -EINTR; last = now) {
		now = time_now();
		most = now - last > most ? now - last : most;
	}
	assert_int_equal(got, 1);
	/* silence is measured in whole ms */
	assert_true(time_now() - from >= (REORDER_SILENCE - 1) * NS_PER_MS);
	assert_in_range(most, 1, REORDER_SILENCE * NS_PER_MS / 2);
	while ((got = reorder_next(r.live, &ev)) == -EINTR)
		;
	assert_int_equal(got, -EAGAIN);
	close(into);
	check_end(&r);
	rig_free(&r);
	free(in);
}

/* writes a note every tenth of a second, for two seconds */
static void *write_notes(void *arg)
{
	const int *into = arg;
	struct bytes *note = bytes_new();

	add_record(note, &EVENT(.time = 30, .device = 0x800000,
				.action = ACT(BLK_TN_SEAL, CAT(NOTIFY))));
	for (int i = 0; i < 20; i++) {
		usleep(100000);
		if (write(*into, note->data, note->len) < 0)
			break;
	}
	free(note);
	return NULL;
}

/* notes do not end a silence: each CPU's seal comes once a second */
static void test_notes_are_silence(void **state)
{
	struct bytes *in = bytes_new();
	struct rig r = { .quiet_ms = 300 };
	uint64_t from;
	struct event *ev;
	pthread_t writer;
	int into;

	(void)state;
	add(in, 'a', 10, 0, 1);
	into = rig_pipe(&r, in);
	assert_int_equal(pthread_create(&writer, NULL, write_notes, &into), 0);
	from = time_now();
	check_next(&r, "a");
	assert_int_equal(reorder_next(r.live, &ev), -EAGAIN);
	assert_int_equal(reorder_next(r.live, &ev), -EAGAIN);
	assert_true(time_now() - from < 1900 * NS_PER_MS);
	assert_int_equal(pthread_join(writer, NULL), 0);
	close(into);
	rig_free(&r);
	free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_front),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_notes_are_silence),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
