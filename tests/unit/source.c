/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources of bytes: files, pipes, memory, packed or not, whole or broken. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "file/source.h"
#include "make.h"

enum { BIG = 300000 };

/* --- fixtures ------------------------------------------------------------ */

/* bytes that compress, and that show when any is lost */
static uint8_t *big_text(void)
{
	uint8_t *p = malloc(BIG);

	assert_non_null(p);
	for (uint32_t i = 0; i < BIG; i++)
		p[i] = (uint8_t)(i / 7 + i / 1000);
	return p;
}

/* appends text as one gzip member; flush keeps its bytes from being joined */
static void add_gzip(struct bytes *b, const void *text, size_t len, int flush)
{
	z_stream z = { .next_in = (uint8_t *)text, .avail_in = (unsigned)len };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8,
				      Z_DEFAULT_STRATEGY), Z_OK);
	z.next_out = b->data + b->len;
	z.avail_out = (unsigned int)(sizeof(b->data) - b->len);
	deflate(&z, flush);
	b->len = sizeof(b->data) - z.avail_out;
	deflateEnd(&z);
}

/* a file of that content, whose name is the caller's to unlink */
static void temp_file(char path[32], const void *bytes, size_t len)
{
	int fd;

	strcpy(path, "/tmp/unit.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

/* reads to the end or an error, step bytes at a time; what it ended with */
static ssize_t read_all(struct source *s, struct bytes *b, size_t step)
{
	ssize_t n;

	b->len = 0;
	while ((n = source_read(s, b->data + b->len, step)) > 0)
		b->len += (size_t)n;
	return n;
}

static void check_memory(const struct bytes *in, size_t step, const void *want,
			 size_t len, ssize_t end)
{
	struct bytes *out = bytes_new();
	struct source *s = NULL;

	assert_int_equal(source_memory(&s, in->data, in->len), 0);
	assert_int_equal(read_all(s, out, step), end);
	assert_int_equal(out->len, len);
	assert_memory_equal(out->data, want, len);
	assert_int_equal(source_read(s, out->data, 1), 0);
	source_close(s);
	free(out);
}

/* --- tests --------------------------------------------------------------- */

/* plain memory comes as it is, even if it is shorter than gzip's magic */
static void test_memory(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	check_memory(in, 10, "", 0, 0);
	add_bytes(in, "\x1f", 1);
	check_memory(in, 10, "\x1f", 1, 0);
	check_memory(in, 1, "\x1f", 1, 0);
	add_bytes(in, "\x8a rest", 6);
	check_memory(in, 1, "\x1f\x8a rest", 7, 0);
	check_memory(in, 100, "\x1f\x8a rest", 7, 0);
	free(in);
}

/* gzip is unpacked, in reads of any size */
static void test_gzip(void **state)
{
	struct bytes *in = bytes_new();
	uint8_t *text = big_text();

	(void)state;
	add_gzip(in, text, BIG, Z_FINISH);
	assert_true(in->len < BIG / 2);
	check_memory(in, 7, text, BIG, 0);
	check_memory(in, 65536, text, BIG, 0);
	free(text);
	free(in);
}

/* several members in a row, empty ones too, are one text */
static void test_members(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_gzip(in, "one ", 4, Z_FINISH);
	add_gzip(in, "", 0, Z_FINISH);
	add_gzip(in, "two", 3, Z_FINISH);
	check_memory(in, 100, "one two", 7, 0);
	check_memory(in, 1, "one two", 7, 0);
	free(in);
}

/* of a cut file all that is whole comes first, then the error, once */
static void test_cut(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_gzip(in, "a whole member", 14, Z_FINISH);
	add_gzip(in, " and a part", 11, Z_SYNC_FLUSH);
	check_memory(in, 100, "a whole member and a part", 25, -EBADMSG);
	free(in);
}

/* a cut inside a member's first bytes is told, too */
static void test_cut_head(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_gzip(in, "first", 5, Z_FINISH);
	add_bytes(in, "\x1f\x8b\x08", 3);
	check_memory(in, 100, "first", 5, -EBADMSG);
	free(in);
}

/* what stands before broken data in the same member is handed out, too */
static void test_broken(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_gzip(in, "good bytes", 10, Z_FULL_FLUSH);
	add_bytes(in, "\xff\xff\xff\xff", 4);
	check_memory(in, 100, "good bytes", 10, -EBADMSG);
	free(in);
}

/* a wrong checksum does not take the bytes away that it is the sum of */
static void test_bad_checksum(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_gzip(in, "good bytes", 10, Z_FINISH);
	in->data[in->len - 8] ^= 1;
	check_memory(in, 100, "good bytes", 10, -EBADMSG);
	free(in);
}

/* a file of each kind; one that is not there, and a directory */
static void test_files(void **state)
{
	struct bytes *in = bytes_new(), *out = bytes_new();
	struct source *s = NULL;
	uint64_t done = 0, total = 0;
	char path[32];

	(void)state;
	add_gzip(in, "packed", 6, Z_FINISH);
	temp_file(path, in->data, in->len);
	assert_int_equal(source_open(&s, path), 0);
	assert_false(source_is_live(s));
	assert_int_equal(source_wait(s, 0), 1);
	source_progress(s, &done, &total);
	assert_int_equal(done, 0);
	assert_int_equal(total, in->len);
	assert_int_equal(read_all(s, out, 100), 0);
	source_progress(s, &done, &total);
	assert_int_equal(done, in->len);
	assert_int_equal(total, 2 * in->len);	/* both are added to */
	assert_int_equal(out->len, 6);
	assert_memory_equal(out->data, "packed", 6);
	source_close(s);
	unlink(path);
	assert_int_equal(source_open(&s, path), -ENOENT);
	assert_int_equal(source_open(&s, "/tmp"), 0);
	assert_int_equal(source_read(s, out->data, 1), -EISDIR);
	source_close(s);
	free(in);
	free(out);
}

/* a file that shrinks under us is an error, said once */
static void test_shrunk(void **state)
{
	struct bytes *out = bytes_new();
	struct source *s = NULL;
	char path[32];

	(void)state;
	temp_file(path, "0123456789", 10);
	assert_int_equal(source_open(&s, path), 0);
	assert_int_equal(source_read(s, out->data, 2), 2);
	assert_int_equal(truncate(path, 4), 0);
	assert_int_equal(read_all(s, out, 100), -ESPIPE);
	assert_int_equal(out->len, 2);
	assert_int_equal(source_read(s, out->data, 100), 0);
	source_close(s);
	unlink(path);
	free(out);
}

/* reading goes on elsewhere in a plain file, and only there */
static void test_seek(void **state)
{
	struct bytes *in = bytes_new(), *out = bytes_new();
	struct source *s = NULL;
	uint64_t done = 0, total = 0;
	char path[32];

	(void)state;
	temp_file(path, "0123456789", 10);
	assert_int_equal(source_open(&s, path), 0);
	assert_int_equal(source_seek(s, 3), 0);
	assert_int_equal(source_read(s, out->data, 1), 1);
	assert_int_equal(source_seek(s, 7), 0);
	assert_int_equal(read_all(s, out, 100), 0);
	assert_int_equal(out->len, 3);
	assert_memory_equal(out->data, "789", 3);
	assert_int_equal(source_seek(s, 0), 0);
	assert_int_equal(source_read(s, out->data, 2), 2);
	assert_memory_equal(out->data, "01", 2);
	source_progress(s, &done, &total);
	assert_int_equal(done, 2);
	source_close(s);
	unlink(path);

	add_gzip(in, "packed", 6, Z_FINISH);
	temp_file(path, in->data, in->len);
	assert_int_equal(source_open(&s, path), 0);
	assert_int_equal(source_read(s, out->data, 1), 1);
	assert_int_equal(source_seek(s, 0), -ESPIPE);
	source_close(s);
	unlink(path);

	assert_int_equal(source_memory(&s, "plain", 5), 0);
	assert_int_equal(source_read(s, out->data, 1), 1);
	assert_int_equal(source_seek(s, 0), -ESPIPE);
	source_close(s);
	free(in);
	free(out);
}

/* a pipe says when it has nothing; the magic may come byte by byte */
static void test_pipe(void **state)
{
	struct bytes *in = bytes_new();
	struct source *s = NULL;
	char got[16];
	int ends[2];

	(void)state;
	add_gzip(in, "packed", 6, Z_FINISH);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(source_fd(&s, ends[0]), 0);
	assert_true(source_is_live(s));
	for (size_t i = 0; i < 10; i++) {
		assert_int_equal(source_read(s, got, 16), -EAGAIN);
		assert_int_equal(source_wait(s, 0), 0);
		assert_int_equal(write(ends[1], in->data + i, 1), 1);
		assert_int_equal(source_wait(s, 0), 1);
	}
	assert_int_equal(write(ends[1], in->data + 10, in->len - 10),
			 in->len - 10);
	assert_int_equal(source_read(s, got, 16), 6);
	assert_memory_equal(got, "packed", 6);
	close(ends[1]);
	assert_int_equal(source_read(s, got, 16), 0);
	source_close(s);
	assert_int_equal(close(ends[0]), 0);	/* it stayed ours */
	free(in);
}

/* one byte that could begin gzip's magic is held back, and comes at the end */
static void test_pipe_plain(void **state)
{
	struct source *s = NULL;
	char got[16];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(source_fd(&s, ends[0]), 0);
	assert_int_equal(write(ends[1], "\x1f", 1), 1);
	assert_int_equal(source_read(s, got, 16), -EAGAIN);
	close(ends[1]);
	assert_int_equal(source_read(s, got, 16), 1);
	assert_int_equal(got[0], 0x1f);
	assert_int_equal(source_read(s, got, 16), 0);
	source_close(s);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_gzip),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_head),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_bad_checksum),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_shrunk),
		cmocka_unit_test(test_seek),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_pipe_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
