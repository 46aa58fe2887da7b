/* SPDX-License-Identifier: GPL-2.0-only */
/* The output buffer: what reaches the descriptor, when, and after errors. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "make.h"

/* a pipe with a buffer of size bytes in front of it; returns the read end */
static int piped(struct buf *b, size_t size)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	assert_int_equal(buf_init(b, ends[1], size), 0);
	return ends[0];
}

/* reads what is there and checks that it is this text */
static void assert_arrived(int fd, const char *text)
{
	char got[256];
	ssize_t n = read(fd, got, sizeof(got) - 1);

	got[n > 0 ? n : 0] = '\0';
	assert_string_equal(got, text);
}

static void finish(struct buf *b, int fd)
{
	close(b->fd);
	close(fd);
	buf_free(b);
}

/* the buffer is filled to its last byte before anything is written */
static void test_brim(void **state)
{
	struct buf b;
	int fd = piped(&b, 8);

	(void)state;
	buf_append(&b, "12345", 5);
	assert_arrived(fd, "");
	buf_append(&b, "678", 3);
	assert_arrived(fd, "");
	buf_append(&b, "9", 1);
	assert_arrived(fd, "12345678");
	buf_append(&b, "abcdefghijklmnopqrst", 20);
	assert_arrived(fd, "9abcdefghijklmno");
	assert_int_equal(buf_flush(&b), 0);
	assert_arrived(fd, "pqrst");
	assert_int_equal(b.written, 29);
	finish(&b, fd);
}

/* flushing an empty buffer writes nothing and is no error */
static void test_empty(void **state)
{
	struct buf b;
	int fd = piped(&b, 8);

	(void)state;
	assert_int_equal(buf_flush(&b), 0);
	buf_append(&b, "", 0);
	assert_int_equal(buf_flush(&b), 0);
	assert_arrived(fd, "");
	finish(&b, fd);
}

/* room that is not there is made by writing, and by growing if need be */
static void test_room(void **state)
{
	struct buf b;
	int fd = piped(&b, 8);
	char *p = buf_room(&b, 6);

	(void)state;
	memcpy(p, "line1\n", 6);
	buf_commit(&b, p + 6);
	p = buf_room(&b, 2);
	assert_ptr_equal(p, b.data + 6);
	assert_arrived(fd, "");
	p = buf_room(&b, 100);
	assert_non_null(p);
	assert_arrived(fd, "line1\n");
	memset(p, 'x', 100);
	buf_commit(&b, p + 100);
	assert_int_equal(b.size, 100);
	assert_int_equal(b.len, 100);
	finish(&b, fd);
}

/* a line that was begun and not committed is not written */
static void test_uncommitted(void **state)
{
	struct buf b;
	int fd = piped(&b, 8);

	(void)state;
	memcpy(buf_room(&b, 4), "lost", 4);
	buf_append(&b, "kept", 4);
	buf_flush(&b);
	assert_arrived(fd, "kept");
	finish(&b, fd);
}

/* formatted text comes whole, however long */
static void test_printf(void **state)
{
	struct buf b;
	int fd = piped(&b, 4096);

	(void)state;
	buf_printf(&b, "%s=%05d\n", "n", 42);
	assert_int_equal(b.len, 8);
	assert_memory_equal(b.data, "n=00042\n", 8);
	buf_printf(&b, "%600d\n", 1);
	assert_int_equal(b.len, 8 + 601);
	assert_memory_equal(b.data + 8 + 598, " 1\n", 3);
	finish(&b, fd);
}

/* a full disk is told by the flush that met it and by every later one */
static void test_full(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct buf b;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(buf_init(&b, fd, 8), 0);
	buf_append(&b, "0123456789", 10);
	assert_int_equal(b.error, ENOSPC);
	assert_int_equal(buf_flush(&b), -ENOSPC);
	assert_int_equal(buf_flush(&b), -ENOSPC);
	close(fd);
	buf_free(&b);
}

/* after an error nothing more is written, even if it could be */
static void test_error_kept(void **state)
{
	struct buf b;
	int fd = piped(&b, 8), real = b.fd;

	(void)state;
	b.fd = open("/dev/full", O_WRONLY);
	buf_append(&b, "first", 5);
	assert_int_equal(buf_flush(&b), -ENOSPC);
	close(b.fd);
	b.fd = real;
	buf_append(&b, "a text longer than the buffer", 29);
	assert_int_equal(buf_flush(&b), -ENOSPC);
	assert_null(buf_room(&b, 64));
	assert_arrived(fd, "");
	finish(&b, fd);
}

/* a descriptor that is not ours and would block is waited for */
static void test_would_block(void **state)
{
	struct buf b;
	int fd = piped(&b, 1 << 17);
	size_t total = 0;
	ssize_t n;
	char got[4096];
	int status;
	pid_t child;

	(void)state;
	memset(b.data, 'x', b.size);
	b.len = b.size;
	child = fork();
	if (child == 0)
		_exit(buf_flush(&b) ? 1 : 0);
	close(b.fd);
	while ((n = read(fd, got, sizeof(got))) != 0)
		total += n > 0 ? (size_t)n : 0;
	assert_int_equal(total, 1 << 17);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(fd);
	buf_free(&b);
}

/* --- written by a thread --------------------------------------------------- */

enum { LINES = 300000, LINE_BYTES = 17 };

/* a file with a buffer that a thread writes, after some text */
static FILE *behind(struct buf *b)
{
	FILE *f = tmpfile();

	assert_non_null(f);
	assert_int_equal(buf_init(b, fileno(f), 1 << 18), 0);
	buf_append(b, "the first line\n", 15);
	assert_int_equal(buf_write_behind(b), 0);
	return f;
}

/* lines of growing numbers, each in room for twice its length */
static void put_lines(struct buf *b, int from, int to)
{
	for (int i = from; i < to; i++) {
		char *p = buf_room(b, 2 * LINE_BYTES);

		assert_non_null(p);
		buf_commit(b, p + sprintf(p, "%*d\n", LINE_BYTES - 1, i));
	}
}

static void assert_lines(FILE *f, int count)
{
	char line[64];

	rewind(f);
	assert_non_null(fgets(line, sizeof(line), f));
	assert_string_equal(line, "the first line\n");
	for (int i = 0; i < count; i++) {
		assert_non_null(fgets(line, sizeof(line), f));
		assert_int_equal(strlen(line), LINE_BYTES);
		assert_int_equal(atoi(line), i);
	}
}

/* all comes once and in order, and a flush waits for it */
static void test_behind(void **state)
{
	struct buf b;
	FILE *f = behind(&b);

	(void)state;
	assert_int_equal(buf_flush(&b), 0);
	assert_lines(f, 0);
	put_lines(&b, 0, LINES / 2);
	assert_int_equal(buf_flush(&b), 0);
	assert_int_equal(b.written, 15 + LINES / 2 * LINE_BYTES);
	assert_lines(f, LINES / 2);
	fseek(f, 0, SEEK_END);
	put_lines(&b, LINES / 2, LINES);
	assert_int_equal(buf_flush(&b), 0);
	assert_int_equal(buf_flush(&b), 0);
	assert_lines(f, LINES);
	assert_int_equal(fgetc(f), EOF);
	buf_free(&b);
	fclose(f);
}

/* text that is longer than the buffer, and than a parcel */
static void test_behind_long(void **state)
{
	const size_t len = 3000001;
	char *text = malloc(len), *room;
	struct buf b;
	FILE *f = behind(&b);

	(void)state;
	memset(text, 'x', len);
	buf_append(&b, text, len);
	room = buf_room(&b, len);
	assert_non_null(room);
	memset(room, 'y', len);
	buf_commit(&b, room + len);
	put_lines(&b, 0, 2);
	assert_int_equal(buf_flush(&b), 0);
	assert_int_equal(fseek(f, 15, SEEK_SET), 0);
	for (size_t i = 0; i < 2 * len; i++)
		assert_int_equal(fgetc(f), i < len ? 'x' : 'y');
	assert_int_equal(lseek(b.fd, 0, SEEK_END),
			 15 + 2 * len + 2 * LINE_BYTES);
	free(text);
	buf_free(&b);
	fclose(f);
}

/* what the thread has is written without a flush, but not what it has not */
static void test_behind_freed(void **state)
{
	struct buf b;
	FILE *f = behind(&b);

	(void)state;
	put_lines(&b, 0, LINES);
	put_lines(&b, LINES, LINES + 10);
	assert_true(b.len > 0 && b.len < 1 << 18);
	buf_write_here(&b);
	assert_int_equal(lseek(b.fd, 0, SEEK_END), b.written);
	assert_true(b.written > LINES * (LINE_BYTES - 1));
	/* from here on the caller writes */
	assert_int_equal(buf_flush(&b), 0);
	assert_lines(f, LINES + 10);
	buf_free(&b);
	fclose(f);
}

/* a full disk is found by a flush at the latest, and room is refused */
static void test_behind_full(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct buf b;
	size_t lines = 0;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(buf_init(&b, fd, 1 << 18), 0);
	assert_int_equal(buf_write_behind(&b), 0);
	buf_append(&b, "text", 4);
	assert_int_equal(buf_flush(&b), -ENOSPC);
	assert_int_equal(b.error, ENOSPC);
	assert_int_equal(buf_flush(&b), -ENOSPC);
	assert_int_equal(b.written, 0);
	b.error = 0;
	for (; lines < LINES; lines++) {
		char *p = buf_room(&b, LINE_BYTES);

		if (!p)
			break;
		buf_commit(&b, p + LINE_BYTES);
	}
	assert_true(lines < LINES);
	assert_int_equal(b.error, ENOSPC);
	close(fd);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brim),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_uncommitted),
		cmocka_unit_test(test_printf),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_error_kept),
		cmocka_unit_test(test_would_block),
		cmocka_unit_test(test_behind),
		cmocka_unit_test(test_behind_long),
		cmocka_unit_test(test_behind_freed),
		cmocka_unit_test(test_behind_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
