/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of messages, and events that have no line: the rest of emit/line. */
#include <errno.h>

#include "emit/line.h"
#include "page.h"

#define HEAD "  8,0    1        0     0.000000009   100 "

/* the line of a message with that payload */
static void check_on(bool terminal, uint32_t flag, const void *bytes,
		     size_t len, const char *text)
{
	struct page page;
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE) | flag,
				.sequence = 7, .time = 9, .pid = 100, .cpu = 1,
				.device = BLK_DEVICE(8, 0));
	struct line *l;

	page_init(&page);
	page.out.terminal = terminal;
	l = line_new(&page.out, &page.names);
	ev = with_payload(ev, bytes, len);
	ev.lane = page.lane;
	assert_int_equal(line_event(l, &ev, LINE_NO_LATENCY), LINE_SHOWN);
	page_check(&page, text);
	line_free(l);
	page_free(&page);
}

static void check(uint32_t flag, const void *bytes, size_t len,
		  const char *text)
{
	check_on(false, flag, bytes, len, text);
}

/* on a terminal only the newlines at the end stay as they are */
static void test_terminal(void **state)
{
	(void)state;
	check_on(true, 0, "a\x1b[31m\n\nb\n\n", 11,
		 HEAD " m   N a\\x1b[31m\\x0a\\x0ab\n\n\n");
	check_on(true, 0, "\n\0x", 3, HEAD " m   N \n\n");
	check_on(true, 0, "\x9b\x9b\x9b\x9b\x9b", 5,
		 HEAD " m   N \\x9b\\x9b\\x9b\\x9b\\x9b\n");
}

/* the text up to its end or NUL, as it is */
static void test_text(void **state)
{
	(void)state;
	check(0, "hello", 5, HEAD " m   N hello\n");
	check(0, "he\nllo\0gone", 11, HEAD " m   N he\nllo\n");
	check(0, "\0", 1, HEAD " m   N \n");
	check(0, "", 0, "");
}

/* the cgroup in front of it, two hexadecimal numbers; cut ids are none */
static void test_cgroup(void **state)
{
	uint8_t text[] = "ino.gen.text";

	(void)state;
	store(text, 0xbeef, 4, false);
	store(text + 4, 1, 4, false);
	check(BLK_CGROUP_FLAG, (char *)text, 12,
	      HEAD "beef,1  m   N text\n");
	check(BLK_CGROUP_FLAG, "\0\0\0\0\0\0\0\0", 8, HEAD "0,0  m   N \n");
	check(BLK_CGROUP_FLAG, "idid", 4, HEAD " m   N \n");
}

/* the longest message there can be is shown whole */
static void test_longest(void **state)
{
	static char message[BLK_PAYLOAD_MAX + 1], line[BLK_PAYLOAD_MAX + 99];

	(void)state;
	memset(message, 'x', BLK_PAYLOAD_MAX);
	snprintf(line, sizeof(line), HEAD " m   N %s\n", message);
	check(0, message, BLK_PAYLOAD_MAX, line);
}

static enum line_result try(struct page *p, uint32_t action)
{
	struct line *l = line_new(&p->out, &p->names);
	struct event ev = EVENT(.action = action, .lane = p->lane);
	enum line_result result = line_event(l, &ev, LINE_NO_LATENCY);

	assert_int_equal(p->out.len, 0);
	line_free(l);
	return result;
}

/* driver data is hidden; actions nobody knows are not, and have no line */
static void test_no_line(void **state)
{
	struct page p;

	(void)state;
	page_init(&p);
	assert_int_equal(try(&p, ACT(BLK_TA_DRV_DATA, CAT(FS))), LINE_HIDDEN);
	assert_int_equal(try(&p, ACT(BLK_TA_DRV_DATA, CAT(PC))), LINE_UNKNOWN);
	assert_int_equal(try(&p, ACT(BLK_TA_ABORT, 0)), LINE_UNKNOWN);
	assert_int_equal(try(&p, ACT(0, 0)), LINE_UNKNOWN);
	assert_int_equal(try(&p, ACT(0xfeff, 0)), LINE_UNKNOWN);
	assert_int_equal(try(&p, ACT(BLK_TA_REMAP, CAT(PC))), LINE_UNKNOWN);
	page_free(&p);
}

/* the letters of an event, for those who choose formats by them */
static void test_action(void **state)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_UNPLUG_TIMER, 0));

	(void)state;
	assert_string_equal(line_action(&ev), "UT");
	ev.action = ACT(BLK_TA_QUEUE | BLK_CGROUP_FLAG, CAT(PC));
	assert_string_equal(line_action(&ev), "Q");
	ev.action = ACT(BLK_TA_SPLIT, CAT(PC));
	assert_null(line_action(&ev));
}

/* a line that the output has no room for is told, and nothing of it written */
static void test_no_room(void **state)
{
	struct page p;
	struct line *l;
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, 0));

	(void)state;
	page_init(&p);
	l = line_new(&p.out, &p.names);
	ev.lane = p.lane;
	p.out.len = p.out.size;	/* and there is nowhere to write it to */
	assert_int_equal(line_event(l, &ev, LINE_NO_LATENCY), LINE_NO_ROOM);
	assert_int_equal(p.out.error, EBADF);
	line_free(l);
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_cgroup),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_no_line),
		cmocka_unit_test(test_action),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
