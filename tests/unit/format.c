/* SPDX-License-Identifier: GPL-2.0-only */
/* Custom formats: every specifier, widths, escapes, and what goes wrong. */
#include <time.h>

#include "emit/format.h"
#include "emit/line.h"
#include "page.h"
#include "record/clock.h"

enum { WS = BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_SYNC) };

#define NONE LINE_NO_LATENCY

struct rig {
	struct page page;
	struct clock clock;
	struct event ev;
};

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	page_init(&r->page);
	r->ev = EVENT(.action = ACT(BLK_TA_ISSUE, WS), .sequence = 7,
		      .time = 12000000345, .sector = 2048, .bytes = 4096,
		      .pid = 100, .device = BLK_DEVICE(8, 17), .cpu = 1,
		      .error = 65531, .lane = r->page.lane);
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	page_free(&r->page);
	free(r);
	return 0;
}

static enum format_result render(struct rig *r, const char *text,
				 uint64_t latency)
{
	struct format_context c = { &r->page.out, &r->page.names, &r->clock };
	struct format *f = format_new(text);
	enum format_result result;

	assert_non_null(f);
	result = format_event(f, &c, &r->ev, latency);
	format_free(f);
	return result;
}

/* text renders as want, with a latency of 1.5 ms */
static void check(struct rig *r, const char *text, const char *want)
{
	assert_int_equal(render(r, text, 1500000), FORMAT_SHOWN);
	page_check(&r->page, want);
}

/* --- tests --------------------------------------------------------------- */

/* every specifier there is */
static void test_fields(void **state)
{
	struct rig *r = *state;

	check(r, "%a|%c|%C|%d|%D", "D|1|dd|WS|  8,17 ");
	check(r, "%e|%m|%M|%n|%N|%p", "65531|17|8|8|4096|100");
	check(r, "%s|%S|%t|%T|%u", "7|2048|000000345|12|1500");
	r->ev.pid = 5;
	r->ev.sequence = UINT32_MAX;
	check(r, "%C %s", "(null) 4294967295");
	r->ev.time = 123456789876543210;
	check(r, "%T.%t", "123456789.876543210");
}

/* widths: right, left, too small, of thousands */
static void test_widths(void **state)
{
	struct rig *r = *state;
	char want[5001];

	check(r, "%4a|%-4a|%4p|%-4p|%2p|%-2p|", "   D|D   | 100|100 |100|100|");
	check(r, "%4d|%-4d|%5C|%-5C|", "  WS|WS  |   dd|dd   |");
	check(r, "%5T|%-5T|%8S|%-8S|", "   12|12   |    2048|2048    |");
	check(r, "%007p|%10D|%-10D|", "    100|  8,17 |  8,17 |");
	snprintf(want, sizeof(want), "%5000s", "7");
	check(r, "%5000s", want);
	snprintf(want, sizeof(want), "%-5000s", "7");
	check(r, "%-5000s", want);
}

/* a minus without a number is no width at all */
static void test_minus(void **state)
{
	struct rig *r = *state;

	check(r, "%-p|%-a|%-0p|", "100|D|100|");
	check(r, "%--5p|", "-5p|");
}

/* nanoseconds are padded with zeros, nine places unless told otherwise */
static void test_nsec(void **state)
{
	struct rig *r = *state;

	check(r, "%t|%9t|%6t|%2t|%12t|", "000000345|000000345|000345|345|"
	      "000000000345|");
	check(r, "%-12t|%0t|%-0t|%-t", "000000000345|345|345|000000345");
	r->ev.time = 0;
	check(r, "%3t|%t", "000|000000000");
}

/* literals, doubled and last per cents, control characters */
static void test_literals(void **state)
{
	struct rig *r = *state;

	check(r, "", "");
	check(r, "plain", "plain");
	check(r, "100%% of %p%%", "100% of 100%");
	check(r, "%p%", "100%");
	check(r, "a\\nb\\tc\\rd\\be", "a\nb\tc\rd\be");
	check(r, "\n%a\n", "\nD\n");
}

/* a letter that means nothing is itself, padded; a cut specifier nothing */
static void test_unknown(void **state)
{
	struct rig *r = *state;

	check(r, "%x%Z% |", "xZ |");
	check(r, "%3x|%-3x|", "  x|x  |");
	check(r, "%p%5", "100");
	check(r, "%p%-", "100");
	check(r, "\xc3\xa4%\xff", "\xc3\xa4\xff");
}

/* payload numbers are 32 bits of 64, and 0 where there are none */
static void test_payload(void **state)
{
	struct rig *r = *state;
	uint8_t bytes[8];

	check(r, "%U|%3U|", "0|  0|");
	big64_to(bytes, 0x100000005);
	r->ev = with_payload(r->ev, bytes, 8);
	check(r, "%U|%3U|%-3U|", "5|  5|5  |");
}

/* cgroups, with a width for the pair */
static void test_cgroup(void **state)
{
	struct rig *r = *state;
	uint8_t ids[8];

	check(r, "%g|%5g|%-5g|", "0,0|  0,0|0,0  |");
	r->ev.action |= BLK_CGROUP_FLAG;
	store(ids, 0xdeadbeef, 4, false);
	store(ids + 4, 0x10, 4, false);
	r->ev = with_payload(r->ev, ids, 8);
	check(r, "%g|%12g|%-12g|", "deadbeef,10| deadbeef,10|deadbeef,10 |");
}

/* commands, without a width, where the default text shows them */
static void test_cdb(void **state)
{
	struct rig *r = *state;

	r->ev = with_payload(r->ev, "\x28\x01\0", 3);
	check(r, "%P|", "|");
	r->ev.action = ACT(BLK_TA_ISSUE, CAT(PC));
	check(r, "%P|%20P|", "28 01 00 ..|28 01 00 ..|");
	r->ev.action = ACT(BLK_TA_QUEUE, CAT(PC));
	check(r, "%P|", "|");
}

/* a long command many times over still finds room */
static void test_room(void **state)
{
	static uint8_t bytes[BLK_PAYLOAD_MAX];
	struct rig *r = *state;

	memset(bytes, 0x41, sizeof(bytes));
	r->ev = with_payload(r->ev, bytes, sizeof(bytes));
	r->ev.action = ACT(BLK_TA_ISSUE, CAT(PC));
	assert_int_equal(render(r, "%P%P%P%P%P%P%P%P", NONE), FORMAT_SHOWN);
	assert_int_equal(r->page.out.len, 8 * (3 * BLK_PAYLOAD_MAX - 1));
	r->page.out.len = 0;
}

/* the time of day, to the microsecond, as the clock is set */
static void test_wall(void **state)
{
	struct rig *r = *state;
	uint32_t words[] = { 1700000000, 999999000 };
	struct event note = EVENT(.action = NOTE(BLK_TN_TIMESTAMP));

	setenv("TZ", "UTC0", 1);
	tzset();
	check(r, "%z", "00:00:12.000000");
	note = with_payload(note, words, sizeof(words));
	clock_note(&r->clock, &note);
	check(r, "%z|%16z|%-16z|", "22:13:32.999999| 22:13:32.999999|"
	      "22:13:32.999999 |");
	r->ev.time += 655;
	check(r, "%z", "22:13:33.000000");
}

/* without a latency a format that wants one ends there */
static void test_no_latency(void **state)
{
	struct rig *r = *state;

	assert_int_equal(render(r, "%p %u %p\n", NONE), FORMAT_NO_LATENCY);
	page_check(&r->page, "100 ");
}

/* so does one with an escape that nobody knows, or that is cut */
static void test_bad_escape(void **state)
{
	struct rig *r = *state;
	struct format *f = format_new("%p\\q%p");

	assert_int_equal(format_bad_escape(f), 'q');
	format_free(f);
	assert_int_equal(render(r, "%p\\q%p", NONE), FORMAT_BAD_ESCAPE);
	page_check(&r->page, "100");
	assert_int_equal(render(r, "x\\", NONE), FORMAT_BAD_ESCAPE);
	page_check(&r->page, "x");
}

#define RIGGED(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

/* names on a terminal: escaped, then filled up to the width */
static void test_terminal(void **state)
{
	struct rig *r = *state;
	struct format_context c = { &r->page.out, &r->page.names, &r->clock };
	struct format *f = format_new("%C|%8C|%-8C|%p\\r");

	r->ev.pid = 101;
	names_learn(&r->page.names, 0, 101, "a\x1b", 2);
	format_set_terminal(f);
	assert_int_equal(format_event(f, &c, &r->ev, NONE), FORMAT_SHOWN);
	page_check(&r->page, "a\\x1b|   a\\x1b|a\\x1b   |101\r");
	r->ev.pid = 102;
	assert_int_equal(format_event(f, &c, &r->ev, NONE), FORMAT_SHOWN);
	page_check(&r->page, "(null)|  (null)|(null)  |102\r");
	format_free(f);
}

/* one more event like others, with something new now and then */
static void next_event(struct rig *r, uint64_t *seed)
{
	static const uint32_t actions[] = {
		BLK_TA_QUEUE, BLK_TA_UNPLUG_TIMER, BLK_TA_COMPLETE, BLK_TA_INSERT,
	};
	struct event *ev = &r->ev;

	ev->time += chance(seed) % 400000000;
	ev->sequence++;
	ev->pid = 90 + (uint32_t)(chance(seed) % 20) * 256;
	ev->origin = chance(seed) % 8 == 0;
	ev->device = BLK_DEVICE(8 + chance(seed) % 3, chance(seed) % 40);
	ev->bytes = (uint32_t)(chance(seed) % 3) * 4096;
	ev->action = ACT(actions[chance(seed) % 4],
			 chance(seed) % (1 << BLK_TC_NOTIFY));
	ev->action &= ~BLK_TC_ACT(BLK_TC_PC);
	ev->zone = chance(seed) % 16 == 0;
	r->page.lane->cpu = (uint32_t)(chance(seed) % 400);
	if (chance(seed) % 16 == 0)
		names_learn(&r->page.names, ev->origin, ev->pid,
			    chance(seed) % 2 ? "fifteen letters" : "x", 15);
}

/* texts that are kept from event to event are those of a format that has kept
 * none, also where they are long, many, or a name comes later */
static void test_kept(void **state)
{
	static const char text[] =
		"%D %c %C %p %a %d %m %M %T.%t [%C]\n%8C|%-12p|%30C|%-30C|%0D"
		"|%-3a|%9d literal behind it, %T long\n%p %p %p %C %C %C %a\n";
	struct rig *r = *state;
	struct format_context c = { &r->page.out, &r->page.names, &r->clock };
	struct format *f = format_new(text);
	uint64_t seed = 31;

	for (int i = 0; i < 20000; i++) {
		size_t len;

		next_event(r, &seed);
		assert_int_equal(format_event(f, &c, &r->ev, NONE),
				 FORMAT_SHOWN);
		len = r->page.out.len;
		assert_int_equal(render(r, text, NONE), FORMAT_SHOWN);
		assert_int_equal(r->page.out.len, 2 * len);
		assert_memory_equal(r->page.out.data, r->page.out.data + len,
				    len);
		r->page.out.len = 0;
	}
	format_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGGED(test_fields),
		RIGGED(test_widths),
		RIGGED(test_minus),
		RIGGED(test_nsec),
		RIGGED(test_literals),
		RIGGED(test_unknown),
		RIGGED(test_payload),
		RIGGED(test_cgroup),
		RIGGED(test_cdb),
		RIGGED(test_room),
		RIGGED(test_wall),
		RIGGED(test_no_latency),
		RIGGED(test_bad_escape),
		RIGGED(test_terminal),
		RIGGED(test_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
