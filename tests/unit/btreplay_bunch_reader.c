/* SPDX-License-Identifier: GPL-2.0-only */
/* Replay files that are read: whole, cut, long, and more than once. */
#include <errno.h>

#include "place.h"
#include "replay/bunch.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/scan.h"

/* bunches of 1 to 512 I/Os, so many that the buffer has to be filled again */
enum { MANY = 300 };

static uint32_t count_of(unsigned int i)
{
	return 1 + i * 37 % BUNCH_MAX;
}

static struct bunch *make_bunch(unsigned int i)
{
	static struct bunch b;

	b.time = 1000 + i;
	b.count = count_of(i);
	for (uint32_t j = 0; j < b.count; j++)
		b.packets[j] = (struct packet){
			.sector = (uint64_t)i << 10 | j, .bytes = 512,
			.read = j % 2 };
	return &b;
}

/* a file of so many bunches, its header telling of others; its length */
static size_t write_file(const char *path, unsigned int bunches, uint64_t told,
			 size_t cut)
{
	struct bunch_file h = { BUNCH_VERSION, 1000, told, 0, false };
	uint8_t *raw = malloc(BUNCH_FILE_HEAD + (size_t)bunches * BUNCH_BYTES);
	size_t len = BUNCH_FILE_HEAD;

	assert_non_null(raw);
	bunch_file_encode(&h, raw);
	for (unsigned int i = 0; i < bunches; i++)
		len += bunch_encode(make_bunch(i), raw + len);
	place_write(path, raw, len - cut);
	free(raw);
	return len - cut;
}

static struct bunch_reader *open_file(void)
{
	struct bunch_reader *r = NULL;

	assert_int_equal(bunch_reader_open(&r, "file"), 0);
	return r;
}

static void check_all(struct bunch_reader *r)
{
	static struct bunch b;

	for (unsigned int i = 0; i < MANY; i++) {
		struct bunch *want = make_bunch(i);

		assert_int_equal(bunch_reader_next(r, &b), 1);
		assert_int_equal(b.time, want->time);
		assert_int_equal(b.count, want->count);
		for (uint32_t j = 0; j < b.count; j++)
			assert_true(b.packets[j].sector ==
				    want->packets[j].sector);
		if (i % 5 == 0)
			bunch_reader_fill(r);
	}
	assert_int_equal(bunch_reader_next(r, &b), 0);
	assert_int_equal(bunch_reader_next(r, &b), 0);
}

static void test_twice(void **state)
{
	struct bunch_reader *r;

	(void)state;
	assert_true(write_file("file", MANY, MANY, 0) > 1 << 20);
	r = open_file();
	assert_string_equal(bunch_reader_path(r), "file");
	assert_int_equal(bunch_reader_header(r)->bunches, MANY);
	check_all(r);
	bunch_reader_rewind(r);
	check_all(r);
	bunch_reader_close(r);
}

static void test_opening(void **state)
{
	struct bunch_reader *r = NULL;
	uint8_t raw[BUNCH_FILE_HEAD] = { 0 };
	static struct bunch b;

	(void)state;
	assert_int_equal(bunch_reader_open(&r, "none"), -ENOENT);
	place_write("file", raw, 0);
	assert_int_equal(bunch_reader_open(&r, "file"), -ENODATA);
	place_write("file", raw, BUNCH_FILE_HEAD - 1);
	assert_int_equal(bunch_reader_open(&r, "file"), -EBADMSG);
	place_write("file", raw, BUNCH_FILE_HEAD);
	r = open_file();
	assert_int_equal(bunch_reader_next(r, &b), 0);
	bunch_reader_close(r);
	assert_int_equal(bunch_reader_open(&r, "."), -EISDIR);
	bunch_reader_close(NULL);
}

/* wherever the last bunch is cut, but not between bunches */
static void test_cut(void **state)
{
	static struct bunch b;
	struct bunch_reader *r;
	size_t last = BUNCH_HEAD + count_of(1) * BUNCH_PACKET;

	(void)state;
	for (size_t cut = 1; cut < last; cut += 7) {
		size_t len = write_file("file", 2, 2, cut);
		char where[32];

		r = open_file();
		assert_int_equal(bunch_reader_next(r, &b), 1);
		assert_int_equal(bunch_reader_next(r, &b), -1);
		snprintf(where, sizeof(where), "byte %zu: cut", len);
		assert_non_null(strstr(bunch_reader_fault(r), where));
		bunch_reader_close(r);
	}
}

/* the place that is told is where the wrong number is */
static void test_damage(void **state)
{
	static struct bunch b;
	const uint64_t none = 0;
	struct bunch_reader *r;
	FILE *f;

	(void)state;
	write_file("file", 3, 3, 0);
	f = fopen("file", "r+");
	assert_non_null(f);
	fseek(f, BUNCH_FILE_HEAD + BUNCH_HEAD + BUNCH_PACKET, SEEK_SET);
	fwrite(&none, sizeof(none), 1, f);
	fclose(f);
	r = open_file();
	assert_int_equal(bunch_reader_next(r, &b), 1);
	assert_int_equal(bunch_reader_next(r, &b), -1);
	assert_non_null(strstr(bunch_reader_fault(r), "byte 72: "));
	bunch_reader_close(r);
}

/* --- scans ------------------------------------------------------------- */

static int take(struct scan *s, unsigned int bunches, uint64_t told)
{
	struct bunch_reader *r;
	int got;

	write_file("file", bunches, told, 0);
	r = open_file();
	got = scan_read(s, r);
	bunch_reader_close(r);
	return got;
}

/* 1.3.0 leaves the last bunch out of its count, or dies before it counts */
static void test_counts(void **state)
{
	struct scan s = { .sectors = 0 };

	(void)state;
	assert_int_equal(take(&s, 5, 5), 0);
	assert_int_equal(s.bunches, 5);
	assert_int_equal(s.genesis, 1000);
	assert_int_equal(s.end, 1004);
	assert_int_equal(s.kinds[KIND_READ].ios + s.kinds[KIND_WRITE].ios,
			 1 + 38 + 75 + 112 + 149);
	assert_int_equal(s.kinds[KIND_READ].bytes,
			 s.kinds[KIND_READ].ios * 512);
	s = (struct scan){ .sectors = 0 };
	assert_int_equal(take(&s, 5, 4), 0);
	assert_int_equal(s.bunches, 5);
	assert_int_equal(take(&s, 5, 0), 0);
	s = (struct scan){ .sectors = 0 };
	assert_int_equal(take(&s, 5, 6), -2);
	assert_int_equal(take(&s, 0, UINT64_MAX), -2);
}

static void test_bounds(void **state)
{
	struct region regions[] = { { .start = 100, .end = 200 },
				    { .start = 0, .end = UINT64_MAX } };
	struct scan s = { regions, 2, 1000, .bunches = 0 };
	static struct bunch b = {
		.time = 9,
		.count = 7,
		.packets = {
			/* ends where it begins */
			{ .sector = 92, .bytes = 4096, .read = true },
			/* a sector of it */
			{ .sector = 93, .bytes = 4096 },
			{ .sector = 199, .bytes = 512, .read = true },
			/* behind it */
			{ .sector = 200, .bytes = 512 },
			/* the device's last sectors */
			{ .sector = 992, .bytes = 4096, .read = true },
			{ .sector = 993, .bytes = 4096 },
			{ .sector = UINT64_MAX - 1, .bytes = 4096, .read = true },
		},
	};

	(void)state;
	scan_add(&s, &b);
	b.time = 5;
	b.count = 1;
	scan_add(&s, &b);
	assert_int_equal(regions[0].ios, 2);
	assert_int_equal(regions[0].writes, 1);
	assert_int_equal(regions[1].ios, 8);
	assert_int_equal(s.beyond, 2);
	assert_int_equal(s.impossible, 1);
	assert_int_equal(s.first, 92);
	assert_true(s.last == UINT64_MAX);
	assert_int_equal(s.genesis, 5);
	assert_int_equal(s.end, 9);
	assert_int_equal(s.longest_read, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(test_twice),
		PLACE_TEST(test_opening),
		PLACE_TEST(test_cut),
		PLACE_TEST(test_damage),
		PLACE_TEST(test_counts),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
