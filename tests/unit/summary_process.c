/* SPDX-License-Identifier: GPL-2.0-only */
/* The summary of processes: blocks, waits, and the orders of -S. */
#include "counted.h"
#include "emit/summary.h"

/* a request is queued */
static void count(struct rig *r, uint32_t pid, uint32_t categories,
		  uint32_t bytes)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, categories),
				.pid = pid, .bytes = bytes,
				.lane = r->page.lane);

	assert_int_equal(stats_count(&r->stats, r->here, &ev), 0);
}

/* the titles of the processes, in the order they are shown in */
static void check_order(struct rig *r, char letter, const char *pids)
{
	char got[64] = "", *line, *rest;

	r->page.out.len = 0;
	summary_processes(&r->page.out, &r->stats, &r->page.names,
			  &r->page.devices, letter);
	buf_append(&r->page.out, "", 1);
	for (line = strtok_r(r->page.out.data, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (line[0] != ' ' && strlen(got) < 50)
			strcat(got, strrchr(line, ' '));
	assert_string_equal(got, pids);
}

/* by name as people count, then pid; or by an amount, ascending */
static void test_orders(void **state)
{
	struct rig *r = *state;

	names_learn(&r->page.names, 0, 1, "kw10", 4);
	names_learn(&r->page.names, 0, 2, "kw9", 3);
	names_learn(&r->page.names, 0, 3, "kw9", 3);
	count(r, 1, CAT(READ), 4096);
	count(r, 3, CAT(WRITE), 2048);
	count(r, 2, CAT(READ), 1024);
	count(r, 2, CAT(READ), 1024);
	check_order(r, 'N', " (2) (3) (1)");
	check_order(r, 'Q', " (2) (3) (1)");
	check_order(r, 'R', " (3) (2) (1)");
	check_order(r, 'W', " (2) (1) (3)");
	check_order(r, 'q', " (3) (1) (2)");
	check_order(r, 'r', " (3) (1) (2)");
	check_order(r, 'w', " (2) (1) (3)");
	check_order(r, 'c', " (2) (3) (1)");
}

/* the letters of -S, and none but those */
static void test_letters(void **state)
{
	(void)state;
	for (int c = 0; c < 128; c++)
		assert_int_equal(summary_sort_known((char)c) != 0,
				 c && strchr("NQqRrWwCc", c));
}

/* a process's block, with its waits in microseconds, and an empty line */
static void test_process(void **state)
{
	struct rig *r = *state;
	struct process_stats *p;

	count(r, 100, CAT(READ), 0);
	assert_int_equal(r->stats.process_count, 1);
	p = r->stats.process_list[0];
	memset(&p->counters, 0, sizeof(p->counters));
	p->several = true;
	p->waits = (struct waits){ { 1999, 0 }, { 0, 5000000 },
				   { 123456789012, 1000 } };
	summary_processes(&r->page.out, &r->stats, &r->page.names,
			  &r->page.devices, 'N');
	page_check(&r->page, "dd (100, ...)\n" EMPTY_BLOCK EMPTY_UNPLUGS
		   " Allocation wait:        1        \t"
		   " Allocation wait:         0\n"
		   " Dispatch wait:          0        \t"
		   " Dispatch wait:        5000\n"
		   " Completion wait: 123456789        \t"
		   " Completion wait:         1\n\n");
}

/* without processes there is still the empty line */
static void test_no_process(void **state)
{
	struct rig *r = *state;

	summary_processes(&r->page.out, &r->stats, &r->page.names,
			  &r->page.devices, 'N');
	page_check(&r->page, "\n");
}

#define RIGGED(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

/* a name on a terminal is escaped in its title */
static void test_terminal(void **state)
{
	struct rig *r = *state;

	r->page.out.terminal = true;
	names_learn(&r->page.names, 0, 1, "\x1b[2J", 4);
	count(r, 1, CAT(READ), 4096);
	summary_processes(&r->page.out, &r->stats, &r->page.names,
			  &r->page.devices, 'N');
	assert_memory_equal(r->page.out.data, "\\x1b[2J (1)\n", 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGGED(test_orders),
		cmocka_unit_test(test_letters),
		RIGGED(test_process),
		RIGGED(test_no_process),
		RIGGED(test_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
