/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parquet files for libFuzzer.
 *
 * An input is a byte that says what the rest is: a file; or the body of a page
 * of a column, which gets a right head and checksum, as few chance bytes would
 * have.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/varint.h"
#include "emit/parquet/page.h"
#include "emit/parquet/page_reader.h"
#include "emit/parquet_reader.h"
#include "emit/row.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT = 1, NULLS = 2, NARROW = 4, PAGE = 8, ROWS_MOST = 1 << 16 };

static int file_of(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("parquet", 0);

	must(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	return fd;
}

static void read_texts(const struct row_shape *shape, const struct cell *cells)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < shape->count; i++)
		for (uint32_t k = 0; shape->columns[i]->type == COLUMN_TEXT &&
				     !cells[i].null && k < cells[i].len; k++)
			sum += (unsigned char)cells[i].text[k];
	__asm__ volatile("" : : "r"(sum));
}

static void read_file(int fd)
{
	struct cell cells[ROW_COLUMNS];
	struct parquet_reader *r;
	int err = parquet_reader_open(&r, fd), rows = 0;

	if (err) {
		must(err == -EBADMSG);
		return;
	}
	while (rows++ < ROWS_MOST &&
	       (err = parquet_reader_next(r, cells)) == 1)
		read_texts(parquet_reader_shape(r), cells);
	must(err == 0 || err == 1 || err == -EBADMSG);
	parquet_reader_close(r);
}

/* --- one page ------------------------------------------------------------- */

static uint8_t *put_i32(uint8_t *p, int step, uint64_t v)
{
	*p++ = (uint8_t)(step << 4 | 5);
	return varint_put(p, varint_zigzag((int64_t)v));
}

/* a page with its head, at p; returns its end */
static uint8_t *put_page(uint8_t *p, bool dictionary, unsigned int values,
			 int encoding, const uint8_t *body, size_t len)
{
	p = put_i32(p, 1, dictionary ? 2 : 0);
	p = put_i32(p, 1, len);
	p = put_i32(p, 1, len);
	p = put_i32(p, 1, (uint64_t)(int32_t)crc32(0, body, (uInt)len));
	*p++ = (uint8_t)((dictionary ? 3 : 1) << 4 | 12);
	p = put_i32(p, 1, values);
	p = put_i32(p, 1, (uint64_t)encoding);
	*p++ = 0;
	*p++ = 0;
	memcpy(p, body, len);
	return p + len;
}

static void read_page(uint8_t kind, unsigned int values, const uint8_t *body,
		      size_t len)
{
	static const uint8_t texts[] = { 1, 0, 0, 0, 'a', 0, 0, 0, 0 };
	const struct column c = {
		.name = "c", .may_be_null = kind & NULLS,
		.type = kind & TEXT ? COLUMN_TEXT :
			kind & NARROW ? COLUMN_INT32 : COLUMN_INT64 };
	struct page_place place = { .texts_first = kind & TEXT };
	uint8_t *bytes = malloc(len + 1024), *end = bytes;
	struct page_reader r = { 0 };
	int fd, err;

	must(bytes != NULL);
	if (kind & TEXT)
		end = put_page(end, true, 2, PAGE_PLAIN, texts, sizeof(texts));
	end = put_page(end, false, values, kind & TEXT ? PAGE_DICTIONARY :
		       PAGE_DELTA, body, len);
	place.stored = (uint64_t)(end - bytes);
	fd = file_of(bytes, place.stored);
	page_reader_begin(&r, fd, &c, &place);
	err = page_reader_load(&r);
	must(err == 0 || err == -EBADMSG);
	must(err || r.count == values);
	page_reader_free(&r);
	close(fd);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd;

	if (size < 2)
		return 0;
	if (data[0] & PAGE) {
		read_page(data[0], data[1] * 8 + 1, data + 2, size - 2);
		return 0;
	}
	fd = file_of(data + 1, size - 1);
	read_file(fd);
	close(fd);
	return 0;
}
