/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A make-believe tracefs and sysfs in one: plain files in a directory made for
 * each test.  What a real kernel does: tests/live.
 */
#ifndef TESTS_UNIT_TRACEFS_H
#define TESTS_UNIT_TRACEFS_H

#include "capture/from/ftrace.h"
#include "scratch.h"

/* two that are captured, and one that is not */
enum { DISK = 8 << 20, PART = 8 << 20 | 17, FOREIGN = 8 << 20 | 32 };

static const uint32_t both[] = { DISK, PART };

static const struct {
	const char *path, *text;
} kernel[] = {
	{ "available_tracers", "blk function nop\n" },
	{ "current_tracer", "nop" },
	{ "tracing_on", "1" },
	{ "trace_clock", "[local] global mono\n" },
	{ "buffer_size_kb", "7 (expanded: 1408)\n" },
	{ "buffer_percent", "50" },
	{ "buffer_subbuf_size_kb", "4\n" },
	{ "trace", "old things" },
	{ "saved_cmdlines", "12 dd\n7 a name\n107 other\n" },
	{ "options/bin", "0" },
	{ "options/context-info", "1" },
	{ "options/overwrite", "1" },
	{ "options/blk_classic", "1" },
	{ "events/enable", "0\n" },
	{ "per_cpu/cpu0/stats", "entries: 1\noverrun: 5\ncommit overrun: 1\n"
				"dropped events: 2\n" },
	{ "per_cpu/cpu0/trace_pipe", "" },
	{ "per_cpu/cpu0/buffer_size_kb", "16" },
	{ "per_cpu/cpu1/buffer_size_kb", "9000" },
	{ "dev/block/8:0/trace/enable", "0\n" },
	{ "dev/block/8:0/trace/act_mask", "all\n" },
	{ "dev/block/8:17/trace/enable", "0\n" },
	{ "dev/block/8:17/trace/act_mask", "all\n" },
	{ "dev/block/8:32/trace/enable", "0\n" },
};

/* cmocka's set-up; scratch_leave() is its teardown */
static inline int tracefs_enter(void **state)
{
	if (scratch_enter(state))
		return 1;
	for (size_t i = 0; i < sizeof(kernel) / sizeof(*kernel); i++)
		put(kernel[i].path, kernel[i].text);
	return 0;
}

#define IN_TRACEFS(f) \
	cmocka_unit_test_setup_teardown(f, tracefs_enter, scratch_leave)

static inline struct ftrace_plan plan(uint32_t mask, size_t kib)
{
	return (struct ftrace_plan){ .tracefs = ".", .sysfs = ".",
				     .devices = both, .count = 2,
				     .mask = mask, .buffer = kib * 1024 };
}

static inline struct ftrace *make(uint32_t mask, size_t kib)
{
	struct ftrace_plan p = plan(mask, kib);
	char why[FTRACE_WHY];
	struct ftrace *f;

	assert_int_equal(ftrace_new(&f, &p, why), 0);
	return f;
}

static inline void drop(struct ftrace *f)
{
	char why[FTRACE_WHY];

	assert_int_equal(ftrace_free(f, why), 0);
	assert_string_equal(why, "");
}

#endif
