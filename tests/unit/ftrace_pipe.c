/* SPDX-License-Identifier: GPL-2.0-only */
/* Events and remarks out of tracefs' pipe, on a make-believe tracefs. */
#include <sys/prctl.h>

#include "tapped.h"

#define PIPE "per_cpu/cpu0/trace_pipe"

static void add_event(struct run *r, uint32_t device, uint32_t pid)
{
	add_record(r->bytes, &EVENT(.device = device, .pid = pid, .time = 9,
				    .action = ACT(BLK_TA_QUEUE, CAT(WRITE))));
}

static void add_text(struct run *r, const char *text)
{
	add_bytes(r->bytes, text, strlen(text));
}

/* apart by device, numbered by device, named by device */
static void test_split(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	add_event(&r, DISK, 12);
	add_event(&r, PART, 7);
	add_event(&r, FOREIGN, 12);
	add_event(&r, DISK, 7);
	add_event(&r, DISK, 12);
	check_run(&r, " a12:dd a1 a7:a name a2 a3 b7:a name b1");
	add_event(&r, PART, 7);
	add_event(&r, PART, 12);
	check_run(&r, " b2 b12:dd b3");
	run_end(&r);
}

/* the kernel's messages keep their place and have no number */
static void test_message(void **state)
{
	struct event ev = EVENT(.device = DISK, .pid = 12,
				.action = NOTE(BLK_TN_MESSAGE));
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	add_event(&r, DISK, 12);
	ev = with_payload(ev, "cfq", 3);
	add_record(r.bytes, &ev);
	add_event(&r, DISK, 12);
	check_run(&r, " a12:dd a1 a! a2");
	run_end(&r);
}

/* a hole for what was lost, with the device that speaks next */
static void test_lost(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	add_event(&r, DISK, 12);
	add_text(&r, "CPU:0 [LOST 6 EVENTS]\n");
	add_event(&r, PART, 12);
	add_event(&r, DISK, 12);
	check_run(&r, " a12:dd a1 a2 b12:dd b7");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 0);
	assert_int_equal(ftrace_lost(r.ftrace, 1), 6);
	/* eight by the kernel's counters, six are told */
	assert_int_equal(ftrace_overrun(r.ftrace, 0), 8);
	add_text(&r, "CPU:0 [LOST EVENTS]\n");
	add_event(&r, DISK, 12);
	check_run(&r, " a5");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 2);
	assert_int_equal(ftrace_overrun(r.ftrace, 1), 0);
	run_end(&r);
}

/* text of other people's making is passed over, and what is no text is told */
static void test_noise(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	add_text(&r, "type: 5\n");
	add_event(&r, DISK, 12);
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	add_text(&r, "CPU:0 hello\ntype: five\nrubbish ");
	add_record(r.bytes, &EVENT(.device = DISK, .cpu = 3));
	add_event(&r, DISK, 12);
	check_run(&r, " a12:dd a1 a2");
	assert_int_equal(ftrace_skipped(r.ftrace), 31 + BLK_HEADER_7);
	run_end(&r);
}

/* a length that no entry has is no record, and nothing waits for its end */
static void test_length(void **state)
{
	struct event ev = EVENT(.device = DISK);
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	ev.pdu_len = 60000;
	add_bytes(r.bytes, &ev, BLK_HEADER_7);
	add_event(&r, DISK, 12);
	check_run(&r, " a12:dd a1");
	run_end(&r);
}

/* whatever a read cuts, in records and remarks, waits for the rest */
static void test_cut(void **state)
{
	struct bytes *all = bytes_new();
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	add_event(&r, DISK, 12);
	add_text(&r, "CPU:0 [LOST 1 EVENTS]\n");
	add_event(&r, DISK, 12);
	*all = *r.bytes;
	for (size_t i = 0; i < all->len; i++) {
		r.bytes->len = 0;
		add_bytes(r.bytes, all->data + i, 1);
		check_run(&r, i == BLK_HEADER_7 - 1 ? " a12:dd a1" :
			       i == all->len - 1 ? " a3" : "");
	}
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	free(all);
	run_end(&r);
}

/* more than a batch, and a batch's end in the middle of a record */
static void test_many(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	for (int i = 0; i < 5000; i++)
		add_event(&r, FOREIGN, 12);
	add_event(&r, DISK, 12);
	check_run(&r, " a12:dd a1");
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	run_end(&r);
}

/* one CPU tells when tracing began, and nothing before that */
static void test_stamp(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, PIPE, true);
	add_event(&r, DISK, 12);
	check_run(&r, "");
	assert_int_equal(ftrace_start(r.ftrace), 0);
	check_run(&r, " a@ a12:dd a1 b@");
	add_event(&r, DISK, 12);
	check_run(&r, " a2");
	run_end(&r);
}

/*
 * Many processes that take turns: each is named once, before its first event,
 * also those whose numbers differ by a power of 2.
 */
static void test_turns(void **state)
{
	char story[2048] = "";
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	put("saved_cmdlines", "");
	for (uint32_t n = 0; n < 60; n++) {
		uint32_t pid = (n % 20 * 64 + 1) << 20;

		add_event(&r, DISK, pid);
		if (n < 20)
			sprintf(story + strlen(story), " a%u:<...>", pid);
		sprintf(story + strlen(story), " a%u", n + 1);
	}
	check_run(&r, story);
	run_end(&r);
}

/* --- names ---------------------------------------------------------------- */

/* those the list lacks: of /proc, without what a kworker works at, or none */
static void test_names(void **state)
{
	uint32_t me = (uint32_t)getpid();
	char story[80];
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	assert_int_equal(prctl(PR_SET_NAME, "kworker/9:9-x"), 0);
	add_event(&r, DISK, 0);
	add_event(&r, DISK, me);
	add_event(&r, DISK, 1u << 30);
	snprintf(story, sizeof(story),
		 " a0:swapper/0 a1 a%u:kworker/9:9 a2 a%u:<...> a3", me,
		 1u << 30);
	check_run(&r, story);
	assert_int_equal(prctl(PR_SET_NAME, "kworker/R-x"), 0);
	add_event(&r, PART, me);
	snprintf(story, sizeof(story), " b%u:kworker/R-x b1", me);
	check_run(&r, story);
	run_end(&r);
}

/* a list that says nothing, or too much, is no list; lines may be hostile */
static void test_list(void **state)
{
	struct run r;

	(void)state;
	run_start(&r, PIPE, false);
	put("saved_cmdlines", "2147483000");
	add_event(&r, DISK, 2147483000);
	check_run(&r, " a2147483000:<...> a1");
	put("saved_cmdlines", "2147483001 a name longer than the kernel's\n");
	add_event(&r, DISK, 2147483001);
	check_run(&r, " a2147483001:a name longer t a2");
	assert_int_equal(remove("saved_cmdlines"), 0);
	add_event(&r, DISK, 2147483002);
	check_run(&r, " a2147483002:<...> a3");
	run_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TRACEFS(test_split),
		IN_TRACEFS(test_message),
		IN_TRACEFS(test_lost),
		IN_TRACEFS(test_noise),
		IN_TRACEFS(test_length),
		IN_TRACEFS(test_cut),
		IN_TRACEFS(test_many),
		IN_TRACEFS(test_stamp),
		IN_TRACEFS(test_turns),
		IN_TRACEFS(test_names),
		IN_TRACEFS(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
