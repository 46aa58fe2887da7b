/* SPDX-License-Identifier: GPL-2.0-only */
/* Which io or request an event is about: the rules of doc/requests.md. */
#include "make.h"
#include "request/io.h"
#include "request/joiner.h"

enum { SDA = 8 << 20, SDA1 = SDA + 1, MD = 9 << 20, DM = 253 << 20, MOST = 16 };

/* an event; to: what its payload says, from: the device of an A's */
struct step {
	char what;
	uint64_t time;
	uint32_t device, categories;
	uint64_t sector;
	uint32_t sectors, pid, cpu;
	uint64_t to;
	uint32_t from;
};

static const struct {
	char letter;
	enum blk_action number;
} letters[] = {
	{ 'Q', BLK_TA_QUEUE }, { 'G', BLK_TA_GETRQ }, { 'I', BLK_TA_INSERT },
	{ 'M', BLK_TA_BACKMERGE }, { 'D', BLK_TA_ISSUE },
	{ 'C', BLK_TA_COMPLETE }, { 'A', BLK_TA_REMAP }, { 'X', BLK_TA_SPLIT },
};

/* records in the order of ends */
struct joined {
	struct joiner *j;
	struct io ios[MOST];
	int count;
};

static void keep(struct joined *joined)
{
	const struct io *io;

	while (joiner_next(joined->j, &io)) {
		assert_in_range(joined->count, 0, MOST - 1);
		joined->ios[joined->count++] = *io;
	}
}

static struct event event_of(const struct step *s, uint8_t *payload)
{
	size_t i = 0;

	while (letters[i].letter != s->what)
		i++;
	if (s->what == 'A') {
		big32_to(payload, s->from);
		big32_to(payload + 4, s->device);
		big64_to(payload + 8, s->to);
	} else {
		big64_to(payload, s->to);
	}
	return with_payload(EVENT(.time = s->time, .sector = s->sector,
				  .bytes = s->sectors << 9,
				  .device = s->device, .pid = s->pid,
				  .cpu = s->cpu,
				  .action = ACT(letters[i].number,
						s->categories)),
			    payload, s->what == 'A' ? 16 : s->to ? 8 : 0);
}

static void join(struct joined *joined, const struct step *steps, size_t count)
{
	const struct joiner_bounds bounds = JOINER_BOUNDS;
	uint64_t end = 0;

	joined->count = 0;
	assert_int_equal(joiner_new(&joined->j, &bounds), 0);
	for (size_t i = 0; i < count; i++) {
		uint8_t payload[16];
		const struct event ev = event_of(&steps[i], payload);

		joiner_event(joined->j, &ev);
		keep(joined);
		end = steps[i].time;
	}
	joiner_end(joined->j, end, false);
	keep(joined);
	joiner_free(joined->j);
}

#define JOIN(joined, steps) join(joined, steps, sizeof(steps) / sizeof(*steps))

/* the io that began then */
static const struct io *begun(const struct joined *joined, uint64_t time)
{
	for (int i = 0; i < joined->count; i++)
		if (joined->ios[i].time == time)
			return &joined->ios[i];
	fail_msg("none began at %d", (int)time);
	return NULL;
}

enum {
	R = CAT(READ), W = CAT(WRITE), FS = CAT(FS),
	T = CAT(WRITE) | CAT(DISCARD), PRE = CAT(WRITE) | CAT(FLUSH),
	FN = CAT(FLUSH) | CAT(FS),
};

/* --- remaps ---------------------------------------------------------------- */

/* A thread goes on from the partition; there is one more remap to the disk's
 * sector of that number, which is the partition's yet. */
static void test_moved_remap(void **state)
{
	static const struct step steps[] = {
		{ 'Q', 10, MD, W, 100, 8, 1, 0, 0, 0 },
		{ 'A', 11, SDA, W, 200, 8, 1, 0, 100, MD },
		{ 'Q', 12, MD, W, 200, 8, 2, 0, 0, 0 },
		{ 'A', 13, SDA, W, 300, 8, 2, 0, 200, MD },
		{ 'A', 14, SDA, W, 300, 8, 3, 0, 200, SDA1 },
		{ 'Q', 15, SDA, W, 300, 8, 3, 0, 0, 0 },
	};
	struct joined joined;

	(void)state;
	JOIN(&joined, steps);
	assert_int_equal(begun(&joined, 15)->parent, begun(&joined, 10)->id);
	assert_int_equal(begun(&joined, 10)->children, 1);
	assert_int_equal(begun(&joined, 12)->children, 0);
	assert_false(begun(&joined, 10)->sure);
	assert_false(begun(&joined, 12)->sure);
}

/* --- splits ---------------------------------------------------------------- */

/* a later io holds the rest, too, and ends elsewhere */
static void test_rest(void **state)
{
	static const struct step steps[] = {
		{ 'Q', 10, DM, W, 0, 16, 1, 0, 0, 0 },
		{ 'Q', 11, DM, W, 4, 32, 2, 0, 0, 0 },
		{ 'X', 12, DM, W, 8, 8, 1, 0, 8, 0 },
	};
	struct joined joined;

	(void)state;
	JOIN(&joined, steps);
	assert_int_equal(begun(&joined, 10)->events, 2);
	assert_int_equal(begun(&joined, 11)->events, 1);
}

/* --- discards -------------------------------------------------------------- */

/* The one that was queued before the G waits for a request of its own. */
static void test_discards(void **state)
{
	static const struct step steps[] = {
		{ 'Q', 10, SDA, T, 0, 16, 1, 0, 0, 0 },
		{ 'Q', 11, SDA, T, 100, 8, 2, 0, 0, 0 },
		{ 'G', 12, SDA, T, 0, 16, 1, 0, 0, 0 },
		{ 'Q', 13, SDA, T, 200, 8, 3, 0, 0, 0 },
		{ 'Q', 14, SDA, T, 300, 8, 1, 0, 0, 0 },
		{ 'I', 15, SDA, T | FS, 0, 24, 1, 0, 0, 0 },
		{ 'D', 16, SDA, T | FS, 0, 24, 1, 0, 0, 0 },
		{ 'C', 17, SDA, T | FS, 0, 24, 0, 0, 0, 0 },
	};
	struct joined joined;

	(void)state;
	JOIN(&joined, steps);
	assert_int_equal(begun(&joined, 14)->ended, IO_ENDED_C);
	assert_int_equal(begun(&joined, 14)->merge, IO_MERGED_SILENT);
	assert_int_equal(begun(&joined, 11)->ended, IO_ENDED_OPEN);
	assert_int_equal(begun(&joined, 13)->ended, IO_ENDED_OPEN);
}

/* a merge that no event has shown by the trace's end */
static void test_open_discards(void **state)
{
	static const struct step steps[] = {
		{ 'Q', 10, SDA, T, 0, 16, 1, 0, 0, 0 },
		{ 'G', 11, SDA, T, 0, 16, 1, 0, 0, 0 },
		{ 'Q', 12, SDA, T, 200, 8, 1, 0, 0, 0 },
	};
	struct joined joined;

	(void)state;
	JOIN(&joined, steps);
	assert_false(begun(&joined, 10)->sure);
	assert_false(begun(&joined, 12)->sure);
}

/* --- flushes --------------------------------------------------------------- */

/* the first flush after the G, and not the last before the D */
static void test_flush_before(void **state)
{
	static const struct step steps[] = {
		{ 'D', 9, SDA, FN, 0, 0, 9, 1, 0, 0 },
		{ 'Q', 10, SDA, PRE, 80, 8, 1, 1, 0, 0 },
		{ 'G', 11, SDA, PRE, 80, 8, 1, 1, 0, 0 },
		{ 'C', 12, SDA, FN, 0, 0, 0, 1, 0, 0 },
		{ 'D', 13, SDA, FN, 0, 0, 9, 1, 0, 0 },
		{ 'C', 14, SDA, FN, 0, 0, 0, 1, 0, 0 },
		{ 'D', 15, SDA, FN, 0, 0, 9, 0, 0, 0 },
		{ 'C', 16, SDA, FN, 0, 0, 0, 0, 0, 0 },
		{ 'D', 17, SDA, W | FS, 80, 8, 9, 1, 0, 0 },
	};

	(void)state;
	for (size_t i = 7; i < 10; i++) {	/* with a D, and without one */
		struct joined joined;

		join(&joined, steps, i);
		assert_int_equal(begun(&joined, 10)->flush,
				 begun(&joined, 13)->id);
		assert_int_equal(begun(&joined, 10)->phase[IO_PREFLUSH], 3);
	}
}

/* --- what is built on a guess ---------------------------------------------- */

/* a C without a D, though D's are seen */
static void test_no_issue(void **state)
{
	static const struct step steps[] = {
		{ 'Q', 10, SDA, R, 80, 8, 1, 1, 0, 0 },
		{ 'G', 11, SDA, R, 80, 8, 1, 1, 0, 0 },
		{ 'D', 12, SDA, R | FS, 80, 8, 1, 1, 0, 0 },
		{ 'Q', 13, SDA, R, 8, 8, 1, 1, 0, 0 },
		{ 'G', 14, SDA, R, 8, 8, 1, 1, 0, 0 },
		{ 'C', 15, SDA, R | FS, 8, 8, 0, 1, 0, 0 },
		{ 'C', 16, SDA, R | FS, 80, 8, 0, 1, 0, 0 },
	};
	struct joined joined;

	(void)state;
	JOIN(&joined, steps);
	assert_false(begun(&joined, 13)->sure);
	assert_true(begun(&joined, 10)->sure);
}

/* into a request of which the beginning was not seen */
static void test_merged_into_late(void **state)
{
	static const struct step steps[] = {
		{ 'Q', 10, SDA, R, 800, 8, 2, 1, 0, 0 },
		{ 'G', 11, SDA, R, 80, 8, 1, 1, 0, 0 },
		{ 'Q', 12, SDA, R, 88, 8, 1, 1, 0, 0 },
		{ 'M', 13, SDA, R, 88, 8, 1, 1, 0, 0 },
		{ 'D', 14, SDA, R | FS, 80, 16, 1, 1, 0, 0 },
		{ 'C', 15, SDA, R | FS, 80, 16, 0, 1, 0, 0 },
	};
	struct joined joined;

	(void)state;
	JOIN(&joined, steps);
	assert_false(begun(&joined, 12)->sure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moved_remap),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_discards),
		cmocka_unit_test(test_open_discards),
		cmocka_unit_test(test_flush_before),
		cmocka_unit_test(test_no_issue),
		cmocka_unit_test(test_merged_into_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
