/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way in by tracefs on a make-believe one: its switches, set and put
 * back.  What comes out of its pipes: ftrace_pipe.c.
 */
#include <errno.h>
#include <sys/file.h>

#include "capture/from/ftrace_watch.h"
#include "capture/notes.h"
#include "capture/reporter.h"
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
	check_text("buffer_subbuf_size_kb", "16");
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
	check_text("buffer_subbuf_size_kb", "4");
}

/* without a mask the kernel's own stays; a large buffer stays large */
static void test_modest(void **state)
{
	struct ftrace *f = make(0, 1000);

	(void)state;
	check_text("buffer_size_kb", "7 (expanded: 1408)\n");
	check_text("buffer_subbuf_size_kb", "4\n");
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

/* larger pages and those of a larger buffer stay; a kernel may lack them */
static void test_pages(void **state)
{
	(void)state;
	put("buffer_subbuf_size_kb", "64\n");
	drop(make(0, 4096));
	check_text("buffer_subbuf_size_kb", "64\n");
	put("buffer_subbuf_size_kb", "4\n");
	put("buffer_size_kb", "5000\n");
	drop(make(0, 4096));
	check_text("buffer_subbuf_size_kb", "4\n");
	assert_int_equal(remove("buffer_subbuf_size_kb"), 0);
	drop(make(0, 4096));
	check_untouched();
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
	put("buffer_subbuf_size_kb", "16\n");
	assert_int_equal(ftrace_kill(&p, why), 0);
	check_text("current_tracer", "nop");
	check_text("dev/block/8:17/trace/enable", "0");
	check_text("options/bin", "0");
	check_text("trace_clock", "local");
	check_text("buffer_subbuf_size_kb", "4");
}

/* nor does an older kernel's lack of a setting hinder that */
static void test_kill_old(void **state)
{
	struct ftrace_plan p = plan(0, 0);
	char why[FTRACE_WHY];

	(void)state;
	put("current_tracer", "blk\n");
	assert_int_equal(remove("buffer_percent"), 0);
	assert_int_equal(ftrace_kill(&p, why), 0);
	check_text("buffer_size_kb", "1408");
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

/* --- what others do to a capture ------------------------------------------ */

struct lines {
	char text[2048];
};

static void add_line(void *ctx, const char *text)
{
	struct lines *l = ctx;
	size_t len = strlen(l->text);

	snprintf(l->text + len, sizeof(l->text) - len, "%s\n", text);
}

static struct ftrace *start_watched(const struct capture_reporter *r,
				    const char *const *names)
{
	struct ftrace_plan p = plan(0x41, 0);
	char why[FTRACE_WHY];
	struct ftrace *f;

	p.reporter = r;
	p.names = names;
	put("dev/block/8:0/stat", "10 0 80 0 5 0 40 0 0 0 0 1 0 0 0 2 0\n");
	assert_int_equal(ftrace_new(&f, &p, why), 0);
	assert_int_equal(ftrace_start(f), 0);
	return f;
}

static void look(struct ftrace *f)
{
	ftrace_watch_look(ftrace_watch_of(f), false);
}

/* what starts a line, and what it ends with */
static void check_lines(struct lines *l, const char *start, const char *end)
{
	size_t len = strlen(l->text), tail = strlen(end);

	assert_int_equal(strncmp(l->text, start, strlen(start)), 0);
	assert_true(len >= tail);
	assert_string_equal(l->text + len - tail, end);
	l->text[0] = '\0';
}

static void check_gap(struct ftrace *f, unsigned int device, uint64_t events,
		      const char *cause)
{
	struct ftrace_gap g;

	assert_true(ftrace_watch_take(ftrace_watch_of(f), device, &g));
	assert_int_equal(g.events, events);
	assert_string_equal(g.cause, cause);
	assert_true(g.from < g.to);
	assert_false(ftrace_watch_take(ftrace_watch_of(f), device, &g));
}

/*
 * All devices lose events: as many as their I/Os make, at least one.  The next
 * look finds all as it should be.
 */
static void test_watch_off(void **state)
{
	struct lines l = { "" };
	const struct capture_reporter r = { add_line, &l };
	struct ftrace *f = start_watched(&r, NULL);

	(void)state;
	look(f);
	assert_string_equal(l.text, "");
	put("tracing_on", "0\n");
	put("options/context-info", "1\n");
	put("dev/block/8:0/stat", "20 0 80 0 9 0 40 0 0 0 0 4 0 0 0 5 0\n");
	ftrace_watch_count(ftrace_watch_of(f), 20);
	look(f);
	check_lines(&l, "tracing was switched off (tracing_on) between 0.0",
		    " s: about 101 events lost; switched on again\n");
	check_text("tracing_on", "1");
	check_text("options/context-info", "0");
	check_gap(f, 0, 100, "tracing was switched off (tracing_on)");
	check_gap(f, 1, 1, "tracing was switched off (tracing_on)");
	look(f);
	assert_string_equal(l.text, "");
	drop(f);
	assert_string_equal(l.text, "");
}

/* one device is disabled: the other has lost nothing */
static void test_watch_disabled(void **state)
{
	static const char *const names[] = { "sda", "sdb1" };
	struct lines l = { "" };
	const struct capture_reporter r = { add_line, &l };
	struct ftrace *f = start_watched(&r, names);
	struct ftrace_gap g;

	(void)state;
	put("dev/block/8:17/trace/enable", "0\n");
	put("dev/block/8:17/trace/act_mask", "all\n");
	look(f);
	check_lines(&l, "the trace of sdb1 was disabled between 0.0",
		    " s: about 1 events lost; switched on again\n");
	check_text("dev/block/8:17/trace/enable", "1");
	check_text("dev/block/8:17/trace/act_mask", "0x41");
	check_gap(f, 1, 1, "the trace of sdb1 was disabled");
	assert_false(ftrace_watch_take(ftrace_watch_of(f), 0, &g));
	drop(f);
}

/*
 * Another tracer is left alone: a line when it comes, and one when it has gone.
 * What is wrong at the end is found there.
 */
static void test_watch_tracer(void **state)
{
	struct lines l = { "" };
	const struct capture_reporter r = { add_line, &l };
	struct ftrace *f = start_watched(&r, NULL);

	(void)state;
	put("current_tracer", "function\n");
	look(f);
	check_lines(&l, "another tracer was made current (current_tracer)"
		    " between 0.0", " s: about 2 events lost; end"
		    " what uses it, and start this capture again\n");
	check_text("current_tracer", "function\n");
	look(f);
	assert_string_equal(l.text, "");
	put("current_tracer", "blk\n");
	look(f);
	check_lines(&l, "another tracer was made current (current_tracer)"
		    " until 0.0", " s: about 2 more events lost\n");
	put("tracing_on", "0");
	assert_int_equal(ftrace_stop(f), 0);
	check_lines(&l, "tracing was switched off (tracing_on) between 0.0",
		    " s: about 2 events lost\n");
	check_text("tracing_on", "0");
	drop(f);
}

/* what was cleared, or off for less than a second, shows all the same */
static void test_watch_written(void **state)
{
	struct lines l = { "" };
	const struct capture_reporter r = { add_line, &l };
	struct ftrace *f = start_watched(&r, NULL);

	(void)state;
	put("trace", "");
	put("dev/block/8:0/trace/enable", "0\n");
	put("dev/block/8:0/trace/enable", "1\n");
	look(f);
	check_lines(&l, "the buffer was cleared (trace), and the trace of 8,0"
		    " was disabled for a time between 0.0",
		    " s: about 2 events lost\n");
	/* the buffer's counters say so as well: the same clearing */
	ftrace_watch_cleared(ftrace_watch_of(f), 0);
	look(f);
	assert_string_equal(l.text, "");
	ftrace_watch_cleared(ftrace_watch_of(f), UINT64_MAX);
	look(f);
	check_lines(&l, "the buffer was cleared (trace) between 0.0",
		    " s: about 2 events lost\n");
	drop(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TRACEFS(test_life),
		IN_TRACEFS(test_modest),
		IN_TRACEFS(test_buffers),
		IN_TRACEFS(test_pages),
		IN_TRACEFS(test_refused),
		IN_TRACEFS(test_lock),
		IN_TRACEFS(test_halfway),
		IN_TRACEFS(test_gone),
		IN_TRACEFS(test_kill),
		IN_TRACEFS(test_kill_old),
		IN_TRACEFS(test_kill_other),
		IN_TRACEFS(test_watch_off),
		IN_TRACEFS(test_watch_disabled),
		IN_TRACEFS(test_watch_tracer),
		IN_TRACEFS(test_watch_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
