/* SPDX-License-Identifier: GPL-2.0-only */
/* Parquet files read back: the rows that were written, and damage found. */
#include "emit/parquet_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/random.h"
#include "emit/parquet.h"
#include "emit/row.h"
#include "make.h"

static const struct column columns[] = {
	{ "wide", COLUMN_INT64, false, "", "" },
	{ "narrow", COLUMN_INT32, true, "", "" },
	{ "text", COLUMN_TEXT, true, "", "" },
	{ "same", COLUMN_TEXT, false, "", "" },
	{ "rare", COLUMN_INT64, true, "", "" },
};
enum { COUNT = 5, TEXT = 48 };
static const struct column *const order[COUNT] = {
	&columns[0], &columns[1], &columns[2], &columns[3], &columns[4]
};
static const struct row_shape shape = { "five", order, COUNT };

/* a row by its number: extremes beside each other, nulls for whole pages */
static void make_row(uint64_t n, struct cell cells[COUNT], char text[TEXT])
{
	struct random r;

	random_init(&r, n);
	cells[0] = (struct cell){ .number = n % 5 ? (int64_t)random_next(&r) :
			      n % 2 ? INT64_MAX : INT64_MIN };
	cells[1] = (struct cell){ .number = n % 7 ? (int32_t)random_next(&r) :
			      n % 2 ? INT32_MAX : INT32_MIN,
			      .null = n % 3 == 1 || (n > 9000 && n < 27000) };
	snprintf(text, TEXT, "%llu\xc3\xa4%0*d",
		 (unsigned long long)random_below(&r, n < 20000 ? 3 : 100000),
		 (int)random_below(&r, 20) + 1, 7);
	cells[2] = (struct cell){ .text = text, .null = n % 11 == 0 };
	cells[2].len = cells[2].null ? 0 : (uint32_t)strlen(text);
	cells[3] = (struct cell){ .text = "", .len = 0 };
	cells[4] = (struct cell){ .number = (int64_t)n, .null = n % 1000 != 5 };
}

/* a file of that many rows, in memory */
static int written(uint64_t rows, bool packed)
{
	const struct row_options o = { .packed = packed, .schema = 2 };
	struct row_writer *w = NULL;
	int fd = memfd_create("parquet", 0);
	struct cell cells[COUNT];
	char text[TEXT];
	struct buf b;

	assert_true(fd >= 0);
	assert_int_equal(buf_init(&b, fd, 1 << 16), 0);
	assert_int_equal(parquet_ops.open(&w, &b, &shape, &o), 0);
	for (uint64_t n = 0; n < rows; n++) {
		make_row(n, cells, text);
		assert_int_equal(parquet_ops.row(w, cells), 0);
	}
	assert_int_equal(parquet_ops.end(w), 0);
	parquet_ops.free(w);
	assert_int_equal(buf_flush(&b), 0);
	buf_free(&b);
	return fd;
}

static void same_cell(const struct cell *got, const struct cell *want,
		      enum column_type type)
{
	assert_int_equal(got->null, want->null);
	if (want->null)
		return;
	if (type != COLUMN_TEXT) {
		assert_true(got->number == want->number);
		return;
	}
	assert_int_equal(got->len, want->len);
	if (want->len)
		assert_memory_equal(got->text, want->text, want->len);
}

static void test_rows(void **state)
{
	static const uint64_t sizes[] = { 0, 1, 7, 8, 63, 64, 65, 129, 8191,
					  8192, 8193, 131072, 140000 };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(*sizes); i++) {
		uint64_t rows = sizes[i / 2];
		struct cell got[ROW_COLUMNS], want[COUNT];
		struct parquet_reader *r;
		char text[TEXT];
		int fd = written(rows, i % 2);

		assert_int_equal(parquet_reader_open(&r, fd), 0);
		assert_string_equal(parquet_reader_shape(r)->table, "five");
		assert_int_equal(parquet_reader_shape(r)->count, COUNT);
		assert_int_equal(parquet_reader_schema(r), 2);
		assert_true(parquet_reader_rows(r) == rows);
		for (uint64_t n = 0; n < rows; n++) {
			make_row(n, want, text);
			assert_int_equal(parquet_reader_next(r, got), 1);
			for (int c = 0; c < COUNT; c++)
				same_cell(&got[c], &want[c], order[c]->type);
		}
		assert_int_equal(parquet_reader_next(r, got), 0);
		parquet_reader_close(r);
		close(fd);
	}
}

static void test_columns(void **state)
{
	int fd = written(3, true);
	struct parquet_reader *r;

	(void)state;
	assert_int_equal(parquet_reader_open(&r, fd), 0);
	for (int c = 0; c < COUNT; c++) {
		const struct column *its = parquet_reader_shape(r)->columns[c];

		assert_string_equal(its->name, columns[c].name);
		assert_int_equal(its->type, columns[c].type);
		assert_int_equal(its->may_be_null, columns[c].may_be_null);
	}
	parquet_reader_close(r);
	close(fd);
}

/* all rows: 0, or what is wrong */
static int read_all(int fd)
{
	struct cell cells[ROW_COLUMNS];
	struct parquet_reader *r;
	int err = parquet_reader_open(&r, fd);

	if (err)
		return err;
	while ((err = parquet_reader_next(r, cells)) == 1)
		;
	parquet_reader_close(r);
	return err;
}

/* Each byte of the pages is guarded by a checksum; others may only mislead, and
 * never beyond the file. */
static void test_damage(void **state)
{
	int fd = written(300, true);
	off_t size = lseek(fd, 0, SEEK_END);

	(void)state;
	for (off_t at = 0; at < size; at++) {
		uint8_t was, is;
		int err;

		assert_int_equal(pread(fd, &was, 1, at), 1);
		is = (uint8_t)(was ^ 1 << at % 8);
		assert_int_equal(pwrite(fd, &is, 1, at), 1);
		err = read_all(fd);
		assert_true(!err || err == -EBADMSG);
		assert_int_equal(pwrite(fd, &was, 1, at), 1);
	}
	assert_int_equal(read_all(fd), 0);
	while (size--) {
		assert_int_equal(ftruncate(fd, size), 0);
		assert_int_equal(read_all(fd), -EBADMSG);
		if (size > 200)
			size -= 100;
	}
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
