/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows as a Parquet file: what its caller sees; tests/parquet.t reads files. */
#include "emit/parquet.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "emit/row.h"
#include "make.h"

static const struct column number = { "n", COLUMN_INT64, false, "", "" };
static const struct column text = { "t", COLUMN_TEXT, true, "", "" };
static const struct column *const order[] = { &number, &text };
static const struct row_shape shape = { "two", order, 2 };

static void write_rows(struct row_writer *w, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct cell cells[] = {
			{ .number = i }, { .text = "abc", .len = 3 }
		};

		cells[1].null = i % 2;
		assert_int_equal(parquet_ops.row(w, cells), 0);
	}
}

static struct row_writer *open_on(struct buf *b, bool packed)
{
	const struct row_options o = { .packed = packed, .schema = 7 };
	struct row_writer *w = NULL;

	assert_int_equal(parquet_ops.open(&w, b, &shape, &o), 0);
	assert_non_null(w);
	return w;
}

/* a file has its marks at both ends, and the same rows make the same bytes */
static void test_file(void **state)
{
	struct buf one, two;

	(void)state;
	for (unsigned int rows = 0; rows < 300; rows += 37) {
		struct buf *both[] = { &one, &two };

		for (unsigned int i = 0; i < 2; i++) {
			struct row_writer *w;

			assert_int_equal(buf_init(both[i], -1, 1 << 16), 0);
			w = open_on(both[i], rows % 2);
			write_rows(w, rows);
			assert_int_equal(parquet_ops.end(w), 0);
			parquet_ops.free(w);
		}
		assert_memory_equal(one.data, "PAR1", 4);
		assert_memory_equal(one.data + one.len - 4, "PAR1", 4);
		assert_int_equal(one.len, two.len);
		assert_memory_equal(one.data, two.data, one.len);
		buf_free(&one);
		buf_free(&two);
	}
}

/* a full disk is the buffer's to tell; rows may go on coming */
static void test_full(void **state)
{
	struct row_writer *w;
	struct buf b;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(buf_init(&b, fd, 512), 0);
	w = open_on(&b, false);
	write_rows(w, 140000);
	assert_int_equal(b.error, ENOSPC);
	assert_int_equal(parquet_ops.end(w), 0);
	parquet_ops.free(w);
	buf_free(&b);
	close(fd);
}

/* whoever gives up in the middle only frees */
static void test_given_up(void **state)
{
	static const unsigned int rows[] = { 0, 1, 63, 64, 9000 };
	struct buf b;

	(void)state;
	for (unsigned int i = 0; i < 5; i++) {
		struct row_writer *w;

		assert_int_equal(buf_init(&b, -1, 1 << 16), 0);
		w = open_on(&b, i % 2);
		write_rows(w, rows[i]);
		parquet_ops.free(w);
		buf_free(&b);
	}
	parquet_ops.free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
