/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding a trace's files, in directories made for each test. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/files.h"
#include "file/source.h"
#include "make.h"

/* --- a directory to work in ---------------------------------------------- */

static int enter(void **state)
{
	char *dir = strdup("/tmp/unit.XXXXXX");

	*state = dir;
	return !dir || !mkdtemp(dir) || chdir(dir);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int leave(void **state)
{
	int err = chdir("/") || nftw(*state, remove_one, 8,
				     FTW_DEPTH | FTW_PHYS);

	free(*state);
	return err;
}

/* files with their own names in them, NULL behind the last */
static void touch(const char *const *names)
{
	for (; *names; names++) {
		FILE *f = fopen(*names, "w");

		assert_non_null(f);
		fputs(*names, f);
		fclose(f);
	}
}

#define TOUCH(...) touch((const char *const[]){ __VA_ARGS__, NULL })

/* all paths of a device, a blank behind each */
static void check_found(const char *dir, const char *name, const char *paths)
{
	char text[512] = "";
	struct files f;

	assert_int_equal(files_find(&f, dir, name), 0);
	for (size_t i = 0; i < f.count; i++) {
		strcat(text, f.list[i].path);
		strcat(text, " ");
	}
	files_free(&f);
	assert_string_equal(text, paths);
}

static void check_devices(const char *dir, const char *names)
{
	char text[512] = "", **list;
	int count = files_devices(dir, &list);

	assert_true(count >= 0);
	for (int i = 0; i < count; i++) {
		strcat(text, list[i]);
		strcat(text, " ");
		free(list[i]);
	}
	free(list);
	assert_string_equal(text, names);
}

/* --- tests --------------------------------------------------------------- */

/* CPUs in the order of numbers, whatever is missing between them */
static void test_gaps(void **state)
{
	(void)state;
	TOUCH("sda.blktrace.10", "sda.blktrace.2", "sda.blktrace.8191",
	      "sdb.blktrace.0", "sda.blktrace");
	check_found("", "sda", "sda.blktrace.2 sda.blktrace.10 "
		    "sda.blktrace.8191 ");
}

/* names that blktrace would not write are not its files */
static void test_numbers(void **state)
{
	struct files f;

	(void)state;
	TOUCH("x.blktrace.00", "x.blktrace.01", "x.blktrace.8192",
	      "x.blktrace.1x", "x.blktrace.-1", "x.blktrace.+1",
	      "x.blktrace.", "x.blktrace.4294967296", "x.blktrace.0.bak",
	      "x.blktrace.99999999999999999999", "xx.blktrace.0");
	assert_int_equal(files_find(&f, "", "x"), -ENOENT);
	TOUCH("x.blktrace.0");
	check_found("", "x", "x.blktrace.0 ");
}

/* packed files are files; beside its plain twin one does not count */
static void test_twins(void **state)
{
	(void)state;
	TOUCH("x.blktrace.0.gz", "x.blktrace.1", "x.blktrace.1.gz",
	      "x.blktrace.2.gz", "x.blktrace.3.gz.gz");
	check_found("", "x", "x.blktrace.0.gz x.blktrace.1 x.blktrace.2.gz ");
}

/* a directory, given or part of the name, or both */
static void test_places(void **state)
{
	char dir[512], want[512];

	assert_int_equal(mkdir("d", 0700) | mkdir("d/e", 0700), 0);
	TOUCH("d/x.blktrace.0", "d/e/x.blktrace.1");
	check_found("d", "x", "d/x.blktrace.0 ");
	check_found("", "d/x", "d/x.blktrace.0 ");
	check_found("d", "e/x", "d/e/x.blktrace.1 ");
	snprintf(dir, sizeof(dir), "%s/d", (const char *)*state);
	snprintf(want, sizeof(want), "%s/d/x.blktrace.0 ",
		 (const char *)*state);
	check_found(dir, "x", want);
}

/* no such directory, no such device: nothing is found */
static void test_nothing(void **state)
{
	struct files f;
	char **names;

	(void)state;
	assert_int_equal(files_find(&f, "nowhere", "x"), -ENOENT);
	assert_int_equal(files_find(&f, "", "x"), -ENOENT);
	assert_int_equal(f.count, 0);
	assert_int_equal(files_devices("nowhere", &names), -ENOENT);
	check_devices(".", "");
}

/* an empty file is known as such, and a link to nowhere is no file */
static void test_empty(void **state)
{
	struct files f;

	(void)state;
	TOUCH("x.blktrace.1");
	close(creat("x.blktrace.0", 0600));
	assert_int_equal(symlink("nowhere", "x.blktrace.2"), 0);
	assert_int_equal(files_find(&f, "", "x"), 0);
	assert_int_equal(f.count, 2);
	assert_true(files_is_empty(&f.list[0]) &&
		    !files_is_empty(&f.list[1]));
	files_free(&f);
}

/* the first days' pairs: records here, payloads there */
static void test_old(void **state)
{
	struct files f;

	(void)state;
	TOUCH("x_out.0", "x_dat.0", "x_out.1", "x_dat.2");
	assert_int_equal(files_find(&f, "", "x"), 0);
	assert_int_equal(f.count, 2);
	assert_true(f.list[0].old && f.list[1].old);
	assert_string_equal(f.list[0].payloads, "x_dat.0");
	assert_null(f.list[1].payloads);
	files_free(&f);
	TOUCH("x.blktrace.5");
	check_found("", "x", "x.blktrace.5 ");
}

/* a found file can be opened, and is the file that was found */
static void test_open(void **state)
{
	struct source *s = NULL;
	struct files f;
	char got[32];

	(void)state;
	TOUCH("x.blktrace.3");
	assert_int_equal(files_find(&f, "", "x"), 0);
	assert_int_equal(f.list[0].cpu, 3);
	assert_int_equal(files_open(&f.list[0], &s), 0);
	assert_true(source_read(s, got, 2) > 0);
	assert_memory_equal(got, "x.", 2);
	source_close(s);
	unlink("x.blktrace.3");
	assert_int_equal(files_open(&f.list[0], &s), -ENOENT);
	files_free(&f);
}

/* devices are told once each, their numbers in order of size */
static void test_devices(void **state)
{
	(void)state;
	TOUCH("nvme10n1.blktrace.0", "nvme2n1.blktrace.0",
	      "nvme2n1.blktrace.1", "md0_out.0", "sdb.blktrace.0.gz",
	      "sda.blktrace.0", "sda.blktrace.x", ".blktrace.0", "notes.txt");
	check_devices(".", "md0 nvme2n1 nvme10n1 sda sdb ");
}

#define IN_DIRECTORY(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIRECTORY(test_gaps),
		IN_DIRECTORY(test_numbers),
		IN_DIRECTORY(test_twins),
		IN_DIRECTORY(test_places),
		IN_DIRECTORY(test_nothing),
		IN_DIRECTORY(test_empty),
		IN_DIRECTORY(test_old),
		IN_DIRECTORY(test_open),
		IN_DIRECTORY(test_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
