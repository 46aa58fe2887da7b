/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Positions kept beside a trace file: they come back as they were, and only
 * while both files are what they were.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file/positions.h"
#include "make.h"

enum { BIG = 3 * POSITIONS_WORTH };

/* a directory with a file of BIG bytes that has not changed for a while */
struct fixture {
	char dir[32], path[64], kept[96], away[64];
	struct positions p;
	struct positions_kept k;
};

static void wait_quiet(void)
{
	nanosleep(&(struct timespec){ POSITIONS_QUIET, 100000000 }, NULL);
}

static int open_fixture(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	int fd;

	strcpy(f->dir, "/tmp/unit.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->path, sizeof(f->path), "%s/x.blktrace.0", f->dir);
	snprintf(f->kept, sizeof(f->kept), "%s/.x.blktrace.0.positions",
		 f->dir);
	snprintf(f->away, sizeof(f->away), "%s/away", f->dir);
	fd = open(f->path, O_WRONLY | O_CREAT, 0644);
	assert_int_equal(ftruncate(fd, BIG), 0);
	close(fd);
	wait_quiet();
	*state = f;
	return 0;
}

static int close_fixture(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	unlink(f->kept);
	unlink(f->away);
	rmdir(f->dir);
	free(f);
	return 0;
}

/* positions up to end, notes before and one behind them */
static void know(struct fixture *f, uint64_t end)
{
	for (uint64_t i = 1; i <= 100; i++) {
		positions_add(&f->p, &(struct position){ end / 100 * i, i * 7,
							 3 });
		positions_add_note(&f->p, &(struct passed_note){
			end / 100 * i, i * POSITIONS_STEP, i * 7 });
	}
}

/* Whether what is known now is found again. */
static bool comes_back(struct fixture *f)
{
	struct positions p = { .count = 0 };
	struct positions_kept k;
	bool found;

	positions_load(&p, &k, f->path);
	found = p.count == 100 && p.note_count == 99 &&
		!memcmp(p.list, f->p.list, 100 * sizeof(*p.list)) &&
		!memcmp(p.notes, f->p.notes, 99 * sizeof(*p.notes));
	assert_true(found || (!p.count && !p.note_count && !k.known));
	positions_free(&p);
	return found;
}

static void save(struct fixture *f, uint64_t end)
{
	unlink(f->kept);
	positions_load(&f->p, &f->k, f->path);
	assert_int_equal(f->p.count, 0);
	know(f, end);
	positions_save(&f->p, &f->k, NULL, f->path);
}

static void change_byte(const char *path, off_t at)
{
	int fd = open(path, O_RDWR);
	uint8_t byte = 0;

	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

/* --- tests --------------------------------------------------------------- */

static void test_kept(void **state)
{
	struct fixture *f = *state;
	struct positions_kept k;
	struct positions p = { .count = 0 };
	struct stat st;

	save(f, BIG);
	assert_true(comes_back(f));
	/* no more is known: it stays as it is */
	positions_load(&p, &k, f->path);
	assert_int_equal(k.known, BIG / 100 * 100);
	assert_int_equal(unlink(f->kept), 0);
	positions_save(&p, &k, NULL, f->path);
	assert_int_equal(stat(f->kept, &st), -1);
	positions_free(&p);
	positions_free(&f->p);
}

/* each byte of it counts */
static void test_damaged(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	save(f, BIG);
	assert_int_equal(stat(f->kept, &st), 0);
	for (off_t at = 0; at < st.st_size; at += 3) {
		change_byte(f->kept, at);
		assert_false(comes_back(f));
		change_byte(f->kept, at);
	}
	assert_true(comes_back(f));
	for (off_t size = st.st_size - 8; size >= 0; size -= 40) {
		assert_int_equal(truncate(f->kept, size), 0);
		assert_false(comes_back(f));
	}
	positions_free(&f->p);
}

/* the old file is written over, and nothing of a longer one is left */
static void test_again(void **state)
{
	struct fixture *f = *state;
	struct stat before, after;

	save(f, BIG);
	assert_int_equal(stat(f->kept, &before), 0);
	assert_int_equal(truncate(f->kept, before.st_size + 800), 0);
	assert_false(comes_back(f));
	f->k.known = 0;
	positions_save(&f->p, &f->k, NULL, f->path);
	assert_int_equal(stat(f->kept, &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_true(comes_back(f));
	positions_free(&f->p);
}

/* too little to be worth a file */
static void test_small(void **state)
{
	struct fixture *f = *state;

	save(f, POSITIONS_WORTH - 100);
	assert_false(comes_back(f));
	positions_free(&f->p);
}

/* a link in its place is not followed, and what it leads to is not touched */
static void test_link(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	close(open(f->away, O_WRONLY | O_CREAT, 0600));
	unlink(f->kept);
	positions_load(&f->p, &f->k, f->path);
	know(f, BIG);
	assert_int_equal(symlink("away", f->kept), 0);
	positions_save(&f->p, &f->k, NULL, f->path);
	assert_int_equal(stat(f->away, &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(lstat(f->kept, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	/* nor one that is a name of another file */
	assert_int_equal(unlink(f->kept), 0);
	assert_int_equal(link(f->away, f->kept), 0);
	positions_save(&f->p, &f->k, NULL, f->path);
	assert_int_equal(stat(f->away, &st), 0);
	assert_int_equal(st.st_size, 0);
	/* nor is a link read */
	assert_int_equal(unlink(f->kept), 0);
	positions_save(&f->p, &f->k, NULL, f->path);
	assert_true(comes_back(f));
	assert_int_equal(rename(f->kept, f->away), 0);
	assert_int_equal(symlink("away", f->kept), 0);
	assert_false(comes_back(f));
	positions_free(&f->p);
}

/* the trace changes: before they are saved, then after, then just now */
static void test_changed(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	unlink(f->kept);
	positions_load(&f->p, &f->k, f->path);
	know(f, BIG);
	change_byte(f->path, 0);
	positions_save(&f->p, &f->k, NULL, f->path);
	assert_int_equal(stat(f->kept, &st), -1);
	positions_free(&f->p);
	wait_quiet();
	save(f, BIG);
	assert_true(comes_back(f));
	change_byte(f->path, 0);
	assert_false(comes_back(f));
	positions_free(&f->p);
	save(f, BIG);
	assert_false(comes_back(f));
	positions_free(&f->p);
}

/* what is somebody else's gets none, nor what is no file; and theirs are not
 * believed */
static void test_others(void **state)
{
	struct fixture *f = *state;
	struct positions_kept k;

	positions_load(&f->p, &k, "/dev/null");
	assert_false(k.may_be);
	positions_load(&f->p, &k, f->dir);
	assert_false(k.may_be);
	if (geteuid())
		skip();
	assert_int_equal(chown(f->path, 1, 1), 0);
	wait_quiet();
	save(f, BIG);
	assert_false(comes_back(f));
	positions_free(&f->p);
	assert_int_equal(chown(f->path, 0, 0), 0);
	wait_quiet();
	save(f, BIG);
	assert_true(comes_back(f));
	assert_int_equal(chown(f->kept, 1, 1), 0);
	assert_false(comes_back(f));
	positions_free(&f->p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
