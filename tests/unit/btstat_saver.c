/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of histograms for intervals: whatever waits, the file is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "make.h"
#include "request/io.h"
#include "run/device.h"
#include "stat/saved.h"
#include "stat/saved_reader.h"
#include "tools/btstat/saver.h"

enum { INTERVAL = 1000, WALL = 12345 };

static char label[] = "sda";
static struct device disk = { .id = 1, .number = 8 << 20, .label = label };

static struct io made_io(uint64_t end, enum io_op op, uint64_t total)
{
	return (struct io){ .id = 1, .op = op, .bytes = 4096, .birth = 'I',
			    .disk = &disk, .time = end - total,
			    .total = total, .has = 1U << IO_D2C,
			    .phase = { [IO_D2C] = total } };
}

static void add(struct saver *s, struct saved *want, uint64_t end,
		enum io_op op, uint64_t total)
{
	struct io io = made_io(end, op, total);
	uint64_t wall = WALL + end;
	struct saved_key key = { "", "sda", op == IO_READ ? "read" : "write",
				 "d2c", wall - wall % INTERVAL };
	struct histogram h = { .count = 0 };

	assert_int_equal(saver_add(s, &io), 0);
	assert_int_equal(histogram_add(&h, total), 0);
	assert_int_equal(saved_add(want, &key, &h), 0);
	histogram_free(&h);
}

/* what the file has, as a set */
static void read_file(struct saved *s, const char *path)
{
	FILE *f = fopen(path, "r");
	struct saved_reader *r = NULL;
	char bytes[4096];
	size_t n;

	assert_non_null(f);
	assert_int_equal(saved_reader_new(&r, s), 0);
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		assert_int_equal(saved_reader_add(r, bytes, n), 0);
	assert_int_equal(saved_reader_end(r), 0);
	saved_reader_free(r);
	fclose(f);
}

struct fixture {
	char path[32];
	struct saver *saver;
	struct saved *want, *got;
};

static void begin(struct fixture *f)
{
	int fd;

	strcpy(f->path, "/tmp/saver.XXXXXX");
	fd = mkstemp(f->path);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(saver_new(&f->saver, NULL, f->path, INTERVAL), 0);
	saver_set_clock(f->saver, WALL);
	assert_int_equal(saved_new(&f->want), 0);
	assert_int_equal(saved_new(&f->got), 0);
}

/* both sets have the same histograms, in the same order */
static void assert_same(struct saved *a, struct saved *b)
{
	assert_int_equal(saved_histograms(a), saved_histograms(b));
	for (size_t i = 0; i < saved_histograms(a); i++) {
		struct saved_key one, two;
		const struct histogram *h = saved_histogram(a, i, &one);
		const struct histogram *g = saved_histogram(b, i, &two);

		assert_string_equal(one.device, two.device);
		assert_string_equal(one.op, two.op);
		assert_string_equal(one.phase, two.phase);
		assert_int_equal(one.at, two.at);
		assert_int_equal(h->count, g->count);
		assert_true(wide_same(h->sum, g->sum));
		assert_int_equal(h->min, g->min);
		assert_int_equal(h->max, g->max);
	}
}

static void end(struct fixture *f)
{
	assert_true(saver_end(f->saver) != NULL);
	assert_true(saver_close(f->saver));
	read_file(f->got, f->path);
	unlink(f->path);
	assert_same(f->want, f->got);
	saver_free(f->saver);
	saved_free(f->want);
	saved_free(f->got);
}

/* times of day, multiples of the interval; what comes late is in its own */
static void test_intervals(void **state)
{
	struct fixture f;
	struct saved_key key;

	(void)state;
	begin(&f);
	add(f.saver, f.want, 655, IO_READ, 100);	/* the first of 13000 */
	add(f.saver, f.want, 654, IO_WRITE, 200);
	add(f.saver, f.want, 1700, IO_READ, 300);
	add(f.saver, f.want, 1654, IO_READ, 400);	/* the last of it */
	saved_histogram(f.want, 0, &key);
	assert_int_equal(key.at, 13000);
	end(&f);
}

/* more sets than may wait: the file is read as if all had */
static void test_bound(void **state)
{
	struct fixture f;
	unsigned int most = SAVER_HISTOGRAMS + SAVER_HISTOGRAMS / 2;

	(void)state;
	begin(&f);
	for (unsigned int i = 0; i < most; i++) {
		add(f.saver, f.want, (i + 1) * INTERVAL, IO_READ, 100 + i);
		add(f.saver, f.want, (i + 1) * INTERVAL, IO_READ, 100);
	}
	/* these have been written for long */
	add(f.saver, f.want, INTERVAL, IO_READ, 7);
	add(f.saver, f.want, INTERVAL, IO_WRITE, 8);
	end(&f);
}

/* what waits is bounded: before the end most of the file is there */
static void test_written(void **state)
{
	struct fixture f;
	struct saved *rest;

	(void)state;
	begin(&f);
	for (unsigned int i = 0; i < 2 * SAVER_HISTOGRAMS; i++)
		add(f.saver, f.want, (i + 1) * INTERVAL, IO_READ, 100);
	rest = saver_end(f.saver);
	assert_non_null(rest);
	assert_true(saved_histograms(rest) < SAVER_HISTOGRAMS);
	end(&f);
}

/* a file that could not be read is said to be one */
static void test_too_many(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	for (unsigned int i = 0; i <= SAVED_COUNT_MAX; i++) {
		struct io io = made_io((i + 1) * (uint64_t)INTERVAL, IO_READ,
				       100);

		assert_int_equal(saver_add(f.saver, &io), 0);
	}
	assert_non_null(saver_end(f.saver));
	assert_false(saver_close(f.saver));
	unlink(f.path);
	saver_free(f.saver);
	saved_free(f.want);
	saved_free(f.got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
