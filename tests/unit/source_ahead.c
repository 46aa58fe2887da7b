/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed files that threads unpack ahead of their reader. */
#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include "file/source.h"
#include "file/source_ahead.h"
#include "make.h"

enum {
	TEXT = 3 * AHEAD_LONG,	/* packs to more than AHEAD_LONG */
	MANY = AHEAD_BUFFERS + 6,
};

struct fixture {
	uint8_t *text, *got;
	uint32_t dice;
	struct ahead_pool *pool;
};

static uint32_t roll(struct fixture *f)
{
	f->dice = f->dice * 1664525 + 1013904223;
	return f->dice >> 8;
}

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->text = malloc(TEXT);
	f->got = malloc(TEXT + 1);	/* to ask for more at the end */
	f->pool = ahead_pool_new();
	assert_non_null(f->text);
	assert_non_null(f->got);
	assert_non_null(f->pool);
	for (size_t i = 0; i < TEXT; i++)
		f->text[i] = (uint8_t)roll(f);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	ahead_pool_free(f->pool);
	free(f->text);
	free(f->got);
	free(f);
	return 0;
}

/* The first len bytes of the text in a packed file, whose name is the caller's
 * to unlink. */
static void pack(const struct fixture *f, char path[32], size_t len)
{
	int fd;
	gzFile z;

	strcpy(path, "/tmp/unit.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	z = gzdopen(fd, "wb1");
	assert_non_null(z);
	assert_int_equal(gzwrite(z, f->text, (unsigned int)len), len);
	assert_int_equal(gzclose(z), Z_OK);
}

static struct source *open_ahead(const struct fixture *f, const char *path)
{
	struct source *s = NULL;

	assert_int_equal(source_open(&s, path), 0);
	assert_int_equal(source_ahead(&s, s, f->pool), 0);
	return s;
}

/* Reads in steps of any size; how many bytes, and what it ended with. */
static size_t read_all(struct fixture *f, struct source *s, ssize_t *last)
{
	size_t have = 0;

	do {
		size_t step = 1 + roll(f) % (2 * AHEAD_SIZE);

		if (step > TEXT - have)
			step = TEXT - have + (have == TEXT);
		*last = source_read(s, f->got + have, step);
		have += *last > 0 ? (size_t)*last : 0;
		assert_true(have <= TEXT);
	} while (*last > 0);
	return have;
}

static void test_same_bytes(void **state)
{
	static const size_t lens[] = { 0, 1, 1000, AHEAD_LONG, TEXT };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
		char path[32];
		struct source *s;
		ssize_t last;
		uint64_t done = 0, total = 0;

		pack(f, path, lens[i]);
		s = open_ahead(f, path);
		assert_int_equal(read_all(f, s, &last), lens[i]);
		assert_int_equal(last, 0);
		assert_memory_equal(f->got, f->text, lens[i]);
		assert_int_equal(source_read(s, f->got, 1), 0);
		source_progress(s, &done, &total);
		assert_true(total > 0);
		assert_int_equal(done, total);
		assert_int_equal(source_seek(s, 0), -ESPIPE);
		source_close(s);
		unlink(path);
	}
}

/* what is whole comes before the error, which comes once */
static void test_cut(void **state)
{
	struct fixture *f = *state;
	struct source *alone = NULL, *s;
	char path[32];
	ssize_t last;
	size_t have;

	pack(f, path, TEXT);
	assert_int_equal(truncate(path, 2 * AHEAD_LONG), 0);
	assert_int_equal(source_open(&alone, path), 0);
	have = read_all(f, alone, &last);
	assert_int_equal(last, -EBADMSG);
	source_close(alone);

	s = open_ahead(f, path);
	assert_int_equal(read_all(f, s, &last), have);
	assert_int_equal(last, -EBADMSG);
	assert_memory_equal(f->got, f->text, have);
	assert_int_equal(source_read(s, f->got, 1), 0);
	source_close(s);
	unlink(path);
}

static void test_plain(void **state)
{
	struct fixture *f = *state;
	char path[32] = "/tmp/unit.XXXXXX";
	int fd = mkstemp(path);
	struct source *s;
	ssize_t last;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, f->text, TEXT), TEXT);
	close(fd);
	s = open_ahead(f, path);
	assert_int_equal(read_all(f, s, &last), TEXT);
	assert_memory_equal(f->got, f->text, TEXT);
	assert_int_equal(source_seek(s, 5), 0);
	assert_int_equal(source_read(s, f->got, 3), 3);
	assert_memory_equal(f->got, f->text + 5, 3);
	source_close(s);
	unlink(path);
}

/* More files than buffers, read in turn, some left early. */
static void test_many(void **state)
{
	struct fixture *f = *state;
	struct source *s[MANY];
	size_t at[MANY] = { 0 };
	char path[32];
	size_t open = MANY;

	pack(f, path, TEXT);
	for (size_t i = 0; i < MANY; i++)
		s[i] = open_ahead(f, path);
	while (open) {
		size_t i = roll(f) % MANY;
		ssize_t n;

		if (!s[i])
			continue;
		n = source_read(s[i], f->got, 1 + roll(f) % AHEAD_SIZE);
		assert_true(n >= 0);
		assert_memory_equal(f->got, f->text + at[i], n);
		at[i] += (size_t)n;
		if (n && roll(f) % 64)
			continue;
		assert_true(n || at[i] == TEXT);
		source_close(s[i]);
		s[i] = NULL;
		open--;
	}
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_same_bytes, begin, end),
		cmocka_unit_test_setup_teardown(test_cut, begin, end),
		cmocka_unit_test_setup_teardown(test_plain, begin, end),
		cmocka_unit_test_setup_teardown(test_many, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
