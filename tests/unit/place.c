/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are whole or not there: what stands where, at every step. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/place.h"
#include "make.h"

/* a directory for each test, which it works in */
static int enter(void **state)
{
	char *dir = strdup("/tmp/place.XXXXXX");

	*state = dir;
	return !dir || !mkdtemp(dir) || chdir(dir);
}

static int leave(void **state)
{
	static const char *const names[] = { "file", "link", "fifo", "sub/x" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(names[i]);
	rmdir("sub");
	if (chdir("/") || rmdir(*state))
		return -1;	/* something is left */
	free(*state);
	return 0;
}

static void write_text(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void make(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	write_text(fd, text);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void assert_file(const char *path, const char *text)
{
	char got[64];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, got, sizeof(got) - 1);

	got[n > 0 ? n : 0] = '\0';
	assert_string_equal(got, text);
	close(fd);
}

static int files(void)
{
	DIR *dir = opendir(".");
	const struct dirent *entry;
	int n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		n += !!strcmp(entry->d_name, ".") &&
		     !!strcmp(entry->d_name, "..");
	closedir(dir);
	return n;
}

/* a new file is there when it is done, and not before */
static void test_new(void **state)
{
	struct place p;
	char part[64];

	(void)state;
	assert_int_equal(place_open(&p, NULL, "file"), 0);
	write_text(p.fd, "new");
	assert_int_equal(access("file", F_OK), -1);
	snprintf(part, sizeof(part), ".file.part-%ld", (long)getpid());
	assert_file(part, "new");
	assert_int_equal(place_commit(&p), 0);
	assert_int_equal(p.fd, -1);
	assert_file("file", "new");
	assert_int_equal(files(), 1);
}

/* the same, not waited for */
static void test_soon(void **state)
{
	struct place p;

	(void)state;
	make("file", "old", 0640);
	assert_int_equal(place_open(&p, NULL, "file"), 0);
	write_text(p.fd, "new");
	assert_file("file", "old");
	assert_int_equal(place_commit_soon(&p), 0);
	assert_int_equal(p.fd, -1);
	assert_file("file", "new");
	assert_int_equal(files(), 1);
}

/* the old file stands until then, and its permissions longer */
static void test_old(void **state)
{
	struct place p;
	struct stat st;

	(void)state;
	make("file", "old", 0640);
	assert_int_equal(place_open(&p, NULL, "file"), 0);
	write_text(p.fd, "new");
	assert_file("file", "old");
	place_discard(&p);
	place_discard(&p);
	assert_file("file", "old");
	assert_int_equal(files(), 1);
	assert_int_equal(place_open(&p, NULL, "file"), 0);
	write_text(p.fd, "new");
	assert_int_equal(place_commit(&p), 0);
	assert_file("file", "new");
	assert_int_equal(stat("file", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(files(), 1);
}

/* what a killed process of our number left is no obstacle */
static void test_left(void **state)
{
	struct place p;
	char part[64];

	(void)state;
	snprintf(part, sizeof(part), ".file.part-%ld", (long)getpid());
	make(part, "left over", 0400);
	assert_int_equal(place_open(&p, NULL, "file"), 0);
	write_text(p.fd, "new");
	assert_int_equal(place_commit(&p), 0);
	assert_file("file", "new");
	assert_int_equal(files(), 1);
}

static void test_link(void **state)
{
	struct place p;
	struct stat st;

	(void)state;
	assert_int_equal(mkdir("sub", 0700), 0);
	make("sub/x", "old", 0600);
	assert_int_equal(symlink("sub/x", "link"), 0);
	assert_int_equal(place_open(&p, NULL, "link"), 0);
	write_text(p.fd, "new");
	assert_int_equal(place_commit(&p), 0);
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_file("sub/x", "new");
}

static void test_link_to_nothing(void **state)
{
	struct place p;
	struct stat st;

	(void)state;
	assert_int_equal(symlink("nothing", "link"), 0);
	assert_int_equal(place_open(&p, NULL, "link"), 0);
	write_text(p.fd, "new");
	assert_int_equal(place_commit(&p), 0);
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_file("link", "new");
}

/* what is no file is written to, and stays what it is */
static void test_no_file(void **state)
{
	struct place p;
	struct stat st;
	int fd;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	fd = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	for (int discard = 0; discard < 2; discard++) {
		assert_int_equal(place_open(&p, NULL, "fifo"), 0);
		assert_null(p.part);
		write_text(p.fd, "x");
		if (discard)
			place_discard(&p);
		else
			assert_int_equal(place_commit(&p), 0);
	}
	assert_int_equal(stat("fifo", &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	close(fd);
}

/* a file that cannot be is no file: nothing is left, and nothing changed */
static void test_refused(void **state)
{
	struct place p;

	(void)state;
	assert_int_equal(mkdir("sub", 0700), 0);
	assert_int_equal(place_open(&p, NULL, "sub"), -EISDIR);
	assert_int_equal(p.fd, -1);
	assert_int_equal(place_open(&p, NULL, "none/file"), -ENOENT);
	assert_int_equal(place_open(&p, NULL, "sub/x"), 0);
	/* the place has become a directory: it cannot be taken */
	assert_int_equal(mkdir("sub/x", 0700), 0);
	assert_int_equal(place_commit(&p), -EISDIR);
	assert_int_equal(p.fd, -1);
	assert_int_equal(rmdir("sub/x"), 0);
	assert_int_equal(rmdir("sub"), 0);
	assert_int_equal(files(), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_new),
		TEST(test_soon),
		TEST(test_old),
		TEST(test_left),
		TEST(test_link),
		TEST(test_link_to_nothing),
		TEST(test_no_file),
		TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
