/* SPDX-License-Identifier: GPL-2.0-only */
/* What a server says, and how often; by a make-believe clock. */
#include <errno.h>
#include <time.h>

#include "heard.h"
#include "server_reporter.h"

static time_t now;

/* stands in for the C library's */
time_t time(time_t *t)
{
	if (t)
		*t = now;
	return now;
}

static void start(struct report *r, bool verbose)
{
	now = 1234567890;
	assert_int_equal(report_open(r, STDOUT_FILENO, &server_reporter,
				     verbose), 0);
	hear(STDERR_FILENO);
}

/* how often a line is in what was heard */
static unsigned int count(const char *text, const char *line)
{
	unsigned int n = 0;

	for (; (text = strstr(text, line)); text++)
		n++;
	return n;
}

/* whole lines, the program's name first; notes for who wants them */
static void test_lines(void **state)
{
	struct report r;

	(void)state;
	start(&r, true);
	report_warn(&r, "%s: %d", "192.0.2.1", 7);
	report_note(&r, "a note");
	assert_int_equal(report_close(&r), 0);
	check_heard("server_report: 192.0.2.1: 7\nserver_report: a note\n");
	start(&r, false);
	report_note(&r, "a note");
	assert_int_equal(report_close(&r), 0);
	check_heard("");
}

/* so many in a second; the others are counted, and the next second is told */
static void test_rate(void **state)
{
	char text[4096];
	struct report r;

	(void)state;
	start(&r, false);
	for (int i = 0; i < REPORT_RATE + 3; i++)
		report_warn(&r, "no");
	assert_int_equal(r.left_out, 3);
	now++;
	report_warn(&r, "yes");
	report_warn(&r, "no");
	assert_int_equal(report_close(&r), 0);
	hear_no_more(text);
	assert_int_equal(count(text, ": no\n"), REPORT_RATE + 1);
	assert_int_equal(count(text, ": no\nserver_report: 3 more complaints"
			       " not shown\nserver_report: yes\n"), 1);
}

/* what was left out is reported at the end at the latest, and only once */
static void test_left_out(void **state)
{
	char text[4096];
	struct report r;

	(void)state;
	start(&r, false);
	for (int i = 0; i < REPORT_RATE + 1; i++)
		report_warn(&r, "no");
	assert_int_equal(report_close(&r), 0);
	hear_no_more(text);
	assert_int_equal(count(text, "1 more complaint not shown\n"), 1);
	start(&r, false);
	report_flush(&r);
	for (int i = 0; i < REPORT_RATE + 2; i++)
		report_warn(&r, "no");
	report_flush(&r);
	assert_int_equal(report_close(&r), 0);
	hear_no_more(text);
	assert_int_equal(count(text, "2 more complaints not shown\n"), 1);
}

static bool refuse(void *ctx, const char *text)
{
	(void)text;
	++*(int *)ctx;
	return false;
}

/* what the program cannot print now is counted, and that is tried again */
static void test_cannot(void **state)
{
	int tries = 0;
	const struct server_reporter deaf = { .ctx = &tries, .line = refuse };
	struct report r;

	(void)state;
	start(&r, false);
	r.to = &deaf;
	report_warn(&r, "lost");
	report_flush(&r);
	assert_int_equal(tries, 2);
	assert_int_equal(r.left_out, 1);
	r.to = &server_reporter;
	report_flush(&r);
	assert_int_equal(report_close(&r), 0);
	check_heard("server_report: 1 more complaint not shown\n");
}

/* drops, where there are some */
static void test_drops(void **state)
{
	struct report r;

	(void)state;
	start(&r, false);
	report_drops(&r, 9, 0);
	report_drops(&r, 9, 1);
	assert_int_equal(report_close(&r), 0);
	check_heard("\nYou have 1 ( 10.0%) dropped events\n*");
}

/* a stranger's text of any length is one line, cut */
static void test_long(void **state)
{
	char text[4096], name[2000];
	struct report r;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	start(&r, false);
	report_warn(&r, "%s", name);
	assert_int_equal(report_close(&r), 0);
	hear_no_more(text);
	assert_int_equal(strlen(text), strlen("server_report: ") + 999 + 1);
	assert_int_equal(count(text, "\n"), 1);
}

/* lines that cannot be written are reported, and the caller gets to know */
static void test_full(void **state)
{
	int full = open("/dev/full", O_WRONLY);
	struct report r;

	(void)state;
	hear(STDERR_FILENO);
	assert_int_equal(report_open(&r, full, &server_reporter, false), 0);
	buf_printf(report_lines(&r, 1), "server: end of run\n");
	assert_int_equal(report_close(&r), -ENOSPC);
	close(full);
	check_heard("server_report: server: cannot write to standard output:"
		    " No space left on device\n");
}

/* a pipe that nothing reads: reported once, and at the end how many lines */
static void test_unread(void **state)
{
	struct report r;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	hear(STDERR_FILENO);
	assert_int_equal(report_open(&r, fds[1], &server_reporter, false), 0);
	assert_null(report_lines(&r, SPOOL_MAX / SPOOL_LINE + 1));
	assert_null(report_lines(&r, SPOOL_MAX / SPOOL_LINE + 1));
	assert_non_null(report_lines(&r, 1));
	assert_int_equal(report_close(&r), -ENOBUFS);
	close(fds[0]);
	close(fds[1]);
	check_heard("server_report: server: standard output is not read:"
		    " lines for it are dropped\n"
		    "server_report: server: standard output was not read:"
		    " 131074 lines dropped\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_lines),
		IN_SCRATCH(test_rate),
		IN_SCRATCH(test_left_out),
		IN_SCRATCH(test_cannot),
		IN_SCRATCH(test_drops),
		IN_SCRATCH(test_long),
		IN_SCRATCH(test_full),
		IN_SCRATCH(test_unread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
