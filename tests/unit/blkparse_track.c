/* SPDX-License-Identifier: GPL-2.0-only */
/* Following requests: what each event tells, over whole lives. */
#include "make.h"
#include "run/device.h"
#include "tools/blkparse/follow.h"
#include "tools/blkparse/inflight.h"

enum { FS = BLK_TC_BIT(BLK_TC_FS), PID = 100 };

/* two devices with a lane each, and a tracker; state of every test */
struct rig {
	struct device devices[2];
	struct lane lanes[2];
	struct track *track;
	struct tracked told;
	int device;		/* the one events are of */
};

static struct event event_of(struct rig *r, enum blk_action nr, uint64_t time,
			     uint64_t sector, uint32_t sectors)
{
	return EVENT(.action = ACT(nr, FS), .time = time, .sector = sector,
		     .bytes = sectors << 9, .pid = PID,
		     .lane = &r->lanes[r->device]);
}

static const struct tracked *happen(struct rig *r, enum blk_action nr,
				    uint64_t time, uint64_t sector,
				    uint32_t sectors)
{
	struct event ev = event_of(r, nr, time, sector, sectors);

	track_event(r->track, &ev, &r->told);
	return &r->told;
}

static void check_elapsed(const struct tracked *t, uint64_t elapsed,
			  enum track_wait wait)
{
	assert_true(t->timed);
	assert_int_equal(t->elapsed, elapsed);
	assert_int_equal(t->wait, wait);
	assert_int_equal(t->pid, PID);
}

/* what a completion of that place becomes */
static void check_widen(struct rig *r, uint64_t sector, uint32_t sectors,
			uint64_t want_sector, uint32_t want_sectors)
{
	struct event ev = event_of(r, BLK_TA_COMPLETE, 0, sector, sectors);

	track_widen(r->track, &ev);
	assert_int_equal(ev.sector, want_sector);
	assert_int_equal(ev.bytes, want_sectors << 9);
}

static struct rig *rig_new(void)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->track = track_new();
	assert_non_null(r->track);
	for (uint32_t i = 0; i < 2; i++) {
		r->devices[i].id = 3 * i;
		r->lanes[i].device = &r->devices[i];
	}
	return r;
}

static int set_up(void **state)
{
	*state = rig_new();
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	track_free(r->track);
	free(r);
	return 0;
}

/* --- tests --------------------------------------------------------------- */

/* allocation, insertion, issue, completion: a wait ends with each */
static void test_life(void **state)
{
	struct rig *r = *state;

	assert_true(happen(r, BLK_TA_GETRQ, 10, 100, 8)->created);
	assert_false(r->told.timed);
	check_elapsed(happen(r, BLK_TA_INSERT, 15, 100, 8), 5, WAIT_ALLOCATION);
	check_elapsed(happen(r, BLK_TA_ISSUE, 35, 100, 8), 20, WAIT_DISPATCH);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 75, 100, 8), 40,
		      WAIT_COMPLETION);
	assert_true(happen(r, BLK_TA_COMPLETE, 76, 100, 8)->missing);
}

/* a stacked device issues nothing: queueing counts as dispatch */
static void test_stacked(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 25, 100, 8), 15,
		      WAIT_COMPLETION);
}

/* a step that was not seen gives no time, and one without a request neither */
static void test_unseen(void **state)
{
	struct rig *r = *state;

	assert_true(happen(r, BLK_TA_ISSUE, 1, 100, 8)->missing);
	assert_true(happen(r, BLK_TA_INSERT, 2, 100, 8)->created);
	assert_false(r->told.timed);
	assert_false(happen(r, BLK_TA_COMPLETE, 3, 100, 8)->timed);
	assert_false(r->told.missing);
	happen(r, BLK_TA_GETRQ, 4, 100, 8);
	assert_false(happen(r, BLK_TA_ISSUE, 5, 100, 8)->timed);
}

/* the same step twice is remarked, with its name */
static void test_twice(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_GETRQ, 1, 100, 8);
	assert_string_equal(happen(r, BLK_TA_GETRQ, 2, 100, 8)->twice,
			    "allocation");
	assert_null(happen(r, BLK_TA_INSERT, 3, 100, 8)->twice);
	assert_string_equal(happen(r, BLK_TA_INSERT, 4, 100, 8)->twice,
			    "queue");
	assert_null(happen(r, BLK_TA_ISSUE, 5, 100, 8)->twice);
	assert_string_equal(happen(r, BLK_TA_ISSUE, 6, 100, 8)->twice,
			    "dispatch");
}

/* packet commands, notes and issues that no file system made are not asked */
static void test_others(void **state)
{
	static const uint32_t actions[] = {
		ACT(BLK_TA_GETRQ, BLK_TC_BIT(BLK_TC_PC)), NOTE(BLK_TA_GETRQ),
		ACT(BLK_TA_COUNT, FS), ACT(255, FS), ACT(BLK_TA_ISSUE, 0),
		ACT(BLK_TA_PLUG, FS), ACT(BLK_TA_REQUEUE, FS),
	};
	struct rig *r = *state;

	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		struct event ev = event_of(r, 0, 1, 100, 8);

		ev.action = actions[i];
		track_event(r->track, &ev, &r->told);
		assert_false(r->told.created || r->told.missing ||
			     r->told.timed);
		assert_int_equal(r->told.pid, PID);
	}
	assert_true(happen(r, BLK_TA_COMPLETE, 9, 100, 8)->missing);
}

/* the same sector of another device is another request */
static void test_devices(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	r->device = 1;
	assert_true(happen(r, BLK_TA_COMPLETE, 20, 100, 8)->missing);
	assert_true(happen(r, BLK_TA_QUEUE, 30, 100, 8)->created);
	r->device = 0;
	check_elapsed(happen(r, BLK_TA_COMPLETE, 40, 100, 8), 30,
		      WAIT_COMPLETION);
}

/* a front merge moves the beginning of the request behind it */
static void test_front_merge(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	happen(r, BLK_TA_FRONTMERGE, 20, 92, 8);
	assert_false(r->told.missing || r->told.alias);
	assert_true(happen(r, BLK_TA_COMPLETE, 30, 100, 8)->missing);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 30, 92, 16), 20,
		      WAIT_COMPLETION);
}

/* where another request begins already, the merged one is an alias */
static void test_merge_alias(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 92, 8);
	happen(r, BLK_TA_QUEUE, 15, 100, 8);
	assert_true(happen(r, BLK_TA_FRONTMERGE, 20, 92, 8)->alias);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 30, 92, 8), 20,
		      WAIT_COMPLETION);
}

/* either part of a split request completes the whole, and ends it */
static void test_split(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 100, 16);
	happen(r, BLK_TA_SPLIT, 11, 100, 8);
	check_widen(r, 108, 8, 100, 16);
	check_widen(r, 100, 8, 100, 8);
	check_widen(r, 104, 8, 104, 8);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 20, 108, 8), 10,
		      WAIT_COMPLETION);
	assert_true(happen(r, BLK_TA_COMPLETE, 21, 100, 8)->missing);
	check_widen(r, 108, 8, 108, 8);
}

/* a split where a request is known already is an alias; so is one of nothing */
static void test_split_alias(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 108, 8);
	assert_true(happen(r, BLK_TA_SPLIT, 11, 100, 8)->alias);
	check_widen(r, 108, 8, 108, 8);
	assert_true(happen(r, BLK_TA_SPLIT, 12, 100, 0)->alias);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 14, 108, 8), 4,
		      WAIT_COMPLETION);
}

/* a front merge in front of a split's tail moves the tail alone */
static void test_split_merge(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	happen(r, BLK_TA_SPLIT, 11, 100, 4);
	happen(r, BLK_TA_FRONTMERGE, 12, 102, 2);
	assert_true(happen(r, BLK_TA_COMPLETE, 20, 98, 2)->missing);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 20, 102, 2), 10,
		      WAIT_COMPLETION);
	assert_true(happen(r, BLK_TA_COMPLETE, 21, 100, 4)->missing);
	assert_true(happen(r, BLK_TA_QUEUE, 30, 500, 8)->created);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 40, 500, 8), 10,
		      WAIT_COMPLETION);
}

/* splits alone are followed, and never forgotten */
static void test_untimed(void **state)
{
	struct rig *r = *state;

	assert_true(happen(r, BLK_TA_SPLIT, 11, 100, 8)->created);
	check_widen(r, 108, 8, 100, 16);
	check_widen(r, 108, 8, 100, 16);
	assert_true(happen(r, BLK_TA_SPLIT, 21, 100, 8)->alias);
}

/* thousands of requests at a time, again and again, are kept apart */
static void test_many(void **state)
{
	struct rig *r = *state;

	for (int round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < 3000; i++) {
			happen(r, BLK_TA_QUEUE, i, i * 16, 16);
			happen(r, BLK_TA_SPLIT, i, i * 16, 8);
		}
		for (uint64_t i = 3000; i-- > 0;)
			check_elapsed(happen(r, BLK_TA_COMPLETE, 5000,
					     i * 16 + 8 * (i % 2), 16),
				      5000 - i, WAIT_COMPLETION);
	}
}

/* --- merged requests ------------------------------------------------------ */

/* so many bios of 8 sectors, each but the first merged behind the one before,
 * from sector on; then their request completes */
static void merge_run(struct rig *r, uint64_t sector, int bios)
{
	happen(r, BLK_TA_QUEUE, 10, sector, 8);
	for (int i = 1; i < bios; i++) {
		happen(r, BLK_TA_QUEUE, 10, sector + 8 * i, 8);
		happen(r, BLK_TA_BACKMERGE, 10, sector + 8 * i, 8);
	}
	happen(r, BLK_TA_ISSUE, 11, sector, 8 * bios);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 30, sector, 8 * bios), 19,
		      WAIT_COMPLETION);
}

/* more than can be followed at a time: those that are over make place */
static void test_merged(void **state)
{
	enum { BIOS = 32 };
	struct rig *r = *state;

	for (uint64_t i = 0; i < INFLIGHT_MAX / BIOS + 1000; i++)
		merge_run(r, i * BIOS * 8, BIOS);
	assert_int_equal(track_left_out(r->track), 0);
}

/* requests that were merged themselves, with all that they had */
static void test_merged_requests(void **state)
{
	struct rig *r = *state;

	for (uint64_t i = 0; i < INFLIGHT_MAX / 3 + 1000; i++) {
		uint64_t at = i * 32;

		happen(r, BLK_TA_QUEUE, 10, at, 8);
		happen(r, BLK_TA_QUEUE, 10, at + 8, 8);
		happen(r, BLK_TA_GETRQ, 10, at + 8, 8);
		for (int bio = 2; bio < 4; bio++) {
			happen(r, BLK_TA_QUEUE, 10, at + 8 * bio, 8);
			happen(r, BLK_TA_BACKMERGE, 10, at + 8 * bio, 8);
		}
		happen(r, BLK_TA_BACKMERGE, 10, at + 8, 24);
		check_elapsed(happen(r, BLK_TA_COMPLETE, 30, at, 32), 20,
			      WAIT_COMPLETION);
	}
	assert_int_equal(track_left_out(r->track), 0);
}

/* a front merge leaves nothing behind */
static void test_front_merged(void **state)
{
	struct rig *r = *state;

	for (uint64_t i = 0; i < INFLIGHT_MAX + 1000; i++) {
		happen(r, BLK_TA_QUEUE, 10, 108, 8);
		happen(r, BLK_TA_QUEUE, 20, 100, 8);
		happen(r, BLK_TA_FRONTMERGE, 20, 100, 8);
		check_elapsed(happen(r, BLK_TA_COMPLETE, 40, 100, 16), 20,
			      WAIT_COMPLETION);
	}
	assert_int_equal(track_left_out(r->track), 0);
}

/* until there are too many, what is over is found again, as in 1.3.0 */
static void test_merged_found(void **state)
{
	struct rig *r = *state;

	merge_run(r, 100, 3);
	assert_false(happen(r, BLK_TA_QUEUE, 50, 108, 8)->created);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 60, 108, 8), 10,
		      WAIT_COMPLETION);
	assert_true(happen(r, BLK_TA_COMPLETE, 61, 108, 8)->missing);
	assert_false(happen(r, BLK_TA_ISSUE, 70, 116, 8)->missing);
}

/* queues so many bios at sectors of their own */
static void queue_many(struct rig *r, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		happen(r, BLK_TA_QUEUE, 10, (uint64_t)1 << 40 | i << 3, 8);
}

/* what is used again is not over, and neither is what is only overlapped */
static void test_not_over(void **state)
{
	struct rig *r = *state;

	for (uint64_t i = 0; i < INFLIGHT_MAX / 8; i++)
		merge_run(r, i * 16, 2);
	happen(r, BLK_TA_QUEUE, 50, 8, 8);	/* merged before */
	happen(r, BLK_TA_QUEUE, 50, 28, 2);
	happen(r, BLK_TA_COMPLETE, 50, 16, 16);
	queue_many(r, INFLIGHT_MAX - INFLIGHT_MAX / 8);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 60, 8, 8), 10,
		      WAIT_COMPLETION);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 60, 28, 2), 10,
		      WAIT_COMPLETION);
	assert_true(happen(r, BLK_TA_COMPLETE, 60, 24, 8)->missing);
}

/* where none are over, the bound holds, and what is beyond it is counted */
static void test_bound(void **state)
{
	struct rig *r = *state;

	happen(r, BLK_TA_QUEUE, 10, 100, 8);
	queue_many(r, INFLIGHT_MAX);
	assert_int_equal(track_left_out(r->track), 1);
	assert_false(happen(r, BLK_TA_QUEUE, 20, 200, 8)->created);
	happen(r, BLK_TA_SPLIT, 20, 100, 4);
	assert_int_equal(track_left_out(r->track), 3);
	check_widen(r, 104, 4, 104, 4);
	check_elapsed(happen(r, BLK_TA_COMPLETE, 30, 100, 8), 20,
		      WAIT_COMPLETION);
	assert_true(happen(r, BLK_TA_QUEUE, 40, 200, 8)->created);
}

#define TIMED(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TIMED(test_life),
		TIMED(test_stacked),
		TIMED(test_unseen),
		TIMED(test_twice),
		TIMED(test_others),
		TIMED(test_devices),
		TIMED(test_front_merge),
		TIMED(test_merge_alias),
		TIMED(test_split),
		TIMED(test_split_alias),
		TIMED(test_split_merge),
		TIMED(test_untimed),
		TIMED(test_many),
		TIMED(test_merged),
		TIMED(test_merged_requests),
		TIMED(test_front_merged),
		TIMED(test_merged_found),
		TIMED(test_not_over),
		TIMED(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
