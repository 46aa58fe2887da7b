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

#include "base/place.h"
#include "cli/confined.h"
#include "confine/places.h"
#include "confine/wanted.h"
#include "scratch.h"

#define SEGMENT "0001-2026-01-30-14:00:01"
#define SEGMENT_DIR "dirs/run/" SEGMENT

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

static bool asks(const struct opener *o, const char *path)
{
	int fd = opener_open(o, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			     0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* the opener refuses it, too */
static bool no_use(const struct opener *o, const char *path)
{
	return !asks(o, path) && errno == EACCES;
}

static const char *const names[] = { "traces/sda", "dirs/run", "-" };

/* files of traces by their names, and files that are written */
static int reader(void)
{
	const struct writable outputs[] = {
		{ .name = "out/text" }, { .name = "-" }, { .name = NULL },
	};
	const struct confined c = {
		.traces = { .names = names, .count = 3 },
		.outputs = outputs, .output_count = 3,
	};
	const struct opener o = confined_enter(&c);
	char *part = place_part("out/text");

	if (!refused("/etc/passwd", O_RDONLY) || !refused("/", O_RDONLY))
		return 1;
	if (!opens("traces/sda.blktrace.0", O_RDONLY) ||
	    !opens("traces", O_RDONLY))
		return 2;
	/* they lead to other places */
	if (!opens("traces/sda.blktrace.1", O_RDONLY) ||
	    !opens(SEGMENT_DIR "/sda.blktrace.0", O_RDONLY))
		return 3;
	if (!refused("traces/other", O_RDONLY) ||
	    !refused("traces/beside", O_RDONLY) ||
	    !refused("elsewhere/secret", O_RDONLY))
		return 4;
	if (!refused("traces/sda.blktrace.0", O_WRONLY) ||
	    !refused("traces/new", O_WRONLY | O_CREAT) ||
	    !refused("out/text", O_WRONLY | O_CREAT))
		return 5;
	if (!asks(&o, part) || opener_rename(&o, part, "out/text") ||
	    opener_remove(&o, "out/text"))
		return 6;
	if (!no_use(&o, "out/other") || !no_use(&o, "traces/sda.blktrace.0"))
		return 7;
	free(part);
	return opens("/dev/null", O_WRONLY) ? 0 : 8;
}

/* nothing is named */
static int pipe_reader(void)
{
	const struct confined c = {
		.traces = { .names = names + 2, .count = 1 },
	};

	if (confined_enter(&c).fd)
		return 1;
	return refused("traces/sda.blktrace.0", O_RDONLY) &&
	       refused(".", O_RDONLY) && refused("x", O_WRONLY | O_CREAT) &&
	       refused("out/link", O_WRONLY) ? 0 : 2;
}

/* what is made, and where links lead that are to be written to */
static int writer(void)
{
	static const char *const sda[] = { "sda" }, *const log = "out/log";
	const struct writable outputs[] = {
		{ .name = "out/later" }, { .name = "out/link" },
		{ WRITABLE_BEGIN, .name = "traces/sda.", .has = "report" },
		{ WRITABLE_FOLDER, .name = "traces/new/deep/" },
		{ WRITABLE_FOLDER, .name = "dirs/folder" },
		{ WRITABLE_TREES, .name = "out/saved-" },
	};
	const struct confined c = {
		.traces = { .directory = "traces", .names = sda, .count = 1,
			    .positions = true },
		.files = &log, .file_count = 1,
		.others = "nowhere:elsewhere/one::elsewhere/two",
		.outputs = outputs, .output_count = 6,
	};
	const struct opener o = confined_enter(&c);

	if (!opens("elsewhere/one", O_RDONLY) ||
	    !opens("elsewhere/two", O_RDONLY) || !opens(log, O_RDONLY) ||
	    !refused("elsewhere/two", O_WRONLY))
		return 1;
	if (!asks(&o, "out/link") || !asks(&o, "out/later") ||
	    access("made/later", F_OK))
		return 2;
	/* that leads out of it, and may be somebody else's */
	if (!asks(&o, "traces/sda.report") || !no_use(&o, "traces/sda.") ||
	    !no_use(&o, "traces/sda.report.1"))
		return 3;
	if (opener_mkdir(&o, "traces/new", 0700) ||
	    opener_mkdir(&o, "traces/new/deep", 0700) ||
	    opener_mkdir(&o, "dirs/folder/sub", 0700) != -1 ||
	    opener_mkdir(&o, "dirs/folder", 0700) ||
	    !asks(&o, "dirs/folder/file"))
		return 4;
	if (opener_mkdir(&o, "out/saved-1", 0700) || !asks(&o, "out/saved-1/x") ||
	    !no_use(&o, "out/saved-1/../../traces/x") || !no_use(&o, "other"))
		return 5;
	/* positions are made by their one name */
	if (!asks(&o, "traces/.sda.blktrace.0.positions") ||
	    !opens("traces/.sda.blktrace.0.positions", O_RDONLY) ||
	    !no_use(&o, "traces/.sda.blktrace.0.part") ||
	    !no_use(&o, "traces/.other.positions"))
		return 6;
	return refused("elsewhere/secret", O_RDONLY) ? 0 : 7;
}

/* standard streams by name */
static int streams(void)
{
	static const char *const in[] = { "/dev/stdin" };
	const struct writable out = { .name = "/dev/stdout" };
	const struct confined c = { .traces = { .names = in, .count = 1 },
				    .outputs = &out, .output_count = 1 };
	struct opener o;

	if (!freopen("elsewhere/secret", "r", stdin) ||
	    !freopen("out/lines", "w", stdout))
		return 1;
	o = confined_enter(&c);
	if (!opens("/dev/stdin", O_RDONLY) || !asks(&o, "/dev/stdout") ||
	    refused("out/lines", O_WRONLY))
		return 2;
	return refused("/etc/passwd", O_RDONLY) && no_use(&o, "out/other") ?
	       0 : 3;
}

static void make_file(const char *path)
{
	assert_true(opens(path, O_WRONLY | O_CREAT));
}

static void make_places(void)
{
	static const char *const dirs[] = { "traces", "dirs", "dirs/run",
					    SEGMENT_DIR, "out", "elsewhere",
					    "made" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		assert_int_equal(mkdir(dirs[i], 0700), 0);
	make_file("traces/sda.blktrace.0");
	make_file("traces/beside");
	make_file("traces/.sda.blktrace.0.positions");
	make_file("out/log");
	make_file("elsewhere/secret");
	make_file("elsewhere/one");
	make_file("elsewhere/two");
	make_file("made/old");
	assert_int_equal(symlink("../made/later", "out/later"), 0);
	assert_int_equal(symlink("../elsewhere/secret",
				 "traces/sda.report.1"), 0);
	assert_int_equal(symlink("../made/old", "out/link"), 0);
	assert_int_equal(symlink("../elsewhere/one", "traces/sda.blktrace.1"),
			 0);
	assert_int_equal(symlink("../elsewhere/secret", "traces/other"), 0);
	assert_int_equal(symlink("../../../elsewhere/two",
				 SEGMENT_DIR "/sda.blktrace.0"), 0);
}

static void test_confined(void **state)
{
	(void)state;
	if (!places_version() || !confine_is_wanted())
		skip();
	make_places();
	assert_int_equal(in_child(reader), 0);
	assert_int_equal(in_child(pipe_reader), 0);
	assert_int_equal(in_child(streams), 0);
	assert_int_equal(in_child(writer), 0);
}

static int told_not_to(void)
{
	const struct confined c = { .files = NULL };

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
