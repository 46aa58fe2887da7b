/* SPDX-License-Identifier: GPL-2.0-only */
/* What judges the joiner: it finds everything that can be wrong. */
#include "make.h"
#include "request/io.h"
#include "request/joiner.h"
#include "tests/requests/check.h"

enum { ROWS = 3, BYTES = 4096 };

/* a run's records and leftovers, as the joiner would have them */
struct story {
	struct io rows[ROWS];
	struct joiner_counts counts;
};

static struct io row(uint64_t id, uint64_t bytes)
{
	return (struct io){
		.id = id, .rq = 1, .rq_ios = 2, .bytes = bytes,
		.rq_bytes = 2 * BYTES, .birth = 'Q', .time = 100, .total = 30,
		.has = 1u << IO_Q2G | 1u << IO_D2C,
		.phase = { [IO_Q2G] = 10, [IO_D2C] = 20 },
		.issued = IO_NONE, .served = IO_NONE, .plug = IO_NONE,
		.zplug = IO_NONE, .at = IO_NONE, .events = 1,
	};
}

/* Two that ride in one request, and a whole of which the second is a part;
 * one event is left over. */
static void make_story(struct story *s)
{
	memset(s, 0, sizeof(*s));
	s->rows[0] = row(1, BYTES);
	s->rows[0].done = 2 * BYTES;
	s->rows[1] = row(2, BYTES);
	s->rows[1].kind = IO_PART;
	s->rows[1].link = IO_SPLIT;
	s->rows[1].parent = 3;
	s->rows[2] = row(3, BYTES);
	s->rows[2].rq = s->rows[2].rq_ios = 0;
	s->rows[2].has = 1u << IO_Q2X | 1u << IO_X2C;
	s->rows[2].phase[IO_Q2X] = s->rows[2].phase[IO_X2C] = 15;
	s->counts.leftovers[JOINER_GHOST_C] = 1;
	s->counts.leftover_bytes = 512;
}

static void give_events(struct check *c)
{
	static const struct event events[] = {
		{ .time = 100, .action = BLK_TA_QUEUE },
		{ .time = 120, .action = BLK_TA_COMPLETE, .bytes = 2 * BYTES },
		{ .time = 125, .action = BLK_TA_COMPLETE, .bytes = 512 },
		{ .time = 130, .action = BLK_TA_SPLIT },
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		check_event(c, &events[i]);
}

static struct check *judged(const struct story *s, bool whole)
{
	struct check *c = check_new(whole);

	assert_non_null(c);
	give_events(c);
	for (int i = 0; i < ROWS; i++)
		check_record(c, &s->rows[i]);
	check_end(c, &s->counts);
	return c;
}

/* --- what is wrong, and how it is called --------------------------------- */

static void same_id(struct story *s)
{
	s->rows[1].id = 1;
}

static void no_id(struct story *s)
{
	s->rows[1].id = 0;
}

static void high_id(struct story *s)
{
	s->rows[1].flush2 = 17;
}

static void nowhere(struct story *s)
{
	s->rows[1].flush = 9;
}

static void short_phase(struct story *s)
{
	s->rows[0].phase[IO_D2C]--;
}

static void negative_phase(struct story *s)
{
	s->rows[0].phase[IO_D2C] = UINT64_MAX - 9;
	s->rows[0].total = 0;
}

static void future(struct story *s)
{
	s->rows[0].time++;
}

static void unknown_phase(struct story *s)
{
	s->rows[0].has |= 1u << IO_PHASES;
}

static void open_total(struct story *s)
{
	s->rows[0].ended = IO_ENDED_OPEN;
}

static void no_total(struct story *s)
{
	s->rows[0].total = IO_NONE;
}

static void long_plug(struct story *s)
{
	s->rows[0].plug = 1;
}

static void negative_zplug(struct story *s)
{
	s->rows[0].zplug = UINT64_MAX - 1;
}

static void no_such_kind(struct story *s)
{
	s->rows[0].kind = IO_KINDS;
}

static void link_alone(struct story *s)
{
	s->rows[0].link = IO_REMAP;
}

static void request_alone(struct story *s)
{
	s->rows[2].rq = 1;
}

static void event_twice(struct story *s)
{
	s->rows[0].events++;
}

static void byte_twice(struct story *s)
{
	s->rows[1].done = 1;
}

static void too_few_riders(struct story *s)
{
	s->rows[0].rq_bytes++;
}

static void too_few_parts(struct story *s)
{
	s->rows[2].bytes++;
}

static const struct {
	void (*spoil)(struct story *s);
	const char *fault;
	bool whole;		/* only such runs must not have it */
} faults[] = {
	{ same_id, "1 is there twice", false },
	{ no_id, "an id of 0 behind 4 events", false },
	{ high_id, "an id of 17 behind 4 events", false },
	{ nowhere, "9 is referred to, and nowhere", false },
	{ short_phase, "phases of 1 do not add up", false },
	{ negative_phase, "1 ends in the future", false },
	{ future, "1 ends in the future", false },
	{ unknown_phase, "1 has phases that are none", false },
	{ open_total, "1 ends by open", false },
	{ no_total, "1 ends by C", false },
	{ long_plug, "1 is in a plug for longer than it waits", false },
	{ negative_zplug, "1 is in a zone's plug for ever", false },
	{ no_such_kind, "1 has a word that is none", false },
	{ link_alone, "1 has one of link and parent", false },
	{ request_alone, "3 has one of rq and rq_ios", false },
	{ event_twice, "5 events told of 4", false },
	{ byte_twice, "8705 bytes told of 8704", false },
	{ too_few_riders, "request 1 has 8193 bytes, its ios 8192", true },
	{ too_few_parts, "3 has 4097 bytes, its parts 4096", true },
};

static void test_faults(void **state)
{
	struct story s;

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct check *c;

		make_story(&s);
		faults[i].spoil(&s);
		c = judged(&s, true);
		assert_non_null(check_fault(c));
		assert_string_equal(check_fault(c), faults[i].fault);
		check_free(c);
		if (!faults[i].whole)
			continue;
		c = judged(&s, false);
		assert_null(check_fault(c));
		check_free(c);
	}
}

static void test_holds(void **state)
{
	struct story s;
	struct check *c;

	(void)state;
	make_story(&s);
	c = judged(&s, true);
	assert_null(check_fault(c));
	assert_int_equal(check_events(c), 4);
	assert_int_equal(check_records(c), ROWS);
	check_free(c);
	check_free(NULL);
}

/* what is handed out must not be older than what was said to be open */
static void test_oldest(void **state)
{
	struct check *c = check_new(true);
	struct story s;

	(void)state;
	make_story(&s);
	give_events(c);
	check_oldest(c, 100);
	check_record(c, &s.rows[0]);
	assert_null(check_fault(c));
	check_oldest(c, IO_NONE);
	check_record(c, &s.rows[1]);
	assert_string_equal(check_fault(c), "2 is older than the oldest");
	check_free(c);
}

/* events are missing: nobody can say what belongs together */
static void test_gap(void **state)
{
	struct story s;
	struct check *c;

	(void)state;
	make_story(&s);
	too_few_riders(&s);
	s.rows[0].gap = true;
	too_few_parts(&s);
	s.rows[2].gap = true;
	c = judged(&s, true);
	assert_null(check_fault(c));
	check_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_oldest),
		cmocka_unit_test(test_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
