/* SPDX-License-Identifier: GPL-2.0-only */
/* The sink to files, plain and packed, and what a full disk does to them. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "capture/sink.h"
#include "capture/to/sink_file.h"
#include "capture_reports.h"
#include "file/source.h"
#include "scratch.h"

enum { LEN = 1000, WRITES = 600 };

static size_t size_unpacked(const char *path)
{
	static uint8_t buf[65536];
	struct source *s = NULL;
	size_t size = 0;
	ssize_t n;

	assert_int_equal(source_open(&s, path), 0);
	while ((n = source_read(s, buf, sizeof(buf))) > 0)
		size += (size_t)n;
	assert_int_equal(n, 0);
	source_close(s);
	return size;
}

static struct sink *sink_of(int level)
{
	const struct sink_file_options o = { "out", NULL, level, &keeper, NULL };
	struct sink *s;

	assert_int_equal(sink_file_new(&s, &o), 0);
	return s;
}

static void write_some(struct sink *s, struct sink_lane *l)
{
	static const uint8_t bytes[LEN] = { 7 };

	for (int i = 0; i < WRITES; i++)
		assert_int_equal(s->ops->write(s, l, bytes, LEN), 0);
}

/* the directory is made, the name is the device's, all bytes arrive */
static void test_plain(void **state)
{
	struct sink_lane l = { .name = "sda", .cpu = 3 };
	struct sink *s = sink_of(0);

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	write_some(s, &l);
	assert_int_equal(size_unpacked("out/sda.blktrace.3"), LEN * WRITES);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	s->ops->free(s);
}

/* packed: after each flush the file can be read, without being closed */
static void test_packed(void **state)
{
	struct sink_lane l = { .name = "sda", .cpu = 0 };
	struct sink *s = sink_of(1);
	struct stat st;

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	write_some(s, &l);
	assert_int_equal(s->ops->flush(s, &l), 0);
	assert_int_equal(size_unpacked("out/sda.blktrace.0.gz"),
			 LEN * WRITES);
	write_some(s, &l);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	assert_int_equal(size_unpacked("out/sda.blktrace.0.gz"),
			 2 * LEN * WRITES);
	assert_int_equal(stat("out/sda.blktrace.0.gz", &st), 0);
	assert_true(st.st_size < LEN * WRITES / 10);
	s->ops->free(s);
}

/* one write that is larger than what is gathered becomes a member of its own */
static void test_large(void **state)
{
	static uint8_t bytes[600000];
	struct sink_lane l = { .name = "sda", .cpu = 0 };
	struct sink *s = sink_of(6);

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	assert_int_equal(s->ops->write(s, &l, bytes, 10), 0);
	assert_int_equal(s->ops->write(s, &l, bytes, sizeof(bytes)), 0);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	assert_int_equal(size_unpacked("out/sda.blktrace.0.gz"),
			 sizeof(bytes) + 10);
	s->ops->free(s);
}

/* what does not fit is cut off again behind the last whole record */
static void test_full(void **state)
{
	enum { RECORD = 48, BLOCK = 20 * RECORD, ROOM = 70 * RECORD + 7 };
	const uint32_t magic = BLK_MAGIC | 7;
	const struct rlimit small = { ROOM, RLIM_INFINITY };
	uint8_t bytes[BLOCK] = { 0 };
	struct rlimit old;
	struct sink_lane l = { .name = "sda", .cpu = 0 };
	struct sink *s = sink_of(0);
	int err = 0, writes = 0;

	(void)state;
	for (int i = 0; i < BLOCK; i += RECORD)
		memcpy(bytes + i, &magic, sizeof(magic));
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(s->ops->open(s, &l), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	while (!err && writes++ < 100)
		err = s->ops->write(s, &l, bytes, BLOCK);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(err, -EFBIG);
	assert_int_equal(s->ops->write(s, &l, bytes, BLOCK), -EIO);
	s->ops->close(s, &l, 0);
	check_reports("cannot write out/sda.blktrace.0: File too large\n");
	assert_int_equal(size_unpacked("out/sda.blktrace.0"), 70 * RECORD);
	s->ops->free(s);
}

/* CPUs that are offline get an empty file, as readers of old want it */
static void test_touch(void **state)
{
	struct sink *s = sink_of(0);
	struct stat st;

	(void)state;
	assert_int_equal(s->ops->touch(s, "sda", 7), 0);
	assert_int_equal(stat("out/sda.blktrace.7", &st), 0);
	assert_int_equal(st.st_size, 0);
	s->ops->free(s);
}

static void check_place(const char *directory, int err, const char *why)
{
	const struct sink_file_options o = { directory, NULL, 0, &keeper, NULL };
	struct sink *none;

	assert_int_equal(sink_file_new(&none, &o), err);
	check_reports(why);
}

/* a place that is none is refused, and it is reported why */
static void test_places(void **state)
{
	(void)state;
	put("file", "");
	check_place("no/such/place", -ENOENT, "Destination dir"
		    " no/such/place can't be made: 2/No such file or directory\n");
	check_place("file/place", -ENOTDIR, "Destination dir"
		    " file/place stat failed: 20/Not a directory\n");
	check_place("file", -ENOTDIR,
		    "Destination dir file is no directory\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_plain),
		IN_SCRATCH(test_packed),
		IN_SCRATCH(test_large),
		IN_SCRATCH(test_full),
		IN_SCRATCH(test_touch),
		IN_SCRATCH(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
