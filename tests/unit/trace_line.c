/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of import/trace_line: lines of perf script, ftrace and trace-cmd. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "blktrace.h"
#include "import/trace_line.h"

/* Fields of an event as text, "8:0 W 64+8 [dd]"; a reader would take them the
 * same way. */
static void show(const struct trace_line *l, char *to, size_t size)
{
	const struct trace_values v = trace_line_values(l);
	static const struct {
		enum trace_field field;
		const char *format;
	} parts[] = {
		{ TRACE_SECTOR, " %u" }, { TRACE_NR_SECTOR, "+%u" },
		{ TRACE_BYTES, " %uB" }, { TRACE_NEW_SECTOR, "/%u" },
		{ TRACE_ERROR, " e%d" }, { TRACE_OLD_DEV, " <%#x" },
		{ TRACE_OLD_SECTOR, ":%u" }, { TRACE_NR_RQ, " n%u" },
	};
	const char *text;
	size_t n, used;
	uint64_t number;

	used = (size_t)snprintf(to, size, "%u.%09u %u %u",
				(unsigned int)(l->at.time / 1000000000),
				(unsigned int)(l->at.time % 1000000000),
				l->at.cpu, l->at.pid);
	if (v.number(v.ctx, TRACE_DEV, &number))
		used += (size_t)snprintf(to + used, size - used, " %u:%u",
					 BLK_MAJOR((uint32_t)number),
					 BLK_MINOR((uint32_t)number));
	if (v.text(v.ctx, TRACE_RWBS, &text, &n))
		used += (size_t)snprintf(to + used, size - used, " %.*s",
					 (int)n, text);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (v.number(v.ctx, parts[i].field, &number))
			used += (size_t)snprintf(to + used, size - used,
						 parts[i].format,
						 (unsigned int)number);
	if (v.text(v.ctx, TRACE_COMM, &text, &n))
		snprintf(to + used, size - used, " [%.*s]", (int)n, text);
}

#define HEAD "  dd-42 [001] .... 5.000001: "
#define SAW "5.000001000 1 42 "

/* lines, the tracepoint without block_, and what they have */
static const struct {
	const char *line, *name, *want;
} events[] = {
	/* heads: perf script, its --ns, of threads, and of unknown processes */
	{ "  dd    42 [001]   5.000001:  block:block_getrq: 8,0 W 64 + 8 [dd]",
	  "getrq", SAW "8:0 W 64+8 [dd]" },
	{ "  dd    42 [001]     5.000001234: block:block_plug: [dd]",
	  "plug", "5.000001234 1 42 [dd]" },
	{ "  my dd 41/42 [001]     5.000001: block:block_plug: [dd]",
	  "plug", SAW "[dd]" },
	{ "          :42    42 [001]   5.000001: block:block_rq_complete: 8,0 W"
	  " () 64 + 8 [0]", "rq_complete", SAW "8:0 W 64+8 e0" },
	/* of ftrace: with flags, a process's id, and a name with all of it */
	{ "  dd-42 [001] d..1.     5.000001: block_plug: [dd]", "plug",
	  SAW "[dd]" },
	{ "  dd-42 (   41) [001] ..s.   5.000001: block_rq_complete: 8,0 W ()"
	  " 64 + 8 [0]", "rq_complete", SAW "8:0 W 64+8 e0 [dd]" },
	{ "  dd-42 (-----) [001] ....   5.000001: block_plug: [dd]", "plug",
	  SAW "[dd]" },
	{ "  <...>-42 [001] ....   5.000001: block_rq_complete: 8,0 W () 64 +"
	  " 8 [0]", "rq_complete", SAW "8:0 W 64+8 e0" },
	{ "  <idle>-0 [001] d.h2   5.000001: block_rq_complete: 8,0 W () 64 + 8"
	  " [0]", "rq_complete", "5.000001000 1 0 8:0 W 64+8 e0" },
	{ "  a [7] 1.5: b-42 [001] ....   5.000001: block_plug: [a [7] 1.5: b]",
	  "plug", SAW "[a [7] 1.5: b]" },
	/* of trace-cmd report */
	{ "              dd-42    [001]   5.000001: block_plug:           [dd]",
	  "plug", SAW "[dd]" },

	/* what kernels print: bios */
	{ HEAD "block_bio_queue: 8,0 WS 64 + 8 [dd]", "bio_queue",
	  SAW "8:0 WS 64+8 [dd]" },
	{ HEAD "block_bio_backmerge: 259,12 RA 64 + 8 [a b]", "bio_backmerge",
	  SAW "259:12 RA 64+8 [a b]" },
	{ HEAD "block_bio_complete: 253,0 R 64 + 8 [-5]", "bio_complete",
	  SAW "253:0 R 64+8 e-5 [dd]" },
	{ HEAD "block_bio_remap: 8,0 R 2112 + 8 <- (8,1) 64", "bio_remap",
	  SAW "8:0 R 2112+8 <0x800001:64 [dd]" },
	{ HEAD "block_split: 8,0 R 64 / 128 [dd]", "split",
	  SAW "8:0 R 64/128 [dd]" },
	/* requests, also since they have a priority */
	{ HEAD "block_rq_insert: 8,0 W 4096 () 64 + 8 [dd]", "rq_insert",
	  SAW "8:0 W 64+8 4096B [dd]" },
	{ HEAD "block_rq_issue: 8,0 W 4096 () 64 + 8 none,0,0 [dd]", "rq_issue",
	  SAW "8:0 W 64+8 4096B [dd]" },
	{ HEAD "block_rq_issue: 8,0 W 4096 () 64 + 8 0x2,0,4 [dd]", "rq_issue",
	  SAW "8:0 W 64+8 4096B [dd]" },
	{ HEAD "block_rq_issue: 8,0 R 36 (12 00 00 00 24 00) 0 + 0 [dd]",
	  "rq_issue", SAW "8:0 R 0+0 36B [dd]" },
	{ HEAD "block_rq_complete: 8,0 W () 64 + 8 be,0,4 [-121]",
	  "rq_complete", SAW "8:0 W 64+8 e-121 [dd]" },
	{ HEAD "block_rq_requeue: 8,0 W () 64 + 8 [0]", "rq_requeue",
	  SAW "8:0 W 64+8 e0 [dd]" },
	{ HEAD "block_rq_merge: 8,0 W 4096 () 64 + 8 [dd]", "rq_merge",
	  SAW "8:0 W 64+8 4096B [dd]" },
	{ HEAD "block_rq_remap: 8,0 W 64 + 8 <- (253,0) 64 1", "rq_remap",
	  SAW "8:0 W 64+8 <0xfd00000:64 [dd]" },
	{ HEAD "block_unplug: [dd] 3", "unplug", SAW "n3 [dd]" },
};

static void test_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const char *line = events[i].line;
		struct trace_line l;
		char text[200];

		print_message("%s\n", line);
		assert_int_equal(trace_line_read(&l, line, strlen(line)),
				 TRACE_LINE_EVENT);
		assert_string_equal(l.tracepoint->name + strlen("block_"),
				    events[i].name);
		show(&l, text, sizeof(text));
		assert_string_equal(text, events[i].want);
	}
}

static const char *const others[] = {
	"", "# tracer: nop", "cpus=2",
	"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION",
	"  dd-42 [001] .... 5.000001: sched_switch: prev_comm=dd [1] 2.5: x",
	"  dd-42 [001] .... 5.000001: block_rq_error: 8,0 W () 64 + 8 [-5]",
	"        ffffffff81c0 blk_mq_submit_bio ([kernel.kallsyms])",
	"##### CPU 1 buffer started ####",
	"  dd-42 [001] .... 5: block_plug: [dd]",	/* another clock */
	"  dd-42 [001] .... 5.0000000001: block_plug: [dd]",
	"  dd [001] .... 5.000001: block_plug: [dd]",
	"[001] 5.000001: block_plug: [dd]",
	"  dd-42 [4294967296] .... 5.000001: block_plug: [dd]",
};

static void test_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct trace_line l;

		print_message("%s\n", others[i]);
		assert_int_equal(trace_line_read(&l, others[i],
						 strlen(others[i])),
				 TRACE_LINE_OTHER);
	}
}

/* the text after HEAD, what should be there, and at which of its columns */
static const struct {
	const char *text, *expected;
	size_t column;
} wrong[] = {
	{ "block_bio_queue: 8 WS 64 + 8 [dd]", "a device such as 8,0", 19 },
	{ "block_bio_queue: 5000,0 W 64 + 8 [dd]", "a device such as 8,0", 18 },
	{ "block_bio_queue: 8,0 WS x + 8 [dd]", "a sector", 25 },
	{ "block_bio_queue: 8,0 WS 64 - 8 [dd]", "+", 28 },
	{ "block_bio_queue: 8,0 WS 64 + 8 dd", "a process in []", 32 },
	{ "block_bio_queue: 8,0 WS 64 + 8 [dd] x", "the end of the line", 37 },
	{ "block_bio_queue: 8,0", "RWBS letters", 21 },
	{ "block_rq_issue: 8,0 W 4096 64 + 8 [dd]", "a command in ()", 28 },
	{ "block_rq_complete: 8,0 W () 64 + 8 [x]", "an error in []", 37 },
	{ "block_split: 8,0 R 64 + 128 [dd]", "/", 23 },
	{ "block_bio_remap: 8,0 R 8 + 8 <- 8,1 64", "<- (", 30 },
	{ "block_unplug: [dd]", "a number of requests", 19 },
};

static void test_wrong(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct trace_line l;
		char line[200];

		snprintf(line, sizeof(line), HEAD "%s", wrong[i].text);
		print_message("%s\n", line);
		assert_int_equal(trace_line_read(&l, line, strlen(line)),
				 TRACE_LINE_WRONG);
		assert_string_equal(l.expected, wrong[i].expected);
		assert_int_equal(l.column, sizeof(HEAD) - 1 + wrong[i].column);
	}
}

/* no line is read beyond its end, wherever that is */
static void test_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		for (size_t n = 0; n < strlen(events[i].line); n++) {
			struct trace_line l;
			char line[200];

			memcpy(line, events[i].line, n);
			memset(line + n, '0', sizeof(line) - n);
			trace_line_read(&l, line, n);
		}
}

static void assert_loss(const char *line, uint32_t cpu, uint64_t lost)
{
	struct trace_line l;

	assert_int_equal(trace_line_read(&l, line, strlen(line)),
			 TRACE_LINE_LOSS);
	assert_int_equal(l.at.cpu, cpu);
	assert_int_equal(l.lost, lost);
}

static void test_losses(void **state)
{
	struct trace_line l;

	(void)state;
	assert_loss("CPU:1 [LOST 23 EVENTS]", 1, 23);
	assert_loss("CPU:12 [7 EVENTS DROPPED]", 12, 7);
	/* of an unknown number */
	assert_int_equal(trace_line_read(&l, "CPU:1 [LOST EVENTS]", 19),
			 TRACE_LINE_OTHER);
	assert_int_equal(trace_line_read(&l, "CPU:1 [EVENTS DROPPED]", 22),
			 TRACE_LINE_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
