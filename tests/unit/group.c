/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of stat/group. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/cgroups.h"
#include "run/device.h"
#include "run/marks.h"
#include "stat/group.h"
#include "stat/group_op.h"
#include "stat/group_row.h"

#define Q2C (UINT32_C(1) << MEASURE_Q2C)
#define D2C (UINT32_C(1) << IO_D2C)

static const struct device disks[] = { { .id = 0 }, { .id = 1 } };

/* the next io, which completes after total ns */
static struct io io_of(uint64_t id, uint64_t total)
{
	struct io io = {
		.id = id, .rq = id, .birth = 'Q', .disk = &disks[0],
		.sector = 8 * id, .bytes = 4096, .pid = 1, .events = 5,
		.time = 1000 * id, .total = total, .depth = 1,
		.issued = IO_NONE, .served = IO_NONE,
	};

	io.has = UINT32_C(1) << IO_D2C;
	io.phase[IO_D2C] = total / 2;
	return io;
}

/* names of pids below 10: all odd ones have the same */
static const char *name(void *known, uint16_t origin, uint32_t pid)
{
	static const char *const names[] = { "even", "odd" };

	(void)origin;
	return *(bool *)known && pid < 10 ? names[pid & 1] : NULL;
}

static struct group *group_of(const struct group_options *o)
{
	struct group *g;

	assert_int_equal(group_new(&g, o), 0);
	return g;
}

static void sums(void **state)
{
	const struct group_options o = {
		.keys = { GROUP_DEVICE, GROUP_OP }, .key_count = 2,
		.measures = Q2C | D2C, .under = { 150, 1000 },
		.under_count = 2,
	};
	struct group *g = group_of(&o);
	struct group_row **rows;
	unsigned int count;
	struct io io = io_of(1, 100);

	(void)state;
	assert_int_equal(group_add(g, &io, io.bytes), 0);
	io = io_of(2, 300);
	io.error = 5;
	io.merge = IO_MERGED_BACK;
	assert_int_equal(group_add(g, &io, io.bytes), 0);
	io = io_of(3, 500);
	io.op = IO_WRITE;
	assert_int_equal(group_add(g, &io, io.bytes), 0);
	io = io_of(4, IO_NONE);
	io.ended = IO_ENDED_OPEN;
	assert_int_equal(group_add(g, &io, io.bytes), 0);
	assert_int_equal(group_end(g), 0);
	rows = group_rows(g, GROUP_BY_KEYS, &count);
	assert_int_equal(count, 2);
	assert_int_equal(rows[0]->count, 3);
	assert_int_equal(rows[0]->measured, 2);
	assert_int_equal(rows[0]->unmeasured, 1);
	assert_int_equal(rows[0]->bytes, 3 * 4096);
	assert_int_equal(rows[0]->errors, 1);
	assert_int_equal(rows[0]->merged, 1);
	assert_int_equal(rows[0]->time.low, 400);
	assert_int_equal(rows[0]->under[0], 1);
	assert_int_equal(rows[0]->under[1], 2);
	/* the second begins where the first ended, the fourth does not */
	assert_int_equal(rows[0]->run.sequential, 1);
	assert_int_equal(group_histogram(g, rows[0], MEASURE_Q2C)->max, 300);
	assert_int_equal(group_histogram(g, rows[0], IO_D2C)->sum.low, 200);
	assert_int_equal(rows[1]->keys[1], GROUP_WRITE);
	assert_int_equal(rows[1]->count, 1);
	free(rows);
	rows = group_rows(g, GROUP_BY_TIME, &count);
	assert_int_equal(rows[0]->keys[1], GROUP_WRITE);
	free(rows);
	group_free(g);
}

/* the bytes of a read and a discard in the only row by one key */
static uint64_t bytes_by(enum group_key key)
{
	const struct group_options o = { .keys = { key }, .key_count = 1 };
	struct group *g = group_of(&o);
	struct group_row **rows;
	struct io io = io_of(1, 100);
	unsigned int count;
	uint64_t bytes;

	assert_int_equal(group_add(g, &io, io.bytes), 0);
	io = io_of(2, 100);
	io.op = IO_DISCARD;
	io.bytes = 1 << 20;
	assert_int_equal(group_add(g, &io, io.bytes), 0);
	rows = group_rows(g, GROUP_BY_KEYS, &count);
	bytes = rows[count - 1]->bytes;
	assert_int_equal(rows[0]->sized, 1);
	free(rows);
	group_free(g);
	return bytes;
}

static void discards_are_no_data(void **state)
{
	(void)state;
	assert_int_equal(bytes_by(GROUP_PID), 4096);
	assert_int_equal(bytes_by(GROUP_OP), 1 << 20);
}

/* what has no Q has no Q2C, and a gap makes nothing measured */
static void not_whole(void **state)
{
	const struct group_options o = { .measures = Q2C | D2C };
	struct group *g = group_of(&o);
	struct group_row **rows;
	unsigned int count;
	struct io io = io_of(1, 100);

	(void)state;
	io.birth = 'D';
	assert_int_equal(group_add(g, &io, 0), 0);
	io = io_of(2, 100);
	io.gap = true;
	assert_int_equal(group_add(g, &io, 0), 0);
	rows = group_rows(g, GROUP_BY_TIME, &count);
	assert_int_equal(count, 1);
	assert_int_equal(rows[0]->count, 2);
	assert_int_equal(rows[0]->no_q, 1);
	assert_int_equal(rows[0]->unmeasured, 1);
	assert_int_equal(group_histogram(g, rows[0], MEASURE_Q2C)->count, 0);
	assert_int_equal(group_histogram(g, rows[0], IO_D2C)->count, 1);
	free(rows);
	group_free(g);
}

/* ios of n pids: 10 ns each */
static void add_pids(struct group *g, uint64_t first_id, uint32_t n)
{
	for (uint32_t pid = 0; pid < n; pid++) {
		struct io io = io_of(first_id + pid, 10);

		io.pid = pid;
		assert_int_equal(group_add(g, &io, io.bytes), 0);
	}
}

/* names that come after the ios make rows one */
static void late_names(void **state)
{
	bool known = false;
	const struct group_options o = {
		.keys = { GROUP_PROCESS }, .key_count = 1, .measures = Q2C,
		.places = true, .name = name, .name_ctx = &known,
	};
	struct group *g = group_of(&o);
	struct group_row **rows;
	unsigned int count;
	uint16_t origin;
	uint32_t pid;

	(void)state;
	add_pids(g, 1, 12);
	known = true;
	add_pids(g, 101, 12);
	assert_int_equal(group_end(g), 0);
	rows = group_rows(g, GROUP_BY_TIME, &count);
	assert_int_equal(count, 4);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(rows[i]->count, 10);
		assert_int_equal(group_histogram(g, rows[i],
						 MEASURE_Q2C)->count, 10);
		assert_non_null(group_process(g, rows[i]->keys[0], &origin,
					      &pid));
	}
	assert_null(group_process(g, rows[2]->keys[0], &origin, &pid));
	assert_int_equal(pid, 10);
	assert_int_equal(rows[3]->count, 2);
	free(rows);
	group_free(g);
}

static void too_many(void **state)
{
	const struct group_options o = { .keys = { GROUP_PID },
					 .key_count = 1, .measures = Q2C };
	struct group *g = group_of(&o);
	struct group_row **rows;
	unsigned int count;

	(void)state;
	add_pids(g, 1, GROUP_ROWS + 500);
	add_pids(g, GROUP_ROWS + 501, GROUP_ROWS + 500);
	assert_int_equal(group_end(g), 0);
	rows = group_rows(g, GROUP_BY_TIME, &count);
	assert_int_equal(count, GROUP_ROWS + 1);
	assert_false(rows[0]->other);
	assert_int_equal(rows[0]->count, 2);
	assert_true(rows[GROUP_ROWS]->other);
	assert_int_equal(rows[GROUP_ROWS]->count, 1000);
	free(rows);
	group_free(g);
}

/* more pids than entries: those of one name still have one row */
static void very_many(void **state)
{
	bool known = true;
	const struct group_options o = {
		.keys = { GROUP_PROCESS, GROUP_CPU }, .key_count = 2,
		.measures = Q2C, .name = name, .name_ctx = &known,
	};
	struct group *g = group_of(&o);
	struct group_row **rows;
	unsigned int count;

	(void)state;
	add_pids(g, 1, 70000);
	add_pids(g, 70001, 10);
	assert_int_equal(group_end(g), 0);
	rows = group_rows(g, GROUP_BY_TIME, &count);
	assert_int_equal(count, GROUP_ROWS + 1);
	assert_int_equal(rows[0]->count, 10);
	assert_int_equal(rows[1]->count, 10);
	free(rows);
	group_free(g);
}

/* regions grow until 128 of them reach to the farthest sector */
static void regions(void **state)
{
	static const uint64_t sectors[] = { 0, 2048, 4095, 5000, 262143,
					    262144, 300000, 1 << 22 };
	const struct group_options o = { .keys = { GROUP_SECTOR },
					 .key_count = 1, .measures = Q2C };
	struct group *g = group_of(&o);
	struct group_row **rows;
	unsigned int count;

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		struct io io = io_of(i + 1, 10 + i);

		io.sector = sectors[i];
		assert_int_equal(group_add(g, &io, io.bytes), 0);
		if (i == 4)
			assert_int_equal(group_region(g), 2048);
		if (i == 5)
			assert_int_equal(group_region(g), 4096);
	}
	assert_int_equal(group_end(g), 0);
	assert_int_equal(group_region(g), 65536);
	rows = group_rows(g, GROUP_BY_KEYS, &count);
	assert_int_equal(count, 4);
	assert_int_equal(rows[0]->keys[0], 0);
	assert_int_equal(rows[0]->count, 4);
	assert_int_equal(rows[1]->keys[0], 3 * 65536);
	assert_int_equal(rows[2]->keys[0], 4 * 65536);
	assert_int_equal(rows[2]->count, 2);
	assert_int_equal(rows[3]->keys[0], 64 * 65536);
	free(rows);
	group_free(g);
}

/* a key of each kind */
static void values(void **state)
{
	struct mark list[] = { { .time = 9 }, { .time = 1900 },
			       { .time = 1901 } };
	const struct marks marks = { .list = list, .count = 3 };
	static const struct {
		enum group_key key;
		uint64_t value;
	} cases[] = {
		{ GROUP_DEVICE, 1 }, { GROUP_OP, GROUP_PASSTHROUGH },
		{ GROUP_PID, UINT64_C(3) << 32 | 77 }, { GROUP_CGROUP, 9 },
		{ GROUP_HOST, 3 }, { GROUP_SIZE, 8192 }, { GROUP_CPU, 4 },
		{ GROUP_COMPLETE_CPU, 6 }, { GROUP_DEPTH, 17 },
		{ GROUP_INTERVAL, 1500 }, { GROUP_MARK, 2 },
		{ GROUP_CONTAINER, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct group_options o = { .keys = { cases[i].key },
						 .key_count = 1,
						 .interval = 500,
						 .marks = &marks };
		struct group *g = group_of(&o);
		struct io io = io_of(1, 900);
		struct group_row **rows;
		unsigned int count;

		io.disk = &disks[1];
		io.kind = IO_PASS;
		io.origin = 3;
		io.pid = 77;
		io.cgroup = 9;
		io.bytes = 4097;
		io.cpu = 4;
		io.cpu_c = 6;
		io.depth = 17;
		assert_int_equal(group_add(g, &io, io.bytes), 0);
		rows = group_rows(g, GROUP_BY_KEYS, &count);
		assert_int_equal(count, 1);
		assert_int_equal(rows[0]->keys[0], cases[i].value);
		free(rows);
		group_free(g);
	}
}

/* Two cgroups of one path are one row, and those of a container. */
static void named_cgroups(void **state)
{
	static const char id[] = "/docker/0123456789abcdef0123456789abcdef"
				 "0123456789abcdef0123456789abcdef";
	struct cgroups c = { .paths = NULL };
	const enum group_key keys[] = { GROUP_CGROUP, GROUP_CONTAINER };
	const unsigned int rows_of[] = { 3, 2 };

	(void)state;
	assert_int_equal(cgroups_learn(&c, 3, 7, id), 0);
	assert_int_equal(cgroups_learn(&c, 3, 8, id), 0);
	assert_int_equal(cgroups_learn(&c, 3, 9, "/service"), 0);
	for (unsigned int i = 0; i < 2; i++) {
		const struct group_options o = { .keys = { keys[i] },
						 .key_count = 1,
						 .cgroups = &c };
		struct group *g = group_of(&o);
		unsigned int count;

		for (uint64_t cgroup = 7; cgroup < 11; cgroup++) {
			struct io io = io_of(cgroup, 900);

			io.disk = &disks[1];
			io.origin = 3;
			io.cgroup = cgroup;
			assert_int_equal(group_add(g, &io, io.bytes), 0);
		}
		free(group_rows(g, GROUP_BY_KEYS, &count));
		assert_int_equal(count, rows_of[i]);
		group_free(g);
	}
	assert_int_equal(group_key_cgroup(GROUP_NAMED | 5), 5);
	assert_int_equal(group_key_cgroup(5), -1);
	cgroups_free(&c);
}

/* each has the word that expressions have for it */
static void operations(void **state)
{
	static const struct {
		struct io io;
		const char *name;
	} cases[] = {
		{ { .op = IO_READ, .bytes = 512 }, "read" },
		{ { .op = IO_READ }, "other" },
		{ { .op = IO_READ, .kind = IO_FLUSH }, "flush" },
		{ { .op = IO_FLUSH_OP }, "flush" },
		{ { .op = IO_WRITE }, "write" },
		{ { .op = IO_WRITE, .kind = IO_PASS }, "passthrough" },
		{ { .op = IO_DISCARD }, "discard" },
		{ { .op = IO_ZEROES }, "zero" },
		{ { .op = IO_CLOSE_ZONE }, "zone" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(group_op_name(group_op_of(&cases[i].io)),
				    cases[i].name);
}

static void places(void **state)
{
	const struct group_options o = { .measures = Q2C, .places = true };
	struct group *g = group_of(&o);
	struct group_row **rows;
	unsigned int count;
	static const uint64_t totals[] = { 50, 20, 90, 20, 90 };

	(void)state;
	for (unsigned int i = 0; i < 5; i++) {
		struct io io = io_of(i + 1, totals[i]);

		assert_int_equal(group_add(g, &io, io.bytes), 0);
	}
	rows = group_rows(g, GROUP_BY_KEYS, &count);
	assert_int_equal(group_least(g, rows[0], MEASURE_Q2C)->time, 2000);
	assert_int_equal(group_greatest(g, rows[0], MEASURE_Q2C)->sector, 24);
	free(rows);
	group_free(g);
}

static void under_way(void **state)
{
	const struct group_options o = { .depth = true, .depth_most = true };
	struct group *g = group_of(&o);
	struct io io = io_of(1, 50);
	struct group_row **rows;
	struct depth_row d;
	unsigned int count;

	(void)state;
	assert_int_equal(group_under_way(g, &io, 0, 100), 0);
	assert_int_equal(group_under_way(g, &io, 50, 150), 0);
	rows = group_rows(g, GROUP_BY_KEYS, &count);
	assert_int_equal(group_depth(rows[0], 400, &d), 0);
	assert_int_equal(depth_mean(&d, 100), 50);
	assert_int_equal(d.busy, 150);
	assert_int_equal(d.most, 2);
	assert_int_equal(rows[0]->count, 0);
	free(rows);
	group_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),
		cmocka_unit_test(discards_are_no_data),
		cmocka_unit_test(not_whole),
		cmocka_unit_test(late_names),
		cmocka_unit_test(too_many),
		cmocka_unit_test(very_many),
		cmocka_unit_test(regions),
		cmocka_unit_test(values),
		cmocka_unit_test(named_cgroups),
		cmocka_unit_test(operations),
		cmocka_unit_test(places),
		cmocka_unit_test(under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
