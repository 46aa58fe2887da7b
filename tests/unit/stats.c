/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting: what each action adds to, per lane, device and process. */
#include "make.h"
#include "run/device.h"
#include "run/names.h"
#include "stats.h"

enum { R = STATS_READ, W = STATS_WRITE };

/* two CPUs of one device; state of every test */
struct rig {
	struct stats stats;
	struct names names;
	struct devices devices;
	struct lane *lanes[2];
	int cpu;		/* whose events happen */
	uint32_t pid;
};

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct device *dev;

	assert_non_null(r);
	dev = device_add(&r->devices, "sda", 0, 0);
	r->lanes[0] = device_cpu(&r->devices, dev, 0);
	r->lanes[1] = device_cpu(&r->devices, dev, 5);
	r->stats.names = &r->names;
	r->pid = 100;
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	stats_free(&r->stats);
	names_free(&r->names);
	devices_free(&r->devices);
	free(r);
	return 0;
}

static struct lane_stats *here(struct rig *r)
{
	struct lane_stats *l = stats_lane(&r->stats, r->lanes[r->cpu]);

	assert_non_null(l);
	return l;
}

static void happen(struct rig *r, enum blk_action nr, uint32_t categories,
		   uint32_t bytes)
{
	struct event ev = EVENT(.action = ACT(nr, categories), .bytes = bytes,
				.pid = r->pid, .lane = r->lanes[r->cpu]);

	assert_int_equal(stats_count(&r->stats, here(r), &ev), 0);
}

static void check_counter(const struct counters *c, enum stats_kind kind,
			  int dir, uint64_t count, int64_t kib, int64_t rest)
{
	assert_int_equal(c->io[kind][dir].count, count);
	assert_int_equal(c->io[kind][dir].kib, kib);
	assert_int_equal(c->io[kind][dir].rest, rest);
}

/* how many events have been counted as anything at all */
static uint64_t count_all(const struct counters *c)
{
	uint64_t sum = 0;

	for (int kind = STATS_NONE + 1; kind < STATS_KINDS; kind++)
		sum += c->io[kind][R].count + c->io[kind][W].count;
	return sum;
}

/* --- tests --------------------------------------------------------------- */

static void check_kind(struct rig *r, enum blk_action nr, uint32_t categories,
		       enum stats_kind kind)
{
	const struct counters *c = &here(r)->counters;

	memset(&here(r)->counters, 0, sizeof(*c));
	happen(r, nr, categories | CAT(READ), 2560);
	happen(r, nr, categories | CAT(WRITE), 1024);
	happen(r, nr, categories | CAT(WRITE), 1025);
	check_counter(c, kind, R, 1, 2, 512);
	check_counter(c, kind, W, 2, 2, 1);
	assert_int_equal(count_all(c), 3);
}

/* queued, merged, issued, completed: counts, whole KiB and what is beyond */
static void test_kinds(void **state)
{
	struct rig *r = *state;

	check_kind(r, BLK_TA_QUEUE, CAT(FS), STATS_QUEUED);
	check_kind(r, BLK_TA_BACKMERGE, CAT(FS), STATS_MERGED);
	check_kind(r, BLK_TA_FRONTMERGE, CAT(FS), STATS_MERGED);
	check_kind(r, BLK_TA_ISSUE, CAT(FS), STATS_ISSUED);
	check_kind(r, BLK_TA_COMPLETE, CAT(FS), STATS_COMPLETED);
	check_kind(r, BLK_TA_QUEUE, CAT(PC), STATS_PC_QUEUED);
	check_kind(r, BLK_TA_ISSUE, CAT(PC), STATS_PC_ISSUED);
	check_kind(r, BLK_TA_QUEUE | BLK_CGROUP_FLAG, CAT(FS), STATS_QUEUED);
}

/* completed packet commands count without their bytes */
static void test_pc_complete(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_COMPLETE, CAT(PC), 4096);
	check_counter(&here(r)->counters, STATS_PC_COMPLETED, R, 1, 0, 0);
}

/* actions without a row count nowhere, and unplugs without bytes */
static void test_others(void **state)
{
	static const enum blk_action none[] = {
		0, BLK_TA_GETRQ, BLK_TA_SLEEPRQ, BLK_TA_PLUG, BLK_TA_INSERT,
		BLK_TA_SPLIT, BLK_TA_BOUNCE, BLK_TA_REMAP, BLK_TA_ABORT,
		BLK_TA_DRV_DATA, BLK_TA_ZONE_PLUG, BLK_TA_COUNT, 255,
	};
	struct rig *r = *state;
	const struct counter (*io)[2] = here(r)->counters.io;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		happen(r, none[i], CAT(FS), 4096);
		happen(r, none[i], CAT(PC), 4096);
	}
	happen(r, BLK_TA_UNPLUG_IO, CAT(PC), 0);
	happen(r, BLK_TA_BACKMERGE, CAT(PC), 512);
	assert_int_equal(count_all(&here(r)->counters), 0);
	happen(r, BLK_TA_UNPLUG_IO, 0, 0);
	happen(r, BLK_TA_UNPLUG_IO, CAT(WRITE), 0);
	happen(r, BLK_TA_ZONE_UNPLUG, CAT(WRITE), 0);
	happen(r, BLK_TA_UNPLUG_TIMER, CAT(READ), 0);
	assert_int_equal(io[STATS_IO_UNPLUGS][R].count +
			 io[STATS_IO_UNPLUGS][W].count, 3);
	assert_int_equal(io[STATS_TIMER_UNPLUGS][R].count +
			 io[STATS_TIMER_UNPLUGS][W].count, 1);
}

/* a requeue takes its bytes back from the issues, not their count */
static void test_requeue(void **state)
{
	struct rig *r = *state;
	const struct counters *c = &here(r)->counters;

	happen(r, BLK_TA_ISSUE, CAT(FS) | CAT(WRITE), 4608);
	happen(r, BLK_TA_REQUEUE, CAT(FS) | CAT(WRITE), 4608);
	check_counter(c, STATS_ISSUED, W, 1, 0, 0);
	check_counter(c, STATS_REQUEUED, W, 1, 0, 0);
	happen(r, BLK_TA_ISSUE, CAT(PC), 2048);
	happen(r, BLK_TA_REQUEUE, CAT(PC), 2048);
	check_counter(c, STATS_PC_ISSUED, R, 1, 0, 0);
	check_counter(c, STATS_PC_REQUEUED, R, 1, 0, 0);
	check_counter(c, STATS_ISSUED, R, 0, 0, 0);
}

/* requeued on another CPU than issued: one goes below nothing, the sum not */
static void test_requeue_elsewhere(void **state)
{
	struct rig *r = *state;
	struct counters sum = { 0 };

	happen(r, BLK_TA_ISSUE, CAT(FS), 4608);
	r->cpu = 1;
	happen(r, BLK_TA_REQUEUE, CAT(FS), 4608);
	check_counter(&here(r)->counters, STATS_ISSUED, R, 0, -4, -512);
	counters_add(&sum, &here(r)->counters);
	r->cpu = 0;
	counters_add(&sum, &here(r)->counters);
	check_counter(&sum, STATS_ISSUED, R, 1, 0, 0);
	check_counter(&sum, STATS_REQUEUED, R, 1, 0, 0);
}

/* depths: of a device over all its CPUs, by direction, never below 0 */
static void test_depth(void **state)
{
	struct rig *r = *state;
	struct device_stats *d = here(r)->device;

	happen(r, BLK_TA_COMPLETE, CAT(FS), 512);
	assert_int_equal(d->depth[R], 0);
	happen(r, BLK_TA_ISSUE, CAT(FS), 512);
	r->cpu = 1;
	assert_ptr_equal(here(r)->device, d);
	happen(r, BLK_TA_ISSUE, CAT(PC), 512);
	happen(r, BLK_TA_ISSUE, CAT(FS), 512);
	happen(r, BLK_TA_ISSUE, CAT(FS) | CAT(WRITE), 512);
	happen(r, BLK_TA_REQUEUE, CAT(FS), 512);
	happen(r, BLK_TA_COMPLETE, CAT(PC), 512);
	happen(r, BLK_TA_QUEUE, CAT(FS), 512);
	assert_int_equal(d->depth[R], 1);
	assert_int_equal(d->depth_max[R], 3);
	assert_int_equal(d->depth[W], 1);
	assert_int_equal(d->depth_max[W], 1);
}

/* sums are not cut at 4 GiB, nor at 2^32 events */
static void test_large(void **state)
{
	struct rig *r = *state;
	struct counters a = { 0 }, b = { 0 };

	for (int i = 0; i < 5; i++)
		happen(r, BLK_TA_QUEUE, 0, UINT32_MAX);
	check_counter(&here(r)->counters, STATS_QUEUED, R, 5,
		      5 * ((1ll << 22) - 1), 5 * 1023);
	b.io[STATS_MERGED][W] = (struct counter){ 1ull << 40, 1ll << 50, 7 };
	counters_add(&a, &b);
	counters_add(&a, &b);
	check_counter(&a, STATS_MERGED, W, 1ull << 41, 1ll << 51, 14);
}

/* processes are counted only if asked for, and only by what counts */
static void test_processes(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 0, 512);
	assert_null(stats_process(&r->stats, 0, 100));
	r->stats.per_process = true;
	happen(r, BLK_TA_PLUG, 0, 0);
	assert_null(stats_process(&r->stats, 0, 100));
	happen(r, BLK_TA_QUEUE, 0, 1024);
	r->pid = 101;
	happen(r, BLK_TA_UNPLUG_IO, 0, 0);
	assert_int_equal(r->stats.process_count, 2);
	check_counter(&stats_process(&r->stats, 0, 100)->counters,
		      STATS_QUEUED, R, 1, 1, 0);
	assert_int_equal(r->stats.process_list[1]->pid, 101);
	assert_null(stats_process(&r->stats, 1, 100));
}

/* a first event without a name is told, so that the line comes before it */
static void test_newcomer(void **state)
{
	struct rig *r = *state;

	r->stats.per_process = true;
	names_learn(&r->names, 0, 100, "dd", 2);
	happen(r, BLK_TA_QUEUE, 0, 512);
	assert_false(r->stats.newcomer);
	r->pid = 101;
	happen(r, BLK_TA_QUEUE, 0, 512);
	assert_true(r->stats.newcomer);
	assert_null(names_get(&r->names, 0, 101));
}

/* by name: namesakes share what the first of them began */
static void test_by_name(void **state)
{
	struct rig *r = *state;
	struct process_stats *p;

	r->stats.per_process = r->stats.by_name = true;
	names_learn(&r->names, 0, 100, "dd", 2);
	names_learn(&r->names, 0, 101, "dd", 2);
	names_learn(&r->names, 0, 102, "cp", 2);
	for (r->pid = 100; r->pid < 103; r->pid++)
		happen(r, BLK_TA_QUEUE, 0, 1024);
	p = stats_process(&r->stats, 0, 101);
	assert_int_equal(r->stats.process_count, 2);
	assert_int_equal(p->pid, 100);
	assert_true(p->several);
	check_counter(&p->counters, STATS_QUEUED, R, 2, 2, 0);
	assert_false(stats_process(&r->stats, 0, 102)->several);
}

/* beyond the bound they are counted for their CPU only, and how many it were */
static void test_processes_bound(void **state)
{
	struct rig *r = *state;

	r->stats.per_process = true;
	for (r->pid = 0; r->pid < PROCESSES_MAX + 2; r->pid++)
		happen(r, BLK_TA_QUEUE, 0, 1024);
	assert_int_equal(r->stats.left_out, 2);
	assert_null(stats_process(&r->stats, 0, PROCESSES_MAX));
	check_counter(&here(r)->counters, STATS_QUEUED, R, PROCESSES_MAX + 2,
		      PROCESSES_MAX + 2, 0);
}

#define RIGGED(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGGED(test_kinds),
		RIGGED(test_pc_complete),
		RIGGED(test_others),
		RIGGED(test_requeue),
		RIGGED(test_requeue_elsewhere),
		RIGGED(test_depth),
		RIGGED(test_large),
		RIGGED(test_processes),
		RIGGED(test_newcomer),
		RIGGED(test_by_name),
		RIGGED(test_processes_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
