/* SPDX-License-Identifier: GPL-2.0-only */
/* A capture from set-up to tear-down, by a way that only takes notes. */
#include <errno.h>
#include <unistd.h>

#include "blktrace.h"
#include "capture/cpus.h"
#include "capture/mark_port.h"
#include "capture/session.h"
#include "capture/sink.h"
#include "capture/tap.h"
#include "capture_reports.h"
#include "scratch.h"

/* --- a tap without records ------------------------------------------------ */

static unsigned int no_fds(struct tap *t, struct pollfd *fds, unsigned int max)
{
	(void)t, (void)fds, (void)max;
	return 0;
}

static int no_records(struct tap *t, tap_deliver *deliver, void *ctx)
{
	(void)t, (void)deliver, (void)ctx;
	return 0;
}

static void close_tap(struct tap *t)
{
	free(t);
}

static const struct tap_ops tap_ops = { no_fds, no_records, close_tap };

/* --- the way, and a sink -------------------------------------------------- */

struct way {
	struct via via;
	int set_up, start, stop;	/* what these return */
	char calls[64];		/* a letter for each */
	pthread_mutex_t lock;
	unsigned int taps, touched;
	uint8_t written[512];	/* all of it */
	size_t len;
	struct sink sink;
};

static void add_call(struct via *v, const char *letter)
{
	strcat(((struct way *)v)->calls, letter);
}

static int way_set_up(struct via *v)
{
	add_call(v, "u");
	return ((struct way *)v)->set_up;
}

static int way_open_tap(struct via *v, uint32_t cpu, struct tap **t)
{
	struct way *w = (struct way *)v;

	(void)cpu;
	*t = calloc(1, sizeof(**t));
	assert_non_null(*t);
	(*t)->ops = &tap_ops;
	pthread_mutex_lock(&w->lock);
	w->taps++;
	pthread_mutex_unlock(&w->lock);
	return 0;
}

static int way_start(struct via *v)
{
	add_call(v, "s");
	return ((struct way *)v)->start;
}

static int way_stop(struct via *v)
{
	add_call(v, "e");
	return ((struct way *)v)->stop;
}

static uint64_t way_lost(struct via *v, unsigned int device)
{
	(void)v;
	return 40 + device;
}

static void way_tear_down(struct via *v)
{
	add_call(v, "d");
}

static const struct via_ops way_ops = {
	.set_up = way_set_up, .open_tap = way_open_tap, .start = way_start,
	.stop = way_stop, .lost = way_lost, .tear_down = way_tear_down,
};

static int sink_nothing(struct sink *s, struct sink_lane *l)
{
	(void)s, (void)l;
	return 0;
}

static int sink_close(struct sink *s, struct sink_lane *l, uint64_t drops)
{
	(void)s, (void)l, (void)drops;
	return 0;
}

static int sink_touch(struct sink *s, const char *name, uint32_t cpu)
{
	struct way *w = (struct way *)((char *)s - offsetof(struct way, sink));

	(void)name, (void)cpu;
	w->touched++;
	return 0;
}

static int sink_write(struct sink *s, struct sink_lane *l, const void *records,
		      size_t len)
{
	struct way *w = (struct way *)((char *)s - offsetof(struct way, sink));

	(void)l;
	assert_true(w->len + len <= sizeof(w->written));
	memcpy(w->written + w->len, records, len);
	w->len += len;
	return 0;
}

static const struct sink_ops sink_ops = {
	.open = sink_nothing, .flush = sink_nothing, .close = sink_close,
	.touch = sink_touch, .write = sink_write,
};

/* --- tests ---------------------------------------------------------------- */

static const char *names[] = { "sda", "sdb" };

static struct session *begin(struct way *w)
{
	struct session *s = NULL;

	*w = (struct way){
		.via = { .ops = &way_ops, .names = names, .count = 2 },
		.lock = PTHREAD_MUTEX_INITIALIZER, .sink.ops = &sink_ops,
	};
	forget_reports();
	assert_int_equal(session_new(&s, &keeper), 0);
	return s;
}

static void test_whole(void **state)
{
	struct way w;
	struct session *s = begin(&w);
	const struct cpus *cpus = session_cpus(s);
	uint32_t online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	assert_int_equal(cpus->count, online);
	assert_int_equal(session_set_up_by(s, &w.via), 0);
	assert_ptr_equal(w.via.cpus, cpus);
	assert_int_equal(session_open(s, &w.sink, 10), 0);
	assert_int_equal(w.taps, cpus->count);
	assert_int_equal(w.touched, 2 * (cpus->max - cpus->count));
	assert_int_equal(session_start(s), 0);
	assert_int_equal(session_stop(s), 0);
	assert_int_equal(session_device_count(s), 2);
	assert_string_equal(session_device_name(s, 1), "sdb");
	assert_string_equal(session_lane(s, 1, 0)->name, "sdb");
	assert_int_equal(session_lost(s, 1), 41);
	session_free(s);
	assert_string_equal(w.calls, "used");
	check_reports("");
}

enum { SEAL = BLK_HEADER_7 + sizeof(struct blk_seal) };

/* a way whose kernel takes no marks */
static void test_marks(void **state)
{
	static const char *paths[] = { "sda", "sdb" };
	static const struct via_plan plan = { .devices = paths, .count = 2 };
	struct way w;
	struct session *s = begin(&w);
	struct event ev;

	(void)state;
	w.via.plan = &plan;
	assert_int_equal(session_set_up_by(s, &w.via), 0);
	assert_int_equal(session_take_marks(s, "run"), 0);
	assert_int_equal(session_open(s, &w.sink, 60000), 0);
	assert_int_equal(mark_port_call("run", 0, "early", 5), 0);
	assert_int_equal(session_start(s), 0);
	assert_int_equal(mark_port_call("run", 0, "now", 3), 2);
	assert_int_equal(session_stop(s), 0);
	assert_int_equal(mark_port_call("run", 0, "late", 4), 0);
	/* of each device, between the seals that begin and end its stream */
	assert_int_equal(w.len, 2 * (BLK_HEADER_7 + 3) + 4 * SEAL);
	memcpy(&ev, w.written, BLK_HEADER_7);
	assert_int_equal(ev.action, NOTE(BLK_TN_SEAL));
	memcpy(&ev, w.written + SEAL, BLK_HEADER_7);
	assert_int_equal(ev.action, NOTE(BLK_TN_MESSAGE));
	assert_memory_equal(w.written + SEAL + BLK_HEADER_7, "now", 3);
	assert_int_equal(session_lane(s, 1, 0)->events, 1);
	session_free(s);
	check_reports("");
}

/* a kernel that writes them itself needs no socket */
static void test_kernel_marks(void **state)
{
	struct way w;
	struct session *s = begin(&w);

	(void)state;
	w.via.takes_marks = true;
	assert_int_equal(session_set_up_by(s, &w.via), 0);
	assert_int_equal(session_take_marks(s, "run"), 0);
	assert_int_equal(session_open(s, &w.sink, 10), 0);
	assert_int_equal(session_start(s), 0);
	assert_int_equal(access("run", F_OK), -1);
	assert_int_equal(session_stop(s), 0);
	session_free(s);
}

/* a way that is closed is taken down, and the reason reported */
static void test_closed(void **state)
{
	struct way w;
	struct session *s = begin(&w);

	(void)state;
	w.set_up = -EOPNOTSUPP;
	strcpy(w.via.why, "closed; open it");
	assert_int_equal(session_set_up_by(s, &w.via), -EOPNOTSUPP);
	check_reports("closed; open it\n");
	session_free(s);
	assert_string_equal(w.calls, "ud");
}

/* a kernel that does not start, and a device that is gone at the end */
static void test_failures(void **state)
{
	struct way w;
	struct session *s = begin(&w);

	(void)state;
	w.start = -EBUSY;
	w.stop = -ENODEV;
	assert_int_equal(session_set_up_by(s, &w.via), 0);
	assert_int_equal(session_open(s, &w.sink, 10), 0);
	assert_int_equal(session_start(s), -EBUSY);
	assert_int_equal(session_stop(s), -ENODEV);
	session_free(s);
	assert_string_equal(w.calls, "used");
	session_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		IN_SCRATCH(test_marks), IN_SCRATCH(test_kernel_marks),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
