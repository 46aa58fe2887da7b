/* SPDX-License-Identifier: GPL-2.0-only */
/* The default text, line by line. */
#include "emit/line.h"
#include "page.h"

enum { FS = BLK_TC_BIT(BLK_TC_FS), PC = BLK_TC_BIT(BLK_TC_PC),
       WS = FS | BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_SYNC) };

#define NONE LINE_NO_LATENCY

struct rig {
	struct page page;
	struct line *line;
};

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	page_init(&r->page);
	r->line = line_new(&r->page.out, &r->page.names);
	assert_non_null(r->line);
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	line_free(r->line);
	page_free(&r->page);
	free(r);
	return 0;
}

/* an event of 8 sectors at 2048, a little over a second from the start */
static struct event event_of(struct rig *r, uint32_t action)
{
	return EVENT(.action = action, .sequence = 7, .time = 1000002003,
		     .sector = 2048, .bytes = 4096, .pid = 100, .cpu = 1,
		     .device = BLK_DEVICE(8, 0), .lane = r->page.lane);
}

#define HEAD "  8,0    1        7     1.000002003   100 "

static void check(struct rig *r, struct event ev, uint64_t latency,
		  const char *text)
{
	assert_int_equal(line_event(r->line, &ev, latency), LINE_SHOWN);
	page_check(&r->page, text);
}

/* the same for what is left of the line behind the pid */
static void check_rest(struct rig *r, struct event ev, uint64_t latency,
		       const char *rest)
{
	char text[512];

	snprintf(text, sizeof(text), HEAD "%s\n", rest);
	check(r, ev, latency, text);
}

static void check_action(struct rig *r, uint32_t nr, const char *rest)
{
	check_rest(r, event_of(r, ACT(nr, WS)), NONE, rest);
}

/* --- tests --------------------------------------------------------------- */

/* requests: where, how much, and whose */
static void test_requests(void **state)
{
	struct rig *r = *state;

	check_action(r, BLK_TA_QUEUE, " Q  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_BACKMERGE, " M  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_FRONTMERGE, " F  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_GETRQ, " G  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_SLEEPRQ, " S  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_ISSUE, " D  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_INSERT, " I  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_BOUNCE, " B  WS 2048 + 8 [dd]");
	check_action(r, BLK_TA_REQUEUE, " R  WS 2048 + 8 [0]");
	check_action(r, BLK_TA_COMPLETE, " C  WS 2048 + 8 [0]");
	check_action(r, BLK_TA_PLUG, " P  WS [dd]");
	check_action(r, BLK_TA_ZONE_PLUG, "ZP  WS [dd]");
}

/* less than a sector has no range, completions keep the place */
static void test_nothing(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_QUEUE, FS));

	ev.bytes = 511;
	check_rest(r, ev, NONE, " Q   R [dd]");
	check_rest(r, ev, 5, " Q   R (       5) [dd]");
	ev.bytes = 0;
	check_rest(r, ev, NONE, " Q   N [dd]");
	ev.action = ACT(BLK_TA_COMPLETE, FS);
	check_rest(r, ev, NONE, " C   N 2048 [0]");
	check_rest(r, ev, 123456789, " C   N 2048 (123456789) [0]");
}

/* latencies are nanoseconds, and where no wait ends there are none */
static void test_latency(void **state)
{
	struct rig *r = *state;

	check_rest(r, event_of(r, ACT(BLK_TA_ISSUE, WS)), 1500,
		   " D  WS 2048 + 8 (    1500) [dd]");
	check_rest(r, event_of(r, ACT(BLK_TA_COMPLETE, WS)), 0,
		   " C  WS 2048 + 8 (       0) [0]");
	check_rest(r, event_of(r, ACT(BLK_TA_GETRQ, WS)), 1500,
		   " G  WS 2048 + 8 [dd]");
}

/* errors are the 16 bits there are, without a sign */
static void test_error(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_COMPLETE, WS));

	ev.error = (uint16_t)-5;
	check_rest(r, ev, NONE, " C  WS 2048 + 8 [65531]");
}

/* columns at their widest, and beyond it */
static void test_columns(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_QUEUE, WS));

	ev.sequence = 0;
	ev.time = 0;
	ev.pid = 1;
	check(r, ev, NONE, "  8,0    1        0     0.000000000     1  Q  WS "
	      "2048 + 8 [(null)]\n");
	ev.sequence = UINT32_MAX;
	ev.time = 123456789876543210;
	ev.pid = UINT32_MAX;
	ev.sector = UINT64_MAX;
	ev.bytes = UINT32_MAX;
	ev.device = UINT32_MAX;
	check(r, ev, NONE, "4095,1048575  1       -1 123456789.876543210 "
	      "4294967295  Q  WS 18446744073709551615 + 8388607 [(null)]\n");
	ev.device = BLK_DEVICE(253, 12);
	ev.time = UINT64_MAX;
	check(r, ev, NONE, "253,12   1       -1 1266874889.709551615 "
	      "4294967295  Q  WS 18446744073709551615 + 8388607 [(null)]\n");
}

/* what is kept as text is made anew when time, pid or name change, and back */
static void test_changes(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_PLUG, 0));

	ev.pid = 1124;		/* 100 and 1124 share a place */
	ev.time = 999999999;
	check(r, ev, NONE, "  8,0    1        7     0.999999999  1124  P   R "
	      "[(null)]\n");
	names_learn(&r->page.names, 0, 1124, "fifteen letters", 15);
	line_forget_name(r->line, 0, 1124);
	ev.time = 1000000000;
	check(r, ev, NONE, "  8,0    1        7     1.000000000  1124  P   R "
	      "[fifteen letters]\n");
	ev.pid = 100;
	ev.time = 0;
	check(r, ev, NONE, "  8,0    1        7     0.000000000   100  P   R "
	      "[dd]\n");
	ev.origin = 1;
	check(r, ev, NONE, "  8,0    1        7     0.000000000   100  P   R "
	      "[(null)]\n");
}

/* depths behind the name, 32 bits of them, 0 if there is no payload */
static void test_unplug(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_UNPLUG_IO, 0));
	uint8_t depth[8];

	big64_to(depth, 0x1fffffff0);
	check_rest(r, ev, NONE, " U   R [dd] 0");
	check_rest(r, with_payload(ev, depth, 8), NONE,
		   " U   R [dd] 4294967280");
	ev.action = ACT(BLK_TA_UNPLUG_TIMER, 0);
	check_rest(r, with_payload(ev, depth, 7), NONE, "UT   R [dd] 0");
	ev.action = ACT(BLK_TA_ZONE_UNPLUG, 0);
	check_rest(r, ev, NONE, "ZU   R [dd]");
	check_rest(r, with_payload(ev, depth, 8), NONE,
		   "ZU   R [dd] 4294967280");
}

/* the place of a split, with and without a cgroup id in front */
static void test_split(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_SPLIT, WS));
	uint8_t bytes[16] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	big64_to(bytes + 8, 2052);
	check_rest(r, with_payload(ev, bytes + 8, 8), NONE,
		   " X  WS 2048 / 2052 [dd]");
	ev.action |= BLK_CGROUP_FLAG;
	check_rest(r, with_payload(ev, bytes, 16), NONE,
		   " X  WS 2048 / 2052 [dd]");
}

/* a remap's line and event are of the device it went to */
static void test_remap(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_REMAP, WS));
	uint8_t body[16];

	big32_to(body, BLK_DEVICE(8, 17));
	big32_to(body + 4, BLK_DEVICE(8, 16));
	big64_to(body + 8, 1985);
	ev = with_payload(ev, body, 16);
	assert_int_equal(line_event(r->line, &ev, NONE), LINE_SHOWN);
	assert_int_equal(ev.device, BLK_DEVICE(8, 16));
	page_check(&r->page, "  8,16   1        7     1.000002003   100  A  WS "
		   "2048 + 8 <- (8,17) 1985\n");
	ev = with_payload(event_of(r, ACT(BLK_TA_REMAP, WS)), body, 15);
	check_rest(r, ev, NONE, " A  WS 2048 + 8 <- (0,0) 0");
}

/* packet commands: bytes, the command where it is known, errors */
static void test_pc(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_ISSUE, PC));

	ev = with_payload(ev, "\x12\0\0\0\x60\0", 6);
	check_rest(r, ev, NONE, " D   R 4096 (12 00 00 00 60 00 ..) [dd]");
	ev.action = ACT(BLK_TA_INSERT, PC);
	check_rest(r, ev, NONE, " I   R 4096 (12 00 00 00 60 00 ..) [dd]");
	ev.action = ACT(BLK_TA_QUEUE, PC);
	check_rest(r, ev, NONE, " Q   R 4096 [dd]");
	ev.action = ACT(BLK_TA_COMPLETE, PC);
	check_rest(r, ev, 77, " C   R (12 00 00 00 60 00 ..) [0]");
	ev.action = ACT(BLK_TA_REQUEUE, PC);
	check_rest(r, ev, NONE, " R   R [0]");
	ev.action = ACT(BLK_TA_GETRQ, PC);
	check_rest(r, ev, NONE, " G   R 2048 + 8 [dd]");
}

#define RIGGED(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

/* names that could steer a terminal are escaped there, and cut if need be */
static void test_terminal(void **state)
{
	struct rig *r = *state;
	struct event ev = event_of(r, ACT(BLK_TA_QUEUE, CAT(WRITE)));

	ev.pid = 101;
	names_learn(&r->page.names, 0, 101, "\x1b[2Jx", 5);
	names_learn(&r->page.names, 0, 102, "\1\2\3\4\5\6\7\x1f", 8);
	check(r, ev, LINE_NO_LATENCY, "  8,0    1        7     1.000002003   "
	      "101  Q   W 2048 + 8 [\x1b[2Jx]\n");
	r->page.out.terminal = true;
	line_forget_name(r->line, 0, 101);
	check(r, ev, LINE_NO_LATENCY, "  8,0    1        7     1.000002003   "
	      "101  Q   W 2048 + 8 [\\x1b[2Jx]\n");
	ev.pid = 102;
	check(r, ev, LINE_NO_LATENCY, "  8,0    1        7     1.000002003   "
	      "102  Q   W 2048 + 8 [\\x01\\x02\\x03\\x04\\x05\\x06\\x07]\n");
	ev.pid = 999;
	check(r, ev, LINE_NO_LATENCY, "  8,0    1        7     1.000002003   "
	      "999  Q   W 2048 + 8 [(null)]\n");
}

/* Some lines in a row from this sequence number on, and one out of it. */
static void check_count(struct rig *r, uint32_t first)
{
	struct event ev = event_of(r, ACT(BLK_TA_PLUG, 0));
	char text[128];

	for (uint32_t i = 0; i < 24; i++) {
		ev.sequence = first + i - 12 - (i == 20);
		snprintf(text, sizeof(text), "  8,0    1 %8d     1.000002003 "
			 "  100  P   R [dd]\n", (int32_t)ev.sequence);
		check(r, ev, NONE, text);
	}
}

/* sequence numbers count up over every change of their width and sign */
static void test_sequence(void **state)
{
	static const uint32_t firsts[] = {
		0, 12, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000, 200000000, 999999999, 1000000000, 2100000000,
		INT32_MAX, (uint32_t)INT32_MAX + 1, 3000000000, UINT32_MAX,
	};

	for (size_t i = 0; i < sizeof(firsts) / sizeof(*firsts); i++)
		check_count(*state, firsts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGGED(test_requests),
		RIGGED(test_nothing),
		RIGGED(test_latency),
		RIGGED(test_error),
		RIGGED(test_columns),
		RIGGED(test_sequence),
		RIGGED(test_changes),
		RIGGED(test_unplug),
		RIGGED(test_split),
		RIGGED(test_remap),
		RIGGED(test_pc),
		RIGGED(test_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
