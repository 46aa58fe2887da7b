/* SPDX-License-Identifier: GPL-2.0-only */
/* blktop's samples: which interval an io counts in, and what rows say. */
#include "make.h"
#include "request/io.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/blktop/sampler.h"

enum { MS = 1000000 };

struct made {
	struct reader *reader;
	struct sampler *sampler;
	struct device disk;
};

/* a sampler of 10 ms intervals from 5 ms on, by process and operation */
static void start(struct made *m, unsigned int wait)
{
	const struct reader_options reading = { .window = WINDOW_ALL };
	struct sampler_options o = {
		.keys = { GROUP_PID, GROUP_OP },
		.key_count = 2,
		.from = 5 * MS,
		.interval = 10 * MS,
		.wait = wait,
		.for_people = true,
	};

	*m = (struct made){ .disk = { .id = 0 } };
	assert_int_equal(reader_open(&m->reader, &reading), 0);
	o.reader = m->reader;
	assert_int_equal(sampler_new(&m->sampler, &o), 0);
}

static void end(struct made *m)
{
	sampler_free(m->sampler);
	reader_close(m->reader);
}

/* a read of 4 KiB by a process, from ms to ms, all of it at the device */
static struct io a_read(struct made *m, uint32_t pid, uint64_t from,
			uint64_t to)
{
	struct io io = {
		.id = 100 * from + pid, .rq = 100 * from + pid,
		.birth = 'Q', .pid = pid,
		.disk = &m->disk, .bytes = 4096, .op = IO_READ,
		.time = from * MS, .total = (to - from) * MS,
		.issued = from * MS, .served = to * MS, .issues = 1,
		.plug = IO_NONE, .zplug = IO_NONE, .seek = IO_NO_SEEK,
		.cpu_d = IO_NO_CPU, .cpu_c = IO_NO_CPU, .at = IO_NONE,
	};

	return io;
}

static void add(struct made *m, const struct io *io)
{
	assert_int_equal(sampler_add(m->sampler, io, true), 0);
}

/* the next sample, when all before now has been added */
static struct sample *next(struct made *m, uint64_t now)
{
	struct sample *s = NULL;

	assert_int_equal(sampler_next(m->sampler, now * MS, now * MS, &s), 1);
	return s;
}

static void none(struct made *m, uint64_t settled, uint64_t now)
{
	struct sample *s;

	assert_int_equal(sampler_next(m->sampler, settled * MS, now * MS, &s),
			 0);
}

static void test_intervals(void **state)
{
	struct made m;
	struct sample *s;
	struct io io;

	(void)state;
	start(&m, 0);
	none(&m, 14, 14);
	io = a_read(&m, 1, 1, 4);	/* before the first interval */
	add(&m, &io);
	io = a_read(&m, 1, 6, 8);
	add(&m, &io);
	io = a_read(&m, 2, 7, 14);
	add(&m, &io);
	s = next(&m, 15);
	assert_int_equal(s->number, 0);
	assert_int_equal(s->depth.from, 5 * MS);
	assert_int_equal(s->depth.to, 15 * MS);
	assert_true(wide_same(s->depth.integral, wide_of(9 * MS)));
	assert_int_equal(s->depth.most, 2);
	assert_int_equal(s->read.ios, 2);
	assert_int_equal(s->read.bytes, 8192);
	assert_int_equal(s->write.ios + s->rest.ios, 0);
	assert_int_equal(s->times.count, 2);
	assert_int_equal(s->times.values[STATISTIC_MAX], 7 * MS);
	sample_free(s);
	s = next(&m, 29);		/* nothing happened in it */
	assert_int_equal(s->number, 1);
	assert_int_equal(s->read.ios, 0);
	assert_null(sample_table(s, GROUP_PID));
	sample_free(s);
	none(&m, 29, 29);
	end(&m);
}

/* what waits for its depth keeps its own ios */
static void test_waiting(void **state)
{
	struct made m;
	struct sample *s;
	struct io io;

	(void)state;
	start(&m, 1);
	io = a_read(&m, 1, 6, 8);
	add(&m, &io);
	none(&m, 7, 16);
	io = a_read(&m, 1, 7, 17);
	add(&m, &io);
	s = next(&m, 17);
	assert_int_equal(s->read.ios, 1);
	assert_true(wide_same(s->depth.integral, wide_of((2 + 8) * MS)));
	assert_true(s->depth.exact);
	sample_free(s);
	assert_int_equal(sampler_last(m.sampler, 18 * MS, &s), 1);
	assert_int_equal(s->read.ios, 1);
	assert_int_equal(s->depth.to, 18 * MS);
	sample_free(s);
	assert_int_equal(sampler_last(m.sampler, 18 * MS, &s), 0);
	end(&m);
}

/* samples that nobody takes are freed: for valgrind */
static void test_left(void **state)
{
	struct made m;
	struct io io;

	(void)state;
	start(&m, 2);
	io = a_read(&m, 1, 6, 8);
	add(&m, &io);
	none(&m, 7, 16);
	io = a_read(&m, 1, 7, 17);
	add(&m, &io);
	end(&m);
}

static void check_order(struct sample_table *t, enum sample_order order,
			const char *want)
{
	char got[64] = "";

	sample_sort(t, order);
	for (unsigned int i = 0; i < t->count; i++) {
		strcat(got, sample_name(t, &t->rows[i]));
		strcat(got, " ");
	}
	assert_string_equal(got, want);
}

static void test_orders(void **state)
{
	struct made m;
	struct sample *s;
	struct sample_table *t;
	struct io io;

	(void)state;
	start(&m, 0);
	io = a_read(&m, 1, 5, 14);
	add(&m, &io);
	io = a_read(&m, 2, 5, 7);
	io.bytes = 65536;
	add(&m, &io);
	for (uint64_t i = 0; i < 3; i++) {
		io = a_read(&m, 3, 6 + i, 8 + i);
		io.error = i == 2 ? 5 : 0;
		add(&m, &io);
	}
	s = next(&m, 15);
	t = sample_table(s, GROUP_PID);
	assert_non_null(t);
	check_order(t, SAMPLE_BY_TIME, "1 3 2 ");
	check_order(t, SAMPLE_BY_IOS, "3 1 2 ");
	check_order(t, SAMPLE_BY_BYTES, "2 3 1 ");
	check_order(t, SAMPLE_BY_P99, "1 3 2 ");
	check_order(t, SAMPLE_BY_ERRORS, "3 1 2 ");
	assert_int_equal(t->rows[0].errors, 1);
	assert_int_equal(t->rows[0].times.values[STATISTIC_MEAN], 2 * MS);
	assert_int_equal(t->rows[0].times.p50, 2 * MS);
	/* 2 ms: two steps of the third decade */
	assert_int_equal(t->rows[0].times.cells[2 * 6 + 2] +
			 t->rows[0].times.cells[2 * 6 + 1], 3);
	t = sample_table(s, GROUP_OP);
	assert_non_null(t);
	check_order(t, SAMPLE_BY_TIME, "read ");
	sample_free(s);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_left),
		cmocka_unit_test(test_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
