/* SPDX-License-Identifier: GPL-2.0-only */
/* Run directories: fresh ones only, more files than descriptors, a bound. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "make.h"
#include "server/store.h"

/* 2009-02-13 23:31:30 UTC */
enum { WHEN = 1234567890 };

struct place {
	char dir[32];
	struct store *store;
};

static void place_open(struct place *p, uint64_t max_bytes,
		       unsigned int max_open)
{
	struct store_options o = { p->dir, max_bytes, max_open };

	strcpy(p->dir, "/tmp/unit.XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	assert_int_equal(store_new(&p->store, &o), 0);
}

static void place_close(struct place *p)
{
	char command[64];

	store_free(p->store);
	snprintf(command, sizeof(command), "rm -r %s", p->dir);
	assert_int_equal(system(command), 0);
}

static struct store_dir *new_dir(struct place *p, const char *name)
{
	struct store_dir *f = NULL;

	assert_int_equal(store_dir_new(p->store, "192.0.2.1", WHEN, &f), 0);
	assert_string_equal(store_dir_name(f), name);
	return f;
}

/* the file's bytes; -1 when it is not there */
static ssize_t content(const struct place *p, const char *name, char *text,
		       size_t size)
{
	char path[256];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", p->dir, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	n = read(fd, text, size);
	close(fd);
	return n;
}

static void check_content(const struct place *p, const char *name,
			  const char *want)
{
	char text[256];

	assert_int_equal(content(p, name, text, sizeof(text)), strlen(want));
	assert_memory_equal(text, want, strlen(want));
}

static int open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* --- how often names are looked at --------------------------------------- */

static unsigned int looks;

/*
 * These two stand in for the C library's.  A statx(2) is what every machine
 * has; a C library's fstat(3) may come here, too.
 */
int mkdirat(int dir, const char *name, mode_t mode)
{
	looks++;
	return (int)syscall(SYS_mkdirat, dir, name, mode);
}

int fstatat(int dir, const char *restrict name, struct stat *restrict st,
	    int flags)
{
	enum { BASIC = 0x7ff, MODE_AT = 28, SIZE_AT = 40 };
	uint8_t got[256];
	uint16_t mode;
	uint64_t size;

	looks++;
	if (syscall(SYS_statx, dir, name, flags, BASIC, got))
		return -1;
	memcpy(&mode, got + MODE_AT, sizeof(mode));
	memcpy(&size, got + SIZE_AT, sizeof(size));
	*st = (struct stat){ .st_mode = mode, .st_size = (off_t)size };
	return 0;
}

/* --- tests --------------------------------------------------------------- */

/* many runs in one second are numbered in turn, at a cost that hardly grows */
static void test_many(void **state)
{
	enum { RUNS = 1000, LOOKS = 2 + 2 * 10 };
	char name[64];
	struct place p;

	(void)state;
	place_open(&p, 0, 4);
	looks = 0;
	store_dir_free(new_dir(&p, "192.0.2.1-2009-02-13-23:31:30"));
	for (int i = 2; i <= RUNS; i++) {
		snprintf(name, sizeof(name), "192.0.2.1-2009-02-13-23:31:30-%d",
			 i);
		store_dir_free(new_dir(&p, name));
	}
	assert_in_range(looks, 3 * RUNS, RUNS * LOOKS);
	place_close(&p);
}

/* those that an earlier server has left are passed over */
static void test_earlier(void **state)
{
	struct place p;
	char path[96];

	(void)state;
	place_open(&p, 0, 4);
	for (int i = 1; i < 6; i++) {
		snprintf(path, sizeof(path), "%s/192.0.2.1-2009-02-13-23:31:30",
			 p.dir);
		if (i > 1)
			sprintf(path + strlen(path), "-%d", i);
		assert_int_equal(mkdir(path, 0755), 0);
	}
	store_dir_free(new_dir(&p, "192.0.2.1-2009-02-13-23:31:30-6"));
	store_dir_free(new_dir(&p, "192.0.2.1-2009-02-13-23:31:30-7"));
	place_close(&p);
}

static void test_names(void **state)
{
	struct place p;
	struct store_dir *a, *b;

	(void)state;
	place_open(&p, 0, 4);
	a = new_dir(&p, "192.0.2.1-2009-02-13-23:31:30");
	b = new_dir(&p, "192.0.2.1-2009-02-13-23:31:30-2");
	assert_int_equal(store_dir_add(a, "sda", 8191), 0);
	check_content(&p, "192.0.2.1-2009-02-13-23:31:30/sda.blktrace.8191",
		      "");
	store_dir_free(a);
	store_dir_free(b);
	place_close(&p);
}

/* nobody can prepare a place for us: no directory, no link */
static void test_prepared(void **state)
{
	char path[128];
	struct place p;
	struct store_dir *f = NULL;
	struct store_file *file;
	size_t stored;

	(void)state;
	place_open(&p, 0, 4);
	snprintf(path, sizeof(path), "%s/192.0.2.1-2009-02-13-23:31:30",
		 p.dir);
	assert_int_equal(symlink("/tmp", path), 0);
	f = new_dir(&p, "192.0.2.1-2009-02-13-23:31:30-2");
	snprintf(path, sizeof(path), "%s/%s/sda.blktrace.0", p.dir,
		 store_dir_name(f));
	assert_int_equal(symlink("victim", path), 0);
	assert_int_equal(store_dir_add(f, "sda", 0), -ELOOP);
	file = store_file_new(f, "sda", 0);
	assert_int_equal(store_file_write(file, "x", 1, &stored), -ELOOP);
	assert_int_equal(stored, 0);
	store_file_free(file);
	store_dir_free(f);
	place_close(&p);
}

enum { FILES = 40, OPEN = 5 };

/* however many files take turns, only so many are open */
static void test_turns(void **state)
{
	struct store_file *files[FILES];
	struct place p;
	struct store_dir *f = NULL;
	int before;

	(void)state;
	place_open(&p, 0, OPEN);
	f = new_dir(&p, "192.0.2.1-2009-02-13-23:31:30");
	before = open_descriptors();
	for (uint32_t i = 0; i < FILES; i++)
		files[i] = store_file_new(f, "sda", i);
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < FILES; i++) {
			char c = (char)('a' + round);
			size_t stored;

			assert_int_equal(store_file_write(
				files[i], &c, 1, &stored), 0);
			assert_true(open_descriptors() <= before + OPEN);
		}
	for (int i = 0; i < FILES; i++)
		store_file_free(files[i]);
	assert_int_equal(open_descriptors(), before);
	check_content(&p, "192.0.2.1-2009-02-13-23:31:30/sda.blktrace.0",
		      "abc");
	check_content(&p, "192.0.2.1-2009-02-13-23:31:30/sda.blktrace.39",
		      "abc");
	store_dir_free(f);
	place_close(&p);
}

static void test_cut(void **state)
{
	struct place p;
	struct store_dir *f = NULL;
	struct store_file *file;
	size_t stored;

	(void)state;
	place_open(&p, 0, 1);
	f = new_dir(&p, "192.0.2.1-2009-02-13-23:31:30");
	file = store_file_new(f, "sda", 0);
	assert_int_equal(store_file_write(file, "12345678", 8, &stored), 0);
	assert_int_equal(store_file_cut(file, 3), 0);
	assert_int_equal(store_file_write(file, "x", 1, &stored), 0);
	store_file_free(file);
	check_content(&p, "192.0.2.1-2009-02-13-23:31:30/sda.blktrace.0",
		      "12345x");
	store_dir_free(f);
	place_close(&p);
}

/* a file of any name, which is found by its end, and read */
static void test_named(void **state)
{
	struct place p;
	struct store_dir *f = NULL;
	struct store_file *file;
	char name[16], text[8] = "";
	size_t stored;
	int fd;

	(void)state;
	place_open(&p, 0, 1);
	f = new_dir(&p, "192.0.2.1-2009-02-13-23:31:30");
	assert_int_equal(store_dir_add(f, "sda", 0), 0);
	assert_int_equal(store_dir_find(f, ".btz", name, sizeof(name)), 0);
	file = store_file_named(f, "sda.btz");
	assert_int_equal(store_file_reader(file), -ENOENT);
	assert_int_equal(store_file_write(file, "1234", 4, &stored), 0);
	assert_int_equal(store_dir_find(f, ".btz", name, sizeof(name)), 1);
	assert_string_equal(name, "sda.btz");
	assert_int_equal(store_dir_find(f, ".btz", name, 7), 0);
	fd = store_file_reader(file);
	assert_int_equal(read(fd, text, sizeof(text)), 4);
	assert_string_equal(text, "1234");
	close(fd);
	store_file_free(file);
	store_dir_free(f);
	place_close(&p);
}

/* the bound is for all files together, to the byte */
static void test_bound(void **state)
{
	struct place p;
	struct store_dir *f = NULL;
	struct store_file *a, *b;
	size_t stored;

	(void)state;
	place_open(&p, 10, 4);
	f = new_dir(&p, "192.0.2.1-2009-02-13-23:31:30");
	a = store_file_new(f, "sda", 0);
	b = store_file_new(f, "sdb", 0);
	assert_int_equal(store_file_write(a, "123456", 6, &stored), 0);
	assert_int_equal(store_file_write(b, "123456", 6, &stored), -EDQUOT);
	assert_int_equal(stored, 4);
	assert_int_equal(store_file_write(a, "7", 1, &stored), -EDQUOT);
	assert_int_equal(stored, 0);
	store_file_free(a);
	store_file_free(b);
	check_content(&p, "192.0.2.1-2009-02-13-23:31:30/sda.blktrace.0",
		      "123456");
	check_content(&p, "192.0.2.1-2009-02-13-23:31:30/sdb.blktrace.0",
		      "1234");
	store_dir_free(f);
	place_close(&p);
}

/* -D is made if it is missing, one level of it */
static void test_directory(void **state)
{
	char path[64];
	struct place p;
	struct store_options o = { path, 0, 1 };
	struct store *s;
	struct stat st;

	(void)state;
	place_open(&p, 0, 1);
	snprintf(path, sizeof(path), "%s/new", p.dir);
	assert_int_equal(store_new(&s, &o), 0);
	store_free(s);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	snprintf(path, sizeof(path), "%s/a/b", p.dir);
	assert_int_equal(store_new(&s, &o), -ENOENT);
	place_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_earlier),
		cmocka_unit_test(test_prepared),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
