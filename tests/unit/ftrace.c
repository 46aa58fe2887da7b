/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way in by tracefs on a make-believe one: its switches, set and put
 * back.  What comes out of its pipes: ftrace_pipe.c.
 */
#include <errno.h>
#include <sys/file.h>

#include "capture/notes.h"
#include "tracefs.h"

/* --- set up and taken down ------------------------------------------------ */

/* all is as the kernel had it, whatever was tried */
static void check_untouched(void)
{
	check_text("current_tracer", "nop");
	check_text("tracing_on", "1");
	check_text("buffer_percent", "50");
	check_text("options/bin", "0");
	check_text("options/context-info", "1");
	check_text("options/overwrite", "1");
	check_text("options/blk_classic", "1");
}

/* what is set, in the order of a capture's life */
static void test_life(void **state)
{
	struct ftrace *f = make(0x41, 4096);
	struct notes_stamp stamp;

	(void)state;
	check_text("current_tracer", "blk");
	check_text("trace_clock", "mono");
	check_text("tracing_on", "0");
	check_text("buffer_size_kb", "4096");
	check_text("options/bin", "1");
	check_text("options/context-info", "0");
	check_text("options/blk_classic", "0");
	check_text("trace", "");
	check_text("dev/block/8:0/trace/enable", "1");
	check_text("dev/block/8:17/trace/act_mask", "0x41");
	assert_false(ftrace_started(f, &stamp));
	assert_int_equal(ftrace_start(f), 0);
	check_text("tracing_on", "1");
	assert_true(ftrace_started(f, &stamp));
	assert_int_equal(ftrace_stop(f), 0);
	check_text("dev/block/8:0/trace/enable", "0");
	check_text("dev/block/8:17/trace/enable", "0");
	check_text("tracing_on", "1");
	drop(f);
	check_untouched();
	check_text("trace_clock", "local");
	/* 7 would be less than any user finds */
	check_text("buffer_size_kb", "1408");
}

/* without a mask the kernel's own stays; a large buffer stays large */
static void test_modest(void **state)
{
	struct ftrace *f = make(0, 1000);

	(void)state;
	check_text("buffer_size_kb", "7 (expanded: 1408)\n");
	check_text("dev/block/8:0/trace/act_mask", "all\n");
	drop(f);
	check_untouched();
}

/* buffers of different sizes are raised, and put back, one by one */
static void test_buffers(void **state)
{
	struct ftrace *f;

	(void)state;
	put("buffer_size_kb", "X\n");
	f = make(0, 2048);
	check_text("per_cpu/cpu0/buffer_size_kb", "2048");
	check_text("per_cpu/cpu1/buffer_size_kb", "9000");
	check_text("buffer_size_kb", "X\n");
	drop(f);
	check_text("per_cpu/cpu0/buffer_size_kb", "16");
}

/* --- refused -------------------------------------------------------------- */

static void check_refused(int err, const char *reason)
{
	struct ftrace_plan p = plan(0x41, 4096);
	char why[FTRACE_WHY];
	struct ftrace *f;

	assert_int_equal(ftrace_new(&f, &p, why), err);
	assert_null(f);
	assert_non_null(strstr(why, reason));
}

/* whoever traces already goes on, and is named */
static void test_refused(void **state)
{
	(void)state;
	put("dev/block/8:32/trace/enable", "1\n");
	check_refused(-EBUSY, "8:32/trace/enable: it is traced already");
	put("dev/block/8:32/trace/enable", "0\n");
	put("events/enable", "X\n");
	check_refused(-EBUSY, "events are switched on");
	put("events/enable", "0\n");
	check_untouched();
	check_text("trace", "old things");
	put("current_tracer", "function\n");
	check_refused(-EBUSY, "a tracer is in use");
	check_text("current_tracer", "function\n");
	put("available_tracers", "function nop\n");
	check_refused(-EOPNOTSUPP, "no blk tracer");
}

/* one capture at a time, and after the first the next */
static void test_lock(void **state)
{
	struct ftrace *f = make(0, 0);

	(void)state;
	check_refused(-EBUSY, "another capture");
	check_text("current_tracer", "blk");
	drop(f);
	drop(make(0, 0));
}

/* what has been set is put back when the last step fails */
static void test_halfway(void **state)
{
	(void)state;
	assert_int_equal(remove("dev/block/8:17/trace/enable"), 0);
	check_refused(-ENOENT, "8:17/trace/enable: No such file");
	check_untouched();
	check_text("buffer_size_kb", "1408");
	check_text("dev/block/8:0/trace/enable", "0");
}

/* a device that is gone is no error, a switch that cannot be set is */
static void test_gone(void **state)
{
	struct ftrace *f = make(0, 0);
	char why[FTRACE_WHY];

	(void)state;
	assert_int_equal(remove("dev/block/8:0/trace/enable"), 0);
	assert_int_equal(remove("options/bin"), 0);
	assert_int_equal(mkdir("options/bin", 0755), 0);
	assert_int_equal(ftrace_free(f, why), -EISDIR);
	assert_string_equal(why, "./options/bin: Is a directory");
	check_text("options/context-info", "1");
	check_text("tracing_on", "1");
	assert_int_equal(rmdir("options/bin"), 0);
}

/* after one that was killed the kernel's own settings are there again */
static void test_kill(void **state)
{
	struct ftrace_plan p = plan(0, 0);
	char why[FTRACE_WHY];

	(void)state;
	put("current_tracer", "blk\n");
	put("dev/block/8:17/trace/enable", "1");
	put("options/bin", "1");
	put("trace_clock", "local [mono]\n");
	assert_int_equal(ftrace_kill(&p, why), 0);
	check_text("current_tracer", "nop");
	check_text("dev/block/8:17/trace/enable", "0");
	check_text("options/bin", "0");
	check_text("trace_clock", "local");
}

/* other people's tracer is not ours to stop */
static void test_kill_other(void **state)
{
	struct ftrace_plan p = plan(0, 0);
	char why[FTRACE_WHY];

	(void)state;
	put("current_tracer", "function\n");
	put("options/bin", "1");
	assert_int_equal(ftrace_kill(&p, why), -ENOENT);
	check_text("current_tracer", "function\n");
	check_text("options/bin", "1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TRACEFS(test_life),
		IN_TRACEFS(test_modest),
		IN_TRACEFS(test_buffers),
		IN_TRACEFS(test_refused),
		IN_TRACEFS(test_lock),
		IN_TRACEFS(test_halfway),
		IN_TRACEFS(test_gone),
		IN_TRACEFS(test_kill),
		IN_TRACEFS(test_kill_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
