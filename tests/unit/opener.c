/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an opener does for a process that may not, and what it refuses to do.
 * The process is confined to nothing, so that all it gets is the opener's.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/opener.h"
#include "confine/places.h"
#include "confine/wanted.h"
#include "scratch.h"

static const struct opener_name names[] = {
	{ OPENER_EXACT, .begin = "text" },
	{ OPENER_EXACT, .begin = ".text.part" },
	{ OPENER_ONE, .begin = "rates_", .end = ".dat" },
	{ OPENER_ONE, .begin = "out/", .has = ".replay." },
	{ OPENER_BELOW, .begin = "folder/" },
	{ OPENER_EXACT, .begin = "folder" },
	{ OPENER_EXACT, .begin = "key", .reads = true },
};

enum { NAMES = sizeof(names) / sizeof(*names) };

static bool lists(const char *path)
{
	return opener_lists(names, NAMES, path);
}

static void test_names(void **state)
{
	(void)state;
	assert_true(lists("text") && lists("rates_sda.dat"));
	assert_true(lists("folder/deep/er/x") && lists("folder/..x"));
	assert_true(lists("out/sda.replay.0") && lists("out/.replay."));
	assert_false(lists("out/sda") || lists("out/sub/sda.replay.0"));
	assert_false(lists("texts") || lists("tex") || lists("./text"));
	assert_false(lists("rates_.da") || lists("rates_a/b.dat"));
	assert_false(lists("rates_.dat/../passwd.dat"));
	assert_false(lists("folder/../x") || lists("folder/a/.."));
	assert_false(lists("folders") || lists(""));
}

static bool refused(int got)
{
	return got == -1 && errno == EACCES;
}

static bool writes(const struct opener *o, const char *path)
{
	int fd = opener_open(o, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool good = fd >= 0 && write(fd, "x", 1) == 1;

	return fd >= 0 && !close(fd) && good;
}

static bool reads(const struct opener *o, const char *path)
{
	int fd = opener_open(o, path, O_RDONLY, 0);
	char c;

	return fd >= 0 && read(fd, &c, 1) == 1 && !close(fd);
}

/* Which of the steps failed, 0: none. */
static int ask(const struct opener *o)
{
	struct places p;

	if (places_open(&p, true) || places_enforce(&p) ||
	    !refused(open("text", O_WRONLY | O_CREAT, 0600)))
		return 1;
	if (!writes(o, "text") || !writes(o, "rates_sda.dat") ||
	    opener_mkdir(o, "folder", 0700) || !writes(o, "folder/x"))
		return 2;
	if (!writes(o, ".text.part") || opener_rename(o, ".text.part", "text"))
		return 3;
	if (writes(o, "other") ||
	    !refused(opener_open(o, "kept", O_RDONLY, 0)) ||
	    !refused(opener_mkdir(o, "other", 0700)) ||
	    !refused(opener_remove(o, "kept")))
		return 4;
	if (!refused(opener_rename(o, "kept", "text")) ||
	    !refused(opener_rename(o, "text", "kept")))
		return 5;
	if (opener_open(o, "text", O_WRONLY | O_CREAT | O_EXCL, 0600) != -1 ||
	    errno != EEXIST || opener_open(o, "folder/none", O_WRONLY, 0) != -1
	    || errno != ENOENT ||
	    !refused(opener_open(o, "text", O_RDWR, 0)))
		return 6;
	if (!reads(o, "key") || writes(o, "key") ||
	    !refused(opener_open(o, "key", O_RDWR, 0)) ||
	    !refused(opener_open(o, "key", O_RDONLY | O_TRUNC, 0)) ||
	    !refused(opener_rename(o, "key", "text")) ||
	    !refused(opener_rename(o, "text", "key")) ||
	    !refused(opener_remove(o, "key")))
		return 8;
	return opener_remove(o, "folder/x") || opener_remove(o, "folder") ? 7 :
									    0;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_asked(void **state)
{
	int fds[2];
	pid_t pid;

	(void)state;
	if (!places_version() || !confine_is_wanted())
		skip();
	put("kept", "kept\n");
	put("key", "key\n");
	assert_int_equal(opener_pair(fds), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		_exit(ask(&(struct opener){ fds[0] }));
	}
	close(fds[0]);
	opener_serve(fds[1], names, NAMES);
	close(fds[1]);
	assert_int_equal(status_of(pid), 0);
	check_text("text", "x");
	check_text("kept", "kept\n");
	check_text("key", "key\n");
	assert_int_equal(access(".text.part", F_OK), -1);
	assert_int_equal(access("other", F_OK), -1);
}

/* What is no request is refused, or ends it; it does not end us. */
static void test_damaged(void **state)
{
	static const char none[64], text[64] = "\1\0\0\0";
	int32_t err[2] = { 0, 0 };
	int fds[2];
	pid_t pid;

	(void)state;
	assert_int_equal(opener_pair(fds), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		opener_serve(fds[1], names, NAMES);
		_exit(0);
	}
	close(fds[1]);
	/* more behind the first name, and no name's end */
	assert_int_equal(send(fds[0], none, sizeof(none), 0), sizeof(none));
	assert_int_equal(recv(fds[0], &err[0], sizeof(*err), 0), sizeof(*err));
	assert_int_equal(send(fds[0], text, 12, 0), 12);
	assert_int_equal(recv(fds[0], &err[1], sizeof(*err), 0), sizeof(*err));
	assert_int_equal(err[0], EINVAL);
	assert_int_equal(err[1], EINVAL);
	assert_int_equal(send(fds[0], text, 3, 0), 3);
	assert_int_equal(recv(fds[0], err, sizeof(*err), 0), 0);
	close(fds[0]);
	assert_int_equal(status_of(pid), 0);
}

static void test_none(void **state)
{
	(void)state;
	assert_true(writes(NULL, "by ourselves"));
	assert_true(writes(&(struct opener){ 0 }, "by ourselves"));
	assert_int_equal(opener_mkdir(NULL, "dir", 0700), 0);
	assert_int_equal(opener_rename(NULL, "by ourselves", "dir/x"), 0);
	assert_int_equal(opener_remove(NULL, "dir/x"), 0);
	assert_int_equal(opener_remove(NULL, "dir"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_names),
		IN_SCRATCH(test_asked),
		IN_SCRATCH(test_damaged),
		IN_SCRATCH(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
