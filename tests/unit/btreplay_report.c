/* SPDX-License-Identifier: GPL-2.0-only */
/* A report's JSON, byte for byte. */
#include <errno.h>

#include "place.h"
#include "tools/btreplay/report.h"

static void check_file(const char *want)
{
	char text[2048];
	FILE *f = fopen("report", "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	assert_string_equal(text, want);
}

static void test_timed(void **state)
{
	static struct replay_report r = {
		.kinds = {
			[KIND_READ] = { KIND_READ, 6, 5, 1 },
			[KIND_WRITE] = { KIND_WRITE, 4, 3, 1 },
			[KIND_DISCARD] = { KINDS, 7, 0, 0 },
		},
		.read_bytes = 4096, .written_bytes = 512, .timed = true,
		.asked_ns = 1000000, .achieved_ns = 1000100, .deepest = 3, .depth = 512,
		.iterations = 2,
	};

	(void)state;
	for (uint64_t i = 1; i <= 100; i++) {
		histogram_add(&r.late, i);
		histogram_add(&r.gap, 2);
	}
	histogram_add(&r.held, 5);
	assert_int_equal(replay_report_failed(&r), 2);
	assert_int_equal(replay_report_write_json(&r, "report"), 0);
	check_file("{\n"
		   "  \"ios\": { \"asked\": 10, \"done\": 8, \"failed\": 2 },\n"
		   "  \"kinds\": {\n"
		   "    \"reads\": { \"asked\": 6, \"done\": 5,"
		   " \"failed\": 1, \"left_out\": 0 },\n"
		   "    \"writes\": { \"asked\": 4, \"done\": 3,"
		   " \"failed\": 1, \"left_out\": 0 },\n"
		   "    \"fua_writes\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 },\n"
		   "    \"flushes\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 },\n"
		   "    \"discards\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 7 },\n"
		   "    \"zeroes\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 }\n"
		   "  },\n"
		   "  \"bytes\": { \"read\": 4096, \"written\": 512 },\n"
		   "  \"late_ns\": { \"p50\": 50, \"p90\": 90, \"p99\": 99,"
		   " \"max\": 100 },\n"
		   "  \"gap_error_ns\": { \"p50\": 2, \"p90\": 2, \"p99\": 2,"
		   " \"max\": 2 },\n"
		   "  \"held\": 1,\n"
		   "  \"held_ns\": { \"p50\": 5, \"p90\": 5, \"p99\": 5,"
		   " \"max\": 5 },\n"
		   "  \"duration_ns\": { \"asked\": 1000000, \"achieved\":"
		   " 1000100 },\n"
		   "  \"depth\": { \"reached\": 3, \"limit\": 512 },\n"
		   "  \"iterations\": 2,\n"
		   "  \"interrupted\": false\n}\n");
	replay_report_free(&r);
}

/* what was sent as fast as it went has no times to be judged by */
static void test_untimed(void **state)
{
	static struct replay_report r = { .interrupted = true };

	(void)state;
	assert_int_equal(replay_report_write_json(&r, "report"), 0);
	check_file("{\n"
		   "  \"ios\": { \"asked\": 0, \"done\": 0, \"failed\": 0 },\n"
		   "  \"kinds\": {\n"
		   "    \"reads\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 },\n"
		   "    \"writes\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 },\n"
		   "    \"fua_writes\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 },\n"
		   "    \"flushes\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 },\n"
		   "    \"discards\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 },\n"
		   "    \"zeroes\": { \"asked\": 0, \"done\": 0,"
		   " \"failed\": 0, \"left_out\": 0 }\n"
		   "  },\n"
		   "  \"bytes\": { \"read\": 0, \"written\": 0 },\n"
		   "  \"late_ns\": null,\n  \"gap_error_ns\": null,\n"
		   "  \"held\": 0,\n  \"held_ns\": null,\n"
		   "  \"duration_ns\": { \"asked\": null, \"achieved\": 0 },\n"
		   "  \"depth\": { \"reached\": 0, \"limit\": 0 },\n"
		   "  \"iterations\": 0,\n"
		   "  \"interrupted\": true\n}\n");
}

static void test_failures(void **state)
{
	static struct replay_report r;

	(void)state;
	assert_int_equal(replay_report_write_json(&r, "none/report"), -ENOENT);
	assert_int_equal(replay_report_write_json(&r, "/dev/full"), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(test_timed),
		PLACE_TEST(test_untimed),
		PLACE_TEST(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
