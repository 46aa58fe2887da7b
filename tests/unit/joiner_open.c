/* SPDX-License-Identifier: GPL-2.0-only */
/* Ios that are open, and which of them ends when there are several. */
#include "make.h"
#include "request/io.h"
#include "request/joiner.h"
#include "request/level_watcher.h"

enum { SDA = 8 << 20, DM = 253 << 20, DONE = 900 };

static struct joiner *joiner_of(void)
{
	const struct joiner_bounds bounds = JOINER_BOUNDS;
	struct joiner *j;

	assert_int_equal(joiner_new(&j, &bounds), 0);
	return j;
}

static void see(struct joiner *j, enum blk_action what, uint64_t time,
		uint64_t sector)
{
	const struct event ev = EVENT(.time = time, .sector = sector,
		.bytes = 4096, .device = SDA, .cpu = 2, .pid = 42,
		.action = ACT(what, CAT(READ) | CAT(FS)));
	const struct io *io = NULL;

	joiner_event(j, &ev);
	while (joiner_next(j, &io))
		;
}

static void test_order(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;
	uint32_t at = 0;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	see(j, BLK_TA_GETRQ, 110, 8);
	see(j, BLK_TA_QUEUE, 200, 80);
	see(j, BLK_TA_GETRQ, 210, 80);
	see(j, BLK_TA_ISSUE, 220, 80);
	see(j, BLK_TA_QUEUE, 300, 800);
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->time, 100);
	assert_int_equal(io->ended, IO_ENDED_OPEN);
	assert_int_equal(io->pid, 42);
	assert_int_equal(io->bytes, 4096);
	assert_int_equal(io->rq, io->id);
	assert_true(io->total == IO_NONE);
	assert_true(io->issued == IO_NONE);
	assert_false(io->gap);
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->time, 200);
	assert_int_equal(io->issued, 220);
	assert_int_equal(io->depth, 1);
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->sector, 800);
	assert_int_equal(io->rq, 0);
	assert_false(joiner_open(j, &at, &io));
	joiner_free(j);
}

static void assert_stay(const struct io_stay *stay, uint64_t from, uint64_t to)
{
	assert_non_null(stay);
	assert_int_equal(stay->from, from);
	assert_int_equal(stay->to, to);
}

/* It was at the device each time before it was sent back. */
static void test_stays(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	see(j, BLK_TA_GETRQ, 110, 8);
	see(j, BLK_TA_ISSUE, 120, 8);
	see(j, BLK_TA_REQUEUE, 150, 8);
	assert_true(joiner_open(j, &(uint32_t){ 0 }, &io));
	assert_stay(io->stays, 120, 150);
	assert_int_equal(io->issued, io->stays->from);
	see(j, BLK_TA_ISSUE, 200, 8);
	see(j, BLK_TA_REQUEUE, 210, 8);
	see(j, BLK_TA_ISSUE, 300, 8);
	joiner_end(j, 400, false);
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->issued, 300);
	assert_stay(io->stays, 200, 210);
	assert_stay(io->stays->before, 120, 150);
	assert_null(io->stays->before->before);
	joiner_free(j);
}

/* looking changes nothing; what has completed is not open */
static void test_completed(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;
	uint32_t at = 0;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	see(j, BLK_TA_GETRQ, 110, 8);
	see(j, BLK_TA_ISSUE, 120, 8);
	see(j, BLK_TA_QUEUE, 130, 80);
	while (joiner_open(j, &at, &io))
		;
	joiner_event(j, &EVENT(.time = 150, .sector = 8, .bytes = 4096,
			       .device = SDA,
			       .action = ACT(BLK_TA_COMPLETE,
					     CAT(READ) | CAT(FS))));
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->total, 50);
	assert_int_equal(io->phase[IO_D2C], 30);
	at = 0;
	assert_true(joiner_open(j, &at, &io));
	assert_int_equal(io->sector, 80);
	assert_false(joiner_open(j, &at, &io));
	joiner_free(j);
}

/* whether the io is still open cannot be known when events were lost */
static void test_gap(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;
	uint32_t at = 0;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	joiner_gap(j, 0, SDA, true);
	joiner_gap(j, 0, SDA, false);
	see(j, BLK_TA_QUEUE, 200, 80);
	assert_true(joiner_open(j, &at, &io));
	assert_true(io->gap);
	assert_true(joiner_open(j, &at, &io));
	assert_false(io->gap);
	joiner_free(j);
}

static void send(struct joiner *j, enum blk_action what, uint64_t time,
		 uint32_t bytes)
{
	joiner_event(j, &EVENT(.time = time, .sector = 8, .bytes = bytes,
			       .device = SDA, .cpu = 2,
			       .action = ACT(what, CAT(READ) | CAT(FS))));
}

/* Of two in a request the first is done when events are lost: it is complete,
 * wherever the trace ends. */
static void test_gap_behind(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	see(j, BLK_TA_GETRQ, 110, 8);
	see(j, BLK_TA_QUEUE, 120, 16);
	see(j, BLK_TA_BACKMERGE, 121, 16);
	send(j, BLK_TA_ISSUE, 130, 8192);
	send(j, BLK_TA_COMPLETE, 150, 4096);
	assert_false(joiner_next(j, &io));
	joiner_gap(j, 0, SDA, true);
	joiner_gap(j, 0, SDA, false);
	joiner_end(j, 400, false);
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->total, 50);
	assert_false(io->gap);
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->ended, IO_ENDED_OPEN);
	assert_true(io->gap);
	joiner_free(j);
}

/* --- the end of the trace ------------------------------------------------- */

/* at the trace's end, or at that of a window, when it goes on */
static void test_age(void **state)
{
	(void)state;
	for (int goes_on = 0; goes_on < 2; goes_on++) {
		const struct window w = { 150, 400 }, next = { 400, DONE };
		struct joiner *j = joiner_of();
		const struct io *io = NULL;

		see(j, BLK_TA_QUEUE, 100, 8);
		joiner_end(j, 400, goes_on);
		assert_true(joiner_next(j, &io));
		assert_int_equal(io->ended, IO_ENDED_OPEN);
		assert_int_equal(io->age, 300);
		assert_true(io->total == IO_NONE);
		assert_int_equal(io->later, goes_on);
		assert_int_equal(io_in_window(io, &w), !goes_on);
		assert_false(io_in_window(io, &next));
		joiner_free(j);
	}
}

/* what ends on the border of two windows is in the first */
static void test_border(void **state)
{
	const struct window first = { 0, 150 }, next = { 150, DONE };
	struct joiner *j = joiner_of();
	const struct io *io = NULL;

	(void)state;
	see(j, BLK_TA_QUEUE, 100, 8);
	see(j, BLK_TA_ISSUE, 120, 8);
	joiner_event(j, &EVENT(.time = 150, .sector = 8, .bytes = 4096,
			       .device = SDA,
			       .action = ACT(BLK_TA_COMPLETE,
					     CAT(READ) | CAT(FS))));
	assert_true(joiner_next(j, &io));
	assert_true(io->age == IO_NONE);
	assert_true(io_in_window(io, &first));
	assert_false(io_in_window(io, &next));
	joiner_free(j);
}

/* --- several that an event may be about ----------------------------------- */

static bool complete(struct joiner *j, uint64_t time, uint64_t sector,
		     const struct io **io)
{
	joiner_event(j, &EVENT(.time = time, .sector = sector, .bytes = 4096,
			       .device = SDA, .cpu = 2,
			       .action = ACT(BLK_TA_COMPLETE,
					     CAT(READ) | CAT(FS))));
	return joiner_next(j, io);
}

/* two at a place, and either may be the one that completes first */
static void test_sure(void **state)
{
	static const uint64_t sectors[] = { 8, 8, 80 };
	struct joiner *j = joiner_of();
	const struct io *io = NULL;

	(void)state;
	for (int i = 0; i < 3; i++)
		for (int what = 0; what < 3; what++)
			see(j, (const enum blk_action[]){ BLK_TA_QUEUE,
				BLK_TA_GETRQ, BLK_TA_ISSUE }[what],
			    100 + 10 * i + what, sectors[i]);
	for (int i = 0; i < 3; i++) {
		assert_true(complete(j, 200 + i, sectors[i], &io));
		assert_int_equal(io->sure, sectors[i] == 80);
	}
	joiner_free(j);
}

/* one after the other */
static void test_sure_again(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;

	(void)state;
	for (uint64_t time = 100; time < 500; time += 100) {
		see(j, BLK_TA_QUEUE, time, 8);
		see(j, BLK_TA_GETRQ, time + 1, 8);
		see(j, BLK_TA_ISSUE, time + 2, 8);
		assert_true(complete(j, time + 3, 8, &io));
		assert_true(io->sure);
	}
	joiner_free(j);
}

/* --- devices above others ------------------------------------------------- */

/* a bio of pid on a device, which has no FS before it is a request's */
static int see_bio(struct joiner *j, enum blk_action what, uint64_t time,
		   uint32_t device, uint32_t pid, const struct io **io)
{
	uint8_t payload[16] = { 0x0f, 0xd0 };	/* DM, sector 8 */
	struct event ev = EVENT(.time = time, .sector = 8, .bytes = 4096,
		.device = device, .pid = pid, .cpu = pid,
		.action = ACT(what, CAT(READ)));

	payload[15] = 8;
	if (what == BLK_TA_REMAP) {
		ev.payload = payload;
		ev.pdu_len = sizeof(payload);
	}
	if (device == SDA && (what == BLK_TA_ISSUE || what == BLK_TA_COMPLETE))
		ev.action |= ACT(0, CAT(FS));
	joiner_event(j, &ev);
	return joiner_next(j, io);
}

/* One that DM sends to SDA; with queued it is queued there again. */
static void send_below(struct joiner *j, uint64_t time, uint32_t pid,
		       bool queued)
{
	const struct io *io = NULL;

	see_bio(j, BLK_TA_QUEUE, time, DM, pid, &io);
	see_bio(j, BLK_TA_REMAP, time + 1, SDA, pid, &io);
	if (queued)
		see_bio(j, BLK_TA_QUEUE, time + 2, SDA, pid, &io);
	see_bio(j, BLK_TA_GETRQ, time + 3, SDA, pid, &io);
	see_bio(j, BLK_TA_ISSUE, time + 4, SDA, pid, &io);
}

/* of two at a place the one completes whose children have */
static void test_children(void **state)
{
	struct joiner *j = joiner_of();
	const struct io *io = NULL;

	(void)state;
	send_below(j, 100, 1, true);
	send_below(j, 200, 2, true);
	assert_true(see_bio(j, BLK_TA_COMPLETE, 300, SDA, 2, &io));
	assert_int_equal(io->pid, 2);
	assert_true(see_bio(j, BLK_TA_COMPLETE, 301, DM, 2, &io));
	assert_int_equal(io->pid, 2);
	assert_int_equal(io->total, 101);
	joiner_free(j);
}

/* Its own C may still come, unless the very bio went below. */
static void test_below(void **state)
{
	(void)state;
	for (int queued = 0; queued < 2; queued++) {
		struct joiner *j = joiner_of();
		const struct io *io = NULL;

		send_below(j, 100, 1, queued);
		assert_true(see_bio(j, BLK_TA_COMPLETE, 300, SDA, 1, &io));
		joiner_end(j, 400, true);
		assert_true(joiner_next(j, &io));
		assert_int_equal(io->device, DM);
		assert_int_equal(io->ended, queued ? IO_ENDED_OPEN :
						     IO_ENDED_BELOW);
		joiner_free(j);
	}
}

/* --- levels --------------------------------------------------------------- */

struct watched {
	uint32_t now, most, absorbed;
	uint64_t last, absorbed_ns, clock;
};

static uint32_t come(void *ctx, const struct device *disk, uint64_t time)
{
	struct watched *w = ctx;

	(void)disk;
	assert_true(time >= w->last);
	w->last = time;
	w->most += ++w->now > w->most;
	return w->now;
}

static void go(void *ctx, const struct device *disk, uint64_t time,
	       uint64_t came, bool absorbed)
{
	struct watched *w = ctx;

	(void)disk;
	assert_true(time >= w->last && time >= came && w->now);
	w->last = time;
	w->now--;
	w->absorbed += absorbed;
	w->absorbed_ns += absorbed ? time - came : 0;
}

static struct joiner *watched_joiner(struct watched *w,
				     struct level_watcher *hooks)
{
	struct joiner *j = joiner_of();

	*w = (struct watched){ .now = 0 };
	*hooks = (struct level_watcher){ come, go, w, &w->clock };
	assert_int_equal(joiner_watch_levels(j, hooks), 0);
	return j;
}

static void see_at(struct joiner *j, struct watched *w, enum blk_action what,
		   uint64_t time, uint64_t sector)
{
	w->clock = time;
	see(j, what, time, sector);
}

/* Each has the number that it found, and itself; one that is merged counts until
 * its M. */
static void test_levels(void **state)
{
	struct level_watcher hooks;
	struct watched w;
	struct joiner *j = watched_joiner(&w, &hooks);
	const struct io *io = NULL;

	(void)state;
	see_at(j, &w, BLK_TA_QUEUE, 100, 8);
	see_at(j, &w, BLK_TA_GETRQ, 101, 8);
	see_at(j, &w, BLK_TA_QUEUE, 110, 80);
	see_at(j, &w, BLK_TA_GETRQ, 111, 80);
	see_at(j, &w, BLK_TA_QUEUE, 120, 16);
	assert_int_equal(w.now, 3);
	w.clock = 127;
	joiner_event(j, &EVENT(.time = 127, .sector = 16, .bytes = 4096,
			       .device = SDA, .cpu = 2, .pid = 42,
			       .action = ACT(BLK_TA_BACKMERGE, CAT(READ))));
	assert_int_equal(w.now, 2);
	assert_int_equal(w.absorbed_ns, 7);
	w.clock = 130;
	send(j, BLK_TA_ISSUE, 130, 8192);
	w.clock = 150;
	send(j, BLK_TA_COMPLETE, 150, 8192);
	assert_int_equal(w.now, 1);
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->level, 1);
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->level, 0);
	joiner_end(j, 400, false);
	assert_true(joiner_next(j, &io));
	assert_int_equal(io->level, 2);
	assert_int_equal(w.now, 0);
	assert_int_equal(w.most, 3);
	assert_int_equal(w.absorbed, 1);
	joiner_free(j);
}

/* The parts of one that is split are counted in its place. */
static void test_levels_split(void **state)
{
	uint8_t at[8] = { 0, 0, 0, 0, 0, 0, 0, 12 };
	struct level_watcher hooks;
	struct watched w;
	struct joiner *j = watched_joiner(&w, &hooks);
	const struct io *io = NULL;
	struct event ev = EVENT(.time = 101, .sector = 8, .bytes = 4096,
				.device = SDA, .pid = 42,
				.action = ACT(BLK_TA_SPLIT, CAT(READ)));

	(void)state;
	see_at(j, &w, BLK_TA_QUEUE, 100, 8);
	ev = with_payload(ev, at, sizeof(at));
	w.clock = ev.time;
	joiner_event(j, &ev);
	assert_int_equal(w.now, 2);
	assert_int_equal(w.absorbed, 1);
	joiner_end(j, 400, false);
	while (joiner_next(j, &io))
		assert_int_equal(!io->level, io->kind == IO_BIO);
	assert_int_equal(w.now, 0);
	joiner_free(j);
}

/* A completion alone was nowhere. */
static void test_levels_unseen(void **state)
{
	struct level_watcher hooks;
	struct watched w;
	struct joiner *j = watched_joiner(&w, &hooks);
	const struct io *io = NULL;

	(void)state;
	w.clock = 100;
	complete(j, 100, 8, &io);
	assert_int_equal(w.most, 0);
	see_at(j, &w, BLK_TA_ISSUE, 110, 80);
	w.clock = 120;
	assert_true(complete(j, 120, 80, &io));
	assert_int_equal(io->level, 1);
	joiner_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_completed),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_gap_behind),
		cmocka_unit_test(test_age),
		cmocka_unit_test(test_border),
		cmocka_unit_test(test_sure),
		cmocka_unit_test(test_sure_again),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_levels_split),
		cmocka_unit_test(test_levels_unseen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
