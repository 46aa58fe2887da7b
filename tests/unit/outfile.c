/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that a program writes: what arrives, and which failures it reports. */
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zlib.h>

#include "cli/outfile.h"
#include "heard.h"

enum { SIZE = 16 };

/* what is written arrives with the flush, over what the file had */
static void test_written(void **state)
{
	struct outfile f;

	(void)state;
	put("out", "what was there before");
	outfile_open(&f, "out", SIZE);
	assert_true(f.open);
	assert_false(outfile_is_stdout(&f));
	check_text("out", "");
	buf_append(&f.buf, "text", 4);
	assert_true(outfile_check(&f, ""));
	assert_true(outfile_flush(&f, ""));
	check_text("out", "text");
	assert_true(outfile_close(&f));
	assert_true(outfile_close(&f));
}

/* without a path it is standard output, which stays open */
static void test_stdout(void **state)
{
	struct outfile f;

	(void)state;
	hear(STDOUT_FILENO);
	outfile_open(&f, NULL, SIZE);
	assert_true(outfile_is_stdout(&f));
	buf_append(&f.buf, "text", 4);
	outfile_flush(&f, "");
	assert_true(outfile_close(&f));
	assert_true(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
	check_heard("text");
}

/* a pipe has room for a buffer, one that had more keeps it */
static void test_pipe(void **state)
{
	enum { SMALL = 4096, WIDE = 262144, WIDER = 524288 };
	struct outfile f;
	int end;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	end = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_true(fcntl(end, F_SETPIPE_SZ, SMALL) >= 0);
	outfile_open(&f, "fifo", WIDE);
	assert_true(fcntl(end, F_GETPIPE_SZ) >= WIDE);
	assert_true(outfile_close(&f));
	assert_true(fcntl(end, F_SETPIPE_SZ, WIDER) >= 0);
	outfile_open(&f, "fifo", WIDE);
	assert_true(fcntl(end, F_GETPIPE_SZ) >= WIDER);
	assert_true(outfile_close(&f));
	close(end);
}

/* a failure is reported once, and stays */
static void test_full(void **state)
{
	struct outfile f;

	(void)state;
	outfile_open(&f, "/dev/full", SIZE);
	buf_append(&f.buf, "more than there is room for", 27);
	hear(STDERR_FILENO);
	assert_false(outfile_check(&f, ", it ends here"));
	assert_false(outfile_flush(&f, ""));
	assert_false(f.open);
	assert_false(outfile_close(&f));
	check_heard("outfile: cannot write /dev/full, it ends here: No space"
		    " left on device\n");
}

/* packed, and all of it, though it is more than fits in the buffer */
static void test_packed(void **state)
{
	char line[32], back[32];
	struct outfile f;
	gzFile in;

	(void)state;
	outfile_open_packed(&f, NULL, "out.gz", SIZE);
	assert_false(outfile_is_stdout(&f));
	for (int i = 0; i < 3000; i++)
		buf_printf(&f.buf, "line %d\n", i);
	assert_true(outfile_flush(&f, ""));
	assert_true(outfile_close(&f));
	assert_true(outfile_close(&f));
	in = gzopen("out.gz", "r");
	assert_non_null(in);
	for (int i = 0; i < 3000; i++) {
		snprintf(line, sizeof(line), "line %d\n", i);
		assert_non_null(gzgets(in, back, sizeof(back)));
		assert_false(gzdirect(in));
		assert_string_equal(back, line);
	}
	assert_null(gzgets(in, back, sizeof(back)));
	gzclose(in);
}

static void test_packed_full(void **state)
{
	struct outfile f;

	(void)state;
	outfile_open_packed(&f, NULL, "/dev/full", SIZE);
	buf_append(&f.buf, "text", 4);
	assert_true(outfile_flush(&f, ""));
	hear(STDERR_FILENO);
	assert_false(outfile_close(&f));
	assert_false(outfile_close(&f));
	check_heard("outfile: cannot write /dev/full: No space left on"
		    " device\n");
}

/* the signal that ends a child that runs this; 0: it ended by itself */
static int signal_of(void (*run)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid) {
		run();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void write_to_closed_pipe(void)
{
	struct outfile f;
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(ends) || dup2(ends[1], STDOUT_FILENO) < 0)
		_exit(1);
	close(ends[0]);
	outfile_open(&f, NULL, SIZE);
	buf_append(&f.buf, "text", 4);
	outfile_flush(&f, "");
}

/* whole or not there: the old text stands until the end, and if it fails */
static void test_whole(void **state)
{
	struct outfile f;

	(void)state;
	put("out", "old");
	assert_true(outfile_open_whole(&f, NULL, "out", SIZE));
	buf_append(&f.buf, "new text", 8);
	assert_true(outfile_flush(&f, ""));
	check_text("out", "old");
	outfile_discard(&f);
	assert_false(outfile_close(&f));
	check_text("out", "old");
	assert_true(outfile_open_whole(&f, NULL, "out", SIZE));
	buf_append(&f.buf, "new text", 8);
	assert_true(outfile_flush(&f, ""));
	assert_true(outfile_close(&f));
	check_text("out", "new text");
}

/* what cannot be opened is reported, and needs no end */
static void test_whole_refused(void **state)
{
	struct outfile f;

	(void)state;
	hear(STDERR_FILENO);
	assert_false(outfile_open_whole(&f, NULL, "none/out", SIZE));
	assert_false(f.open);
	assert_false(outfile_close(&f));
	check_heard("outfile: cannot write none/out: No such file or"
		    " directory\n");
}

/* a write that failed and that nobody asked about is no whole file */
static void test_whole_full(void **state)
{
	struct outfile f;

	(void)state;
	put("out", "old");
	assert_true(outfile_open_whole(&f, NULL, "out", SIZE));
	f.buf.error = ENOSPC;
	hear(STDERR_FILENO);
	assert_false(outfile_close(&f));
	check_heard("outfile: cannot write out: No space left on device\n");
	check_text("out", "old");
}

/* without a reader the program ends as by SIGPIPE, even where that is off */
static void test_no_reader(void **state)
{
	(void)state;
	hear(STDERR_FILENO);
	assert_int_equal(signal_of(write_to_closed_pipe), SIGPIPE);
	check_heard("");
}

/* whether a thread writes to path, with another file open, and standard error there */
static bool behind(const char *path, const char *other, const char *errors)
{
	struct outfile f, g = { .open = false };
	int before = dup(STDERR_FILENO);
	int fd = open(errors, O_WRONLY);
	bool is;

	outfile_open(&f, path, 4096);
	if (other)
		outfile_open(&g, other, 4096);
	dup2(fd, STDERR_FILENO);
	is = outfile_write_behind(&f, other ? &g : NULL);
	dup2(before, STDERR_FILENO);
	buf_append(&f.buf, "text", 4);
	assert_true(outfile_flush(&f, ""));
	assert_true(outfile_close(&f));
	assert_true(outfile_close(&g));
	close(before);
	close(fd);
	return is;
}

/* only where it takes time, and nothing else comes between */
static void test_behind(void **state)
{
	(void)state;
	assert_true(behind("out", NULL, "/dev/null"));
	check_text("out", "text");
	assert_true(behind("out", "other", "/dev/null"));
	check_text("out", "text");
	assert_false(behind("/dev/null", NULL, "other"));
	assert_false(behind("out", "out", "/dev/null"));
	assert_false(behind("out", NULL, "out"));
	check_text("out", "text");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_written),
		IN_SCRATCH(test_stdout),
		IN_SCRATCH(test_pipe),
		IN_SCRATCH(test_full),
		IN_SCRATCH(test_packed),
		IN_SCRATCH(test_packed_full),
		IN_SCRATCH(test_whole),
		IN_SCRATCH(test_whole_refused),
		IN_SCRATCH(test_whole_full),
		IN_SCRATCH(test_no_reader),
		IN_SCRATCH(test_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
