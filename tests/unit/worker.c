/* SPDX-License-Identifier: GPL-2.0-only */
/* The capturing threads, with taps that have lists and a sink that counts. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/time.h"
#include "capture/audit.h"
#include "capture/cpus.h"
#include "capture/sink.h"
#include "capture/span.h"
#include "capture/tap.h"
#include "capture/worker.h"
#include "capture_reports.h"
#include "record/payload.h"
#include "scratch.h"

enum { RECORDS = 1000, DEVICES = 2 };

/* --- a tap that hands out so many records of each device ----------------- */

struct list_tap {
	struct tap tap;
	unsigned int left;
	uint32_t cpu;
	const atomic_bool *completes;	/* when they are completions; else NULL */
	int never[2];		/* a pipe that nothing comes through */
	bool wrong_cpu;
};

static unsigned int list_fds(struct tap *t, struct pollfd *fds,
			     unsigned int max)
{
	assert_true(max > 0);
	fds[0] = (struct pollfd){ .fd = ((struct list_tap *)t)->never[0],
				  .events = POLLIN };
	return 1;
}

static int list_drain(struct tap *base, tap_deliver *deliver, void *ctx)
{
	struct list_tap *t = (struct list_tap *)base;
	struct event ev = { .magic = BLK_MAGIC | 7 };
	uint8_t raw[48];
	struct span s;
	int err = 0;

	if (t->completes) {
		ev.action = BLK_TA_COMPLETE;
		ev.bytes = 512;
		ev.time = time_now();
		if (!*t->completes)
			return 0;
	}
	record_encode(&ev, 7, raw);
	s = span_of(raw, sizeof(raw));
	t->wrong_cpu |= (uint32_t)sched_getcpu() != t->cpu;
	if (!t->left)
		return 0;
	t->left--;
	for (unsigned int d = 0; !err && d < DEVICES; d++)
		err = deliver(ctx, d, raw, sizeof(raw), &s.sums);
	return err ? err : 1;
}

static void list_close(struct tap *base)
{
	struct list_tap *t = (struct list_tap *)base;

	close(t->never[0]);
	close(t->never[1]);
	free(t);
}

static const struct tap_ops list_ops = { list_fds, list_drain, list_close };

/* --- a sink that counts -------------------------------------------------- */

struct count_sink {
	struct sink sink;
	pthread_mutex_t lock;
	unsigned int opened, closed, flushed;
	uint64_t bytes, fail_after;	/* 0: never */
	struct seal_counts {	/* of the first CPU's sdb */
		unsigned int kinds[BLK_SEAL_END + 1];
		struct blk_seal last;
		uint64_t time;
	} seals;
	uint64_t seal_bytes;
	uint8_t notes[2][256];	/* what was longer than records are */
	size_t note_lens[2], note_count;
};

static int count_open(struct sink *base, struct sink_lane *l)
{
	struct count_sink *s = (struct count_sink *)base;

	(void)l;
	pthread_mutex_lock(&s->lock);
	s->opened++;
	pthread_mutex_unlock(&s->lock);
	return 0;
}

/* Whether that is a seal by itself; it is counted. */
static bool count_seal(struct count_sink *s, const struct sink_lane *l,
		       const uint8_t *raw)
{
	struct blk_seal seal;
	struct event ev;

	record_decode(record_layout(7, 0), false, raw, &ev);
	ev.payload = raw + 48;
	if (!payload_seal(&ev, &seal))
		return false;
	s->seal_bytes += 48 + sizeof(seal);
	if (l->device != 1 || l->cpu)
		return true;
	s->seals.kinds[seal.kind]++;
	s->seals.last = seal;
	s->seals.time = ev.time;
	return true;
}

static int count_write(struct sink *base, struct sink_lane *l,
		       const void *records, size_t len)
{
	struct count_sink *s = (struct count_sink *)base;
	int err = 0;

	pthread_mutex_lock(&s->lock);
	s->bytes += len;
	if (count_seal(s, l, records))
		len = 0;
	if (len > 48 && len <= sizeof(s->notes[0]) && s->note_count < 2) {
		memcpy(s->notes[s->note_count], records, len);
		s->note_lens[s->note_count++] = len;
	}
	if (s->fail_after && s->bytes > s->fail_after)
		err = -ENOSPC;
	pthread_mutex_unlock(&s->lock);
	return err;
}

static int count_flush(struct sink *base, struct sink_lane *l)
{
	struct count_sink *s = (struct count_sink *)base;

	(void)l;
	pthread_mutex_lock(&s->lock);
	s->flushed++;
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static int count_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct count_sink *s = (struct count_sink *)base;

	(void)l, (void)drops;
	pthread_mutex_lock(&s->lock);
	s->closed++;
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static const struct sink_ops count_ops = {
	.open = count_open, .write = count_write, .flush = count_flush,
	.close = count_close,
};

/* --- runs ---------------------------------------------------------------- */

struct rig {
	struct count_sink sink;
	struct cpus cpus;
	struct workers_options o;
	uint32_t refuse;	/* the CPU whose tap cannot be opened */
	uint64_t drops;
	atomic_uint looks;	/* at drops, by one thread */
	uint64_t looked;	/* ns, in the first of them */
	bool audited;
	atomic_bool completes;	/* taps may hand out completions */
};

static int open_list(void *ctx, uint32_t cpu, struct tap **t)
{
	struct rig *r = ctx;
	struct list_tap *l = calloc(1, sizeof(*l));

	if (cpu == r->refuse || !l || pipe(l->never)) {
		free(l);
		return -EPERM;
	}
	l->tap.ops = &list_ops;
	l->left = RECORDS;
	l->cpu = cpu;
	l->completes = r->audited ? &r->completes : NULL;
	*t = &l->tap;
	return 0;
}

static int count_drops(void *ctx, unsigned int device, uint64_t *n)
{
	*n = device ? 0 : ((struct rig *)ctx)->drops;
	return 0;
}

static int setup(void **state)
{
	static const char *const names[DEVICES] = { "sda", "sdb" };
	struct rig *r = calloc(1, sizeof(*r));

	if (!r || cpus_online(&r->cpus))
		return -1;
	r->sink.sink.ops = &count_ops;
	pthread_mutex_init(&r->sink.lock, NULL);
	r->refuse = UINT32_MAX;
	r->o = (struct workers_options){
		.cpus = r->cpus.online,
		.cpu_count = r->cpus.count,
		.names = names,
		.device_count = DEVICES,
		.sink = &r->sink.sink,
		.idle_ms = 5,
		.open_tap = open_list,
		.ctx = r,
		.reporter = &keeper,
	};
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	cpus_free(&r->cpus);
	free(r);
	return 0;
}

/* everything that the taps have arrives, however early the stop comes */
static void test_drain(void **state)
{
	struct rig *r = *state;
	struct workers *w;
	uint64_t events, bytes, drops, n = r->cpus.count;

	assert_int_equal(workers_start(&w, &r->o), 0);
	workers_stop(w, time_now());
	assert_int_equal(workers_join(w), 0);
	workers_sums(w, &events, &bytes, &drops);
	assert_int_equal(events, n * DEVICES * RECORDS);
	assert_int_equal(bytes, events * 48);
	assert_int_equal(r->sink.bytes, bytes + r->sink.seal_bytes);
	assert_int_equal(r->sink.closed, n * DEVICES);
	assert_int_equal(workers_lane(w, 1, 0)->events, RECORDS);
	assert_string_equal(workers_lane(w, 1, 0)->name, "sdb");
	workers_free(w);
}

/* each stream begins and ends with a seal; the last one has the sums */
static void test_seals(void **state)
{
	struct rig *r = *state;
	const struct seal_counts *s = &r->sink.seals;
	uint64_t end = time_now();
	struct workers *w;

	assert_int_equal(workers_start(&w, &r->o), 0);
	workers_stop(w, end);
	assert_int_equal(workers_join(w), 0);
	workers_free(w);
	assert_int_equal(s->kinds[BLK_SEAL_OPEN], 1);
	assert_int_equal(s->kinds[BLK_SEAL_END], 1);
	assert_int_equal(s->last.kind, BLK_SEAL_END);
	assert_int_equal(s->last.end, end);
	assert_int_equal(s->time, end);
	assert_int_equal(s->last.records, RECORDS);
	assert_int_equal(s->last.streams, r->cpus.count);
}

/* a capture that goes on is sealed once a second */
static void test_seals_on(void **state)
{
	struct rig *r = *state;
	const struct seal_counts *s = &r->sink.seals;
	struct workers *w;

	assert_int_equal(workers_start(&w, &r->o), 0);
	usleep(2100000);
	workers_stop(w, time_now());
	assert_int_equal(workers_join(w), 0);
	workers_free(w);
	assert_in_range(s->kinds[BLK_SEAL_ON], 1, 2);
	assert_int_equal(s->kinds[BLK_SEAL_END], 1);
}

/* one that cannot start ends all, and what was opened is closed */
static void test_refused(void **state)
{
	struct rig *r = *state;
	struct workers *w;

	r->refuse = r->cpus.online[r->cpus.count - 1];
	assert_int_equal(workers_start(&w, &r->o), -EPERM);
	assert_int_equal(r->sink.opened, r->sink.closed);
	assert_int_equal(r->sink.bytes, 0);
}

/* a sink that fails ends the threads by themselves, with its error, and their
 * streams have no last seal */
static void test_sink_fails(void **state)
{
	struct rig *r = *state;
	struct workers *w;

	r->sink.fail_after = 10 * 48;
	assert_int_equal(workers_start(&w, &r->o), 0);
	assert_int_equal(poll(&(struct pollfd){ .fd = workers_gone_fd(w),
						.events = POLLIN },
			      1, 10000), 1);
	assert_int_equal(workers_join(w), -ENOSPC);
	assert_int_equal(r->sink.closed, r->cpus.count * DEVICES);
	assert_int_equal(r->sink.seals.kinds[BLK_SEAL_END], 0);
	workers_free(w);
}

/* The note with that index says so many; since when. */
static uint64_t note_since(const struct count_sink *s, size_t i,
			   uint64_t dropped)
{
	uint64_t n, since;
	struct event ev;

	assert_in_range(i, 0, s->note_count - 1);
	record_decode(record_layout(7, 0), false, s->notes[i], &ev);
	ev.payload = s->notes[i] + 48;
	assert_true(payload_dropped(&ev, &n, &since));
	assert_int_equal(n, dropped);
	assert_true(since < ev.time);
	return since;
}

/* drops become a message in the stream of the device, once for each news */
static void test_drops(void **state)
{
	struct rig *r = *state;
	struct workers *w;
	uint64_t events, bytes, drops, before = time_now();

	r->o.dropped = count_drops;
	r->drops = 42;
	assert_int_equal(workers_start(&w, &r->o), 0);
	workers_stop(w, time_now());
	assert_int_equal(workers_join(w), 0);
	workers_sums(w, &events, &bytes, &drops);
	assert_int_equal(drops, 42);
	check_reports("sda: 42 events dropped so far: use larger (-b) or more"
		      " (-n) buffers\n");
	assert_int_equal(workers_dropped(w, 0), 42);
	assert_int_equal(workers_dropped(w, 1), 0);
	assert_int_equal(events, r->cpus.count * DEVICES * RECORDS + 1);
	assert_int_equal(bytes, events * 48 + r->sink.note_lens[0] - 48);
	assert_int_equal(r->sink.note_count, 1);
	assert_in_range(note_since(&r->sink, 0, 42), before, time_now());
	workers_free(w);
}

/* a drop, then a look that fails, then eight more drops */
static int look_again(void *ctx, unsigned int device, uint64_t *n)
{
	struct rig *r = ctx;

	*n = 0;
	if (device)
		return 0;
	if (!r->looks)
		r->looked = time_now();
	*n = r->looks ? 9 : 1;
	return r->looks++ == 1 ? -EIO : 0;
}

/* news is since the last look that has seen something */
static void test_drops_since(void **state)
{
	struct rig *r = *state;
	struct workers *w;
	uint64_t first, second;

	r->o.dropped = look_again;
	assert_int_equal(workers_start(&w, &r->o), 0);
	while (r->looks < 2)
		usleep(10000);
	workers_stop(w, time_now());
	assert_int_equal(workers_join(w), 0);
	forget_reports();
	first = note_since(&r->sink, 0, 1);
	second = note_since(&r->sink, 1, 9);
	assert_true(first < second);
	assert_true(second <= r->looked);
	workers_free(w);
}

/* sectors of a device, in as many ios */
static void put_stat(const char *path, uint64_t n)
{
	char text[128];

	snprintf(text, sizeof(text), "%llu 0 %llu 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		 (unsigned long long)n, (unsigned long long)n);
	put(path, text);
}

/* records that a tap has lost are missed, and noted in the stream */
static void test_audit(void **state)
{
	static const uint32_t devices[DEVICES] = { 8 << 20, 8 << 20 | 16 };
	static const char part[] = " events missing since ";
	struct rig *r = *state;
	struct audit_options o = { .sysfs = ".", .devices = devices,
				   .count = DEVICES, .cpus = r->cpus.count };
	uint64_t events = 0, bytes, drops, n = r->cpus.count * RECORDS;
	struct audit_result got;
	struct workers *w;
	char line[128];
	void *dir;

	assert_int_equal(scratch_enter(&dir), 0);
	make_folders("dev/block/8:0/mq/");
	make_folders("dev/block/8:16/mq/");
	put_stat("dev/block/8:0/stat", 0);
	put_stat("dev/block/8:16/stat", 0);
	assert_int_equal(audit_new(&r->o.audit, &o), 0);
	r->audited = true;
	assert_int_equal(workers_start(&w, &r->o), 0);
	audit_start(r->o.audit);
	r->completes = true;
	while (events < DEVICES * n)
		workers_sums(w, &events, &bytes, &drops);
	put_stat("dev/block/8:0/stat", n);
	put_stat("dev/block/8:16/stat", n + 42);
	audit_stop(r->o.audit);
	workers_stop(w, time_now());
	assert_int_equal(workers_join(w), 0);
	audit_get(r->o.audit, 0, &got);
	assert_int_equal(got.verdict, AUDIT_COMPLETE);
	audit_get(r->o.audit, 1, &got);
	assert_int_equal(got.verdict, AUDIT_MISSING);
	snprintf(line, sizeof(line), "sdb: device completed %llu I/Os, trace has"
		 " %llu: 42 missing between ", (unsigned long long)n + 42,
		 (unsigned long long)n);
	assert_memory_equal(reports.text, line, strlen(line));
	forget_reports();
	assert_int_equal(r->sink.note_count, 1);
	assert_non_null(memmem(r->sink.notes[0], r->sink.note_lens[0], part,
			       strlen(part)));
	workers_free(w);
	audit_free(r->o.audit);
	assert_int_equal(scratch_leave(&dir), 0);
}

#define RUN(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(test_drain), RUN(test_seals), RUN(test_seals_on),
		RUN(test_refused),
		RUN(test_sink_fails),
		RUN(test_drops),
		RUN(test_drops_since),
		RUN(test_audit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
