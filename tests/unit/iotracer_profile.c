/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile of a log: what is counted, and how it is shown. */
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "make.h"
#include "tools/iotracer/profile.h"

enum { SECOND = 1000000000 };

static void add(struct profile *p, int level, uint64_t time, int writes,
		uint64_t address, uint64_t size)
{
	struct bpf_line l = { .level = (uint8_t)level, .time = time,
			      .writes = (uint8_t)writes, .address = address,
			      .size = size };

	assert_int_equal(profile_add(p, &l), 0);
}

static void test_counts(void **state)
{
	struct profile p = { 0 };
	const struct profile_level *v = &p.levels[LEVEL_VFS];
	const struct profile_level *b = &p.levels[LEVEL_BLK];

	(void)state;
	add(&p, LEVEL_VFS, SECOND, 0, 4096, 4096);
	add(&p, LEVEL_VFS, SECOND, 1, 8192, 512);	/* goes on */
	add(&p, LEVEL_VFS, 2ull * SECOND, 0, 0, 4096);
	add(&p, LEVEL_BLK, SECOND, 0, 8, 4096);		/* sectors here */
	add(&p, LEVEL_BLK, SECOND, 0, 16, 4096);
	assert_int_equal(v->events, 3);
	assert_int_equal(v->io[0], 8192);
	assert_int_equal(v->io[1], 512);
	assert_int_equal(v->in_order[0], 1);
	assert_int_equal(v->in_order[1], 1);
	assert_int_equal(v->at_random[0], 1);
	assert_int_equal(b->in_order[0], 2);
	assert_int_equal(v->size_count, 2);
	assert_int_equal(v->sizes[0].bytes, 512);
	assert_int_equal(v->sizes[1].events, 2);
	profile_free(&p);
}

/* sizes are kept in order, however many there are and whatever their order */
static void test_sizes(void **state)
{
	struct profile p = { 0 };
	const struct profile_level *v = &p.levels[LEVEL_BLK];

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		add(&p, LEVEL_BLK, i, 0, 0, i * 7919 % 500 * 512);
	assert_int_equal(v->size_count, 500);
	for (size_t i = 0; i < v->size_count; i++) {
		assert_int_equal(v->sizes[i].bytes, i * 512);
		assert_int_equal(v->sizes[i].events, 2);
	}
	profile_free(&p);
}

static void test_print(void **state)
{
	struct profile p = { 0 };
	struct buf out;

	(void)state;
	assert_int_equal(buf_init(&out, -1, 4096), 0);
	profile_write(&p, &out);
	assert_int_equal(out.len, 0);
	add(&p, LEVEL_MAP, SECOND, 0, 0, 4096);
	add(&p, LEVEL_MAP, 3ull * SECOND, 0, 0, 4096);
	profile_write(&p, &out);
	out.data[out.len] = '\0';
	assert_string_equal(out.data, "\n---- MAP ----\nevents=2\n"
		"time=2.000000000 dtr=4 iops=1\n"
		"read: io=8192 seq=0.5000 rand=0.5000\n"
		"write: io=0 seq=0.0000 rand=0.0000\n"
		"size distribution:\n4096\t1.0000\n");
	profile_free(&p);
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
