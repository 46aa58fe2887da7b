/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows as a Parquet file: what its caller sees; tests/parquet.t reads files. */
#include "emit/parquet.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/tasks.h"
#include "emit/parquet/chunk.h"
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

/* --- threads ------------------------------------------------------------- */

enum { WIDE = 12, ROWS = 45000, LONGEST = 16 << 20, TEXT = 160, TURN = 64 };

static uint64_t dice(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

/* the next number of a column: chance, or what packs well and only packed */
static int64_t number_of(unsigned int column, unsigned int row, uint64_t *seed)
{
	uint64_t turn = row % TURN;

	return (int64_t)(column % 2 ? dice(seed) : dice(&turn));
}

/* Texts are all different, so that groups end by what they take: in the midst
 * of a page, and while the one before it is being packed. */
static void write_dice(struct row_writer *w, unsigned int rows)
{
	uint64_t seed = 7;

	for (unsigned int i = 0; i < rows; i++) {
		struct cell cells[WIDE] = { { .number = i } };
		char bytes[TEXT];

		for (unsigned int c = 1; c < WIDE - 1; c++)
			cells[c].number = number_of(c, i, &seed);
		memset(bytes, 'a', sizeof(bytes));
		snprintf(bytes, sizeof(bytes), "%llx",
			 (unsigned long long)dice(&seed));
		cells[WIDE - 1].text = bytes;
		cells[WIDE - 1].len = sizeof(bytes);
		cells[WIDE - 1].null = dice(&seed) % 8 == 0;
		assert_int_equal(parquet_ops.row(w, cells), 0);
	}
}

static struct row_writer *open_wide(struct buf *b, struct tasks *tasks)
{
	static const struct column *columns[WIDE];
	static const struct row_shape wide = { "wide", columns, WIDE };
	const struct row_options o = { .packed = true, .tasks = tasks };
	struct row_writer *w = NULL;

	for (unsigned int i = 0; i < WIDE; i++)
		columns[i] = i < WIDE - 1 ? &number : &text;
	assert_int_equal(parquet_ops.open(&w, b, &wide, &o), 0);
	return w;
}

static void make_wide(struct buf *b, struct tasks *tasks)
{
	struct row_writer *w;

	assert_int_equal(buf_init(b, -1, LONGEST), 0);
	w = open_wide(b, tasks);
	write_dice(w, ROWS);
	assert_int_equal(parquet_ops.end(w), 0);
	parquet_ops.free(w);
	assert_int_equal(b->error, 0);
}

/* threads make the same bytes, wherever groups end */
static void test_beside(void **state)
{
	struct tasks *tasks = tasks_new();
	struct buf alone, beside;

	(void)state;
	assert_non_null(tasks);
	make_wide(&alone, NULL);
	make_wide(&beside, tasks);
	assert_int_equal(alone.len, beside.len);
	assert_memory_equal(alone.data, beside.data, alone.len);
	buf_free(&alone);
	buf_free(&beside);
	tasks_free(tasks);
}

/* several files have the same threads; one is given up while they are at it */
static void test_beside_given_up(void **state)
{
	struct tasks *tasks = tasks_new();
	struct row_writer *w[3];
	struct buf b[3];

	(void)state;
	assert_non_null(tasks);
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(buf_init(&b[i], -1, LONGEST), 0);
		w[i] = open_wide(&b[i], tasks);
		write_dice(w[i], 16384);
	}
	parquet_ops.free(w[1]);
	for (unsigned int i = 0; i < 3; i += 2) {
		assert_int_equal(parquet_ops.end(w[i]), 0);
		parquet_ops.free(w[i]);
	}
	assert_int_equal(b[0].len, b[2].len);
	assert_memory_equal(b[0].data, b[2].data, b[0].len);
	for (unsigned int i = 0; i < 3; i++)
		buf_free(&b[i]);
	tasks_free(tasks);
}

/* packed, bare for 16 groups if that saved too little, and packed again */
static void test_bare(void **state)
{
	struct chunk c = { .rows = CHUNK_PAGE + 1, .plain = 4000 };

	(void)state;
	chunk_judge(&c, 3000);
	assert_false(c.bare);
	chunk_judge(&c, 3001);
	for (unsigned int i = 0; i < 16; i++) {
		assert_true(c.bare);
		chunk_judge(&c, 4000);
	}
	assert_false(c.bare);
	c.rows = CHUNK_PAGE;
	chunk_judge(&c, 4000);
	assert_false(c.bare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_beside),
		cmocka_unit_test(test_beside_given_up),
		cmocka_unit_test(test_bare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
