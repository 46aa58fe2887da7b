/* SPDX-License-Identifier: GPL-2.0-only */
/* What a dry run prints and reports, of a job without a device. */
#include <fcntl.h>

#include "place.h"
#include "replay/bunch.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/plan.h"

/* a quote, a control character, a byte that is none, a character */
#define NAME "sd\"a\x1b\xff\xe2\x82\xac"
#define SHOWN "sd\"a\\x1b\\xff\xe2\x82\xac"

struct rig {
	struct job_file file;
	struct region uses[2];
	struct target target;
	struct job job;
	struct replay_options o;
};

/*
 * A file NAME of a read at 8, a write at 100, a discard of sector 50 and a
 * flush, on a disk of 101 sectors.
 */
static void make_file(void)
{
	const struct bunch_file h = { BUNCH_VERSION, 1000, 1, 4, true };
	const struct bunch b = { .time = 1000, .count = 4, .packets = {
		{ .sector = 8, .bytes = 4096, .read = true },
		{ .sector = 100, .bytes = 1024 },
		{ .sector = 50, .bytes = 512, .kind = PACKET_DISCARD },
		{ .kind = PACKET_FLUSH },
	} };
	uint8_t raw[BUNCH_FILE_HEAD + BUNCH_BYTES];
	size_t len = BUNCH_FILE_HEAD;

	bunch_file_encode(&h, raw);
	len += bunch_encode(&b, raw + len);
	place_write(NAME, raw, len);
}

static void rig_open(struct rig *r)
{
	static char node[] = "/dev/sda";

	make_file();
	*r = (struct rig){ .o = { .iterations = 2, .factor = 0.5,
				  .write = true, .no_flush = true,
				  .json = true,
				  .report_file = "report" } };
	assert_int_equal(bunch_reader_open(&r->file.reader, NAME), 0);
	r->uses[0] = (struct region){ .end = UINT64_MAX,
				      .what = "mounted on /a\\b" };
	r->uses[1] = (struct region){ .start = 90, .end = 101,
				      .what = "used for swap" };
	r->target = (struct target){ .node = node, .sectors = 101,
				     .uses = { r->uses, 2 } };
	r->job = (struct job){ .files = &r->file, .file_count = 1,
			       .targets = &r->target, .target_count = 1,
			       .genesis = 1000, .end = 5001000 };
}

/* plan_write() with standard output in the file "out": its status */
static int write_plan(struct rig *r)
{
	int file = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int saved = dup(STDOUT_FILENO), status;

	assert_true(file >= 0 && saved >= 0);
	fflush(stdout);
	dup2(file, STDOUT_FILENO);
	status = plan_write(&r->job, &r->o);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(file);
	return status;
}

static void check_file(const char *path, const char *want)
{
	char text[2048];
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text, want);
}

static const char text[] =
	"/dev/sda:\n"
	"  from " SHOWN "\n"
	"  reads: 1 I/Os, 4096 bytes\n"
	"  writes: 1 I/Os, 1024 bytes\n"
	"  flushes: 1 I/Os, left out\n"
	"  discards: 1 I/Os, 512 bytes\n"
	"  sectors: 8 to 102 of 101\n"
	"  beyond the end: 1 I/Os, which will fail\n"
	"  mounted on /a\\b, all of it: 3 I/Os there, 2 of them writes\n"
	"  used for swap, sectors 90 to 101: 1 I/Os there, 1 of them writes\n"
	"  refused, as it is in use: --force writes to it\n"
	"duration: 0.010000 s, 2 times\n";

static const char json[] =
	"{\n"
	"  \"devices\": [\n"
	"    {\n"
	"      \"device\": \"/dev/sda\",\n"
	"      \"files\": [\"sd\\\"a\\u001b\xef\xbf\xbd\xe2\x82\xac\"],\n"
	"      \"reads\": { \"ios\": 1, \"bytes\": 4096,"
	" \"as\": \"reads\" },\n"
	"      \"writes\": { \"ios\": 1, \"bytes\": 1024,"
	" \"as\": \"writes\" },\n"
	"      \"fua_writes\": { \"ios\": 0, \"bytes\": 0,"
	" \"as\": \"writes\" },\n"
	"      \"flushes\": { \"ios\": 1, \"bytes\": 0, \"as\": null },\n"
	"      \"discards\": { \"ios\": 1, \"bytes\": 512,"
	" \"as\": \"discards\" },\n"
	"      \"zeroes\": { \"ios\": 0, \"bytes\": 0,"
	" \"as\": \"zeroes\" },\n"
	"      \"sectors\": { \"first\": 8, \"end\": 102, \"device\": 101 },\n"
	"      \"failing\": { \"beyond\": 1, \"impossible\": 0 },\n"
	"      \"uses\": [\n"
	"        { \"what\": \"mounted on /a\\\\b\", \"first\": 0,"
	" \"end\": null, \"ios\": 3, \"writes\": 2 },\n"
	"        { \"what\": \"used for swap\", \"first\": 90,"
	" \"end\": 101, \"ios\": 1, \"writes\": 1 }],\n"
	"      \"refused\": true\n"
	"    }],\n"
	"  \"write\": true,\n"
	"  \"duration_ns\": 10000000,\n"
	"  \"iterations\": 2\n"
	"}\n";

/* text on standard output, JSON in the file */
static void test_both(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	assert_int_equal(write_plan(&r), 0);
	check_file("out", text);
	check_file("report", json);
	bunch_reader_close(r.file.reader);
}

/* to standard output, JSON alone: that can be parsed */
static void test_json(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	r.o.report_file = "-";
	assert_int_equal(write_plan(&r), 0);
	check_file("out", json);
	assert_int_equal(access("report", F_OK), -1);
	bunch_reader_close(r.file.reader);
}

/* a file that has been damaged since: nothing is printed */
static void test_damaged(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	assert_int_equal(truncate(NAME, 40), 0);
	bunch_reader_rewind(r.file.reader);
	assert_int_equal(write_plan(&r), 1);
	check_file("out", "");
	assert_int_equal(access("report", F_OK), -1);
	bunch_reader_close(r.file.reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(test_both),
		PLACE_TEST(test_json),
		PLACE_TEST(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
