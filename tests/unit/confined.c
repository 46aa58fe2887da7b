/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a reader of traces can still open, and what it cannot: an open that was
 * planted into it.  Each test is a process of its own, as there is no way back;
 * its exit status says which of its steps failed, 0: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cli/confined.h"
#include "confine/places.h"
#include "confine/wanted.h"
#include "scratch.h"

static int in_child(int (*step)(void))
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(step());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool refused(const char *path, int flags)
{
	return !opens(path, flags) && errno == EACCES;
}

static const char *const names[] = { "traces/sda", "dirs/run" };

/* what is read, and a directory for what is written */
static int reader(void)
{
	const struct confined c = { .names = names, .count = 2,
				    .outputs = { "out/text", "-" } };

	confined_enter(&c);
	if (!refused("/etc/passwd", O_RDONLY) || !refused("/", O_RDONLY))
		return 1;
	if (!opens("traces/sda.blktrace.0", O_RDONLY) ||
	    !opens("traces", O_RDONLY))
		return 2;
	/* they lead to other places */
	if (!opens("traces/sda.blktrace.1", O_RDONLY) ||
	    !opens("dirs/run/1/sda.blktrace.0", O_RDONLY))
		return 3;
	if (!refused("traces/other", O_RDONLY) ||
	    !refused("elsewhere/secret", O_RDONLY))
		return 4;
	if (!refused("traces/sda.blktrace.0", O_WRONLY) ||
	    !refused("traces/new", O_WRONLY | O_CREAT))
		return 5;
	if (!opens("out/text.part", O_WRONLY | O_CREAT | O_TRUNC) ||
	    rename("out/text.part", "out/text") || unlink("out/text"))
		return 6;
	return opens("/dev/null", O_WRONLY) ? 0 : 7;
}

/* one that keeps positions beside traces, of a directory */
static int keeper(void)
{
	static const char *const sda[] = { "sda", "/dev/sdb" };
	const struct confined c = { .directory = "traces", .names = sda,
				    .count = 2, .keeps = true };

	confined_enter(&c);
	if (!opens("traces/sda.blktrace.1", O_RDONLY) ||
	    !opens("traces/sda.positions", O_WRONLY | O_CREAT) ||
	    rename("traces/sda.positions", "traces/sda.blktrace.positions"))
		return 1;
	return refused("out/file", O_WRONLY | O_CREAT) &&
	       refused("elsewhere/secret", O_RDONLY) ? 0 : 2;
}

/* what is made, and where links lead that are to be written to */
static int writer(void)
{
	static const char *const sda[] = { "traces/sda" };
	const struct confined c = {
		.names = sda, .count = 1, .beside = ".report",
		.others = "nowhere:elsewhere/one::elsewhere/two",
		.outputs = { "out/later", "out/link", "traces/new/deep/file" },
		.folders = { "dirs/folder/" },
	};

	confined_enter(&c);
	if (!opens("elsewhere/one", O_RDONLY) ||
	    !opens("elsewhere/two", O_RDONLY) ||
	    !refused("elsewhere/two", O_WRONLY))
		return 1;
	if (!opens("out/link", O_WRONLY | O_TRUNC) ||
	    !opens("out/later", O_WRONLY | O_CREAT) ||
	    access("made/later", F_OK))
		return 2;
	if (!opens("traces/sda.report", O_WRONLY | O_CREAT) ||
	    !opens("traces/sda.report.1", O_WRONLY))
		return 3;
	if (mkdir("traces/new", 0700) || mkdir("traces/new/deep", 0700) ||
	    mkdir("dirs/folder", 0700) ||
	    !opens("dirs/folder/file", O_WRONLY | O_CREAT))
		return 4;
	return refused("elsewhere/secret", O_RDONLY) ? 0 : 5;
}

/* standard streams by name */
static int streams(void)
{
	static const char *const in[] = { "/dev/stdin" };
	const struct confined c = { .names = in, .count = 1,
				    .outputs = { "/dev/stdout" } };

	if (!freopen("elsewhere/secret", "r", stdin) ||
	    !freopen("out/lines", "w", stdout))
		return 1;
	confined_enter(&c);
	if (!opens("/dev/stdin", O_RDONLY) ||
	    !opens("/dev/stdout", O_WRONLY | O_TRUNC))
		return 2;
	return refused("/etc/passwd", O_RDONLY) ? 0 : 3;
}

static void make_file(const char *path)
{
	assert_true(opens(path, O_WRONLY | O_CREAT));
}

static void make_places(void)
{
	static const char *const dirs[] = { "traces", "dirs", "dirs/run",
					    "dirs/run/1", "out", "elsewhere",
					    "made" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		assert_int_equal(mkdir(dirs[i], 0700), 0);
	make_file("traces/sda.blktrace.0");
	make_file("elsewhere/secret");
	make_file("elsewhere/one");
	make_file("elsewhere/two");
	make_file("made/old");
	assert_int_equal(symlink("../made/later", "out/later"), 0);
	assert_int_equal(symlink("../made/old", "traces/sda.report.1"), 0);
	assert_int_equal(symlink("../made/old", "out/link"), 0);
	assert_int_equal(symlink("../elsewhere/one", "traces/sda.blktrace.1"),
			 0);
	assert_int_equal(symlink("../elsewhere/secret", "traces/other"), 0);
	assert_int_equal(symlink("../../../elsewhere/two",
				 "dirs/run/1/sda.blktrace.0"), 0);
}

static void test_confined(void **state)
{
	(void)state;
	if (!places_version() || !confine_is_wanted())
		skip();
	make_places();
	assert_int_equal(in_child(reader), 0);
	assert_int_equal(in_child(keeper), 0);
	assert_int_equal(in_child(streams), 0);
	assert_int_equal(in_child(writer), 0);
}

static int told_not_to(void)
{
	const struct confined c = { .count = 0 };

	setenv("BLKTRACE_NO_SANDBOX", "1", 1);
	confined_enter(&c);
	return opens("/etc/passwd", O_RDONLY) ? 0 : 1;
}

static void test_not(void **state)
{
	(void)state;
	assert_int_equal(in_child(told_not_to), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_confined),
		IN_SCRATCH(test_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
