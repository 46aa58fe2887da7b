/* SPDX-License-Identifier: GPL-2.0-only */
/* The progress line: when it is drawn, what is in it, how it disappears. */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/time.h"
#include "cli/reading.h"
#include "make.h"

static const uint64_t MS = 1000000;
static const uint64_t MIB = 1 << 20;

/* a pipe in place of a terminal */
struct rig {
	int ends[2];
	struct progress_line line;
	char text[1024];
};

static int set_up(void **state)
{
	static char name[] = "prog";
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	assert_int_equal(pipe2(r->ends, O_NONBLOCK), 0);
	program_invocation_short_name = name;
	progress_line_start(&r->line, r->ends[1], 1000 * MS);
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	close(r->ends[0]);
	close(r->ends[1]);
	free(r);
	return 0;
}

/* what has been written since the last look, "" if nothing */
static const char *written(struct rig *r)
{
	ssize_t got = read(r->ends[0], r->text, sizeof(r->text) - 1);

	r->text[got > 0 ? got : 0] = '\0';
	return r->text;
}

/* the line at a time since the start, with so many MiB of 1 GiB done */
static const char *at(struct rig *r, uint64_t ms, uint64_t mib)
{
	progress_line_update(&r->line, mib * MIB, 1024 * MIB,
			     (1000 + ms) * MS);
	return written(r);
}

static void test_line(void **state)
{
	assert_string_equal(at(*state, 4000, 256),
			    "\rprog: 256.0 MiB of 1.0 GiB (25 %), "
			    "64.0 MiB/s, 0:12 left");
}

/* nothing within two seconds, then four lines a second */
static void test_when(void **state)
{
	struct rig *r = *state;
	unsigned int drawn = 0;

	assert_string_equal(at(r, 0, 0), "");
	assert_string_equal(at(r, 1999, 100), "");
	for (uint64_t ms = 2000; ms < 4000; ms += 10)
		drawn += *at(r, ms, ms / 10) != '\0';
	assert_int_equal(drawn, 8);
}

/* a shorter line leaves nothing of the longer one behind */
static void test_shorter(void **state)
{
	struct rig *r = *state;
	size_t longer = strlen(at(r, 4000, 1000));
	size_t shorter = strlen(at(r, 5000, 100));

	assert_int_equal(longer, shorter);
	assert_int_equal(r->text[shorter - 1], ' ');
}

/* gone, and drawn again only when it is due */
static void test_erase(void **state)
{
	struct rig *r = *state;
	size_t len = strlen(at(r, 4000, 256)) - 1;
	char want[200];

	snprintf(want, sizeof(want), "\r%*s\r", (int)len, "");
	progress_line_erase(&r->line);
	assert_string_equal(written(r), want);
	progress_line_erase(&r->line);
	assert_string_equal(written(r), "");
	assert_string_equal(at(r, 4100, 256), "");
	assert_string_not_equal(at(r, 4250, 256), "");
}

/* work of less than two seconds leaves no byte */
static void test_short_work(void **state)
{
	struct rig *r = *state;

	at(r, 1500, 1024);
	progress_line_erase(&r->line);
	assert_string_equal(written(r), "");
}

/* a pipe has no total; a file may grow beyond what it was */
static void test_no_total(void **state)
{
	struct rig *r = *state;

	progress_line_update(&r->line, 100 * MIB, 0, 5000 * MS);
	assert_string_equal(written(r), "\rprog: 100.0 MiB, 25.0 MiB/s");
	progress_line_update(&r->line, 102 * MIB, 101 * MIB, 5250 * MS);
	assert_string_equal(written(r), "\rprog: 102.0 MiB, 24.0 MiB/s");
	progress_line_update(&r->line, 0, 100 * MIB, 5500 * MS);
	assert_non_null(strstr(written(r), "prog: 0.0 KiB, 0.0 KiB/s"));
}

static void test_long_times(void **state)
{
	assert_non_null(strstr(at(*state, 3600000, 1),
			       "(0 %), 0.3 KiB/s, 1023:00:00 left"));
	assert_non_null(strstr(at(*state, 7200000, 512), ", 2:00:00 left"));
	assert_non_null(strstr(at(*state, 7300000, 1024), "(100 %)"));
	assert_non_null(strstr(((struct rig *)*state)->text, ", 0:00 left"));
}

/* nothing is shown, whatever the time */
static void test_no_terminal(void **state)
{
	struct rig *r = *state;

	progress_line_start(&r->line, -1, 0);
	at(r, 100000, 512);
	progress_line_erase(&r->line);
	assert_string_equal(written(r), "");
}

/* a line is cut to one row of a narrow terminal */
static void test_narrow(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 20 };
	struct rig *r = *state;
	int master, slave;

	assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
	progress_line_start(&r->line, slave, 1000 * MS);
	progress_line_update(&r->line, 256 * MIB, 1024 * MIB, 5000 * MS);
	assert_int_equal(r->line.width, 19);
	assert_int_equal(read(master, r->text, sizeof(r->text)), 20);
	assert_memory_equal(r->text, "\rprog: 256.0 MiB of ", 20);
	close(slave);
	close(master);
}

/* a terminal that has gone is tried once */
static void test_gone(void **state)
{
	struct rig *r = *state;

	progress_line_start(&r->line, r->ends[0], 1000 * MS);
	at(r, 4000, 1);
	assert_int_equal(r->line.fd, -1);
	progress_line_erase(&r->line);
}

/* progress_fd() of a wish with this as standard error */
static int fd_with_stderr(int fd, bool wanted)
{
	int kept = dup(STDERR_FILENO), got;

	dup2(fd, STDERR_FILENO);
	got = progress_fd(wanted);
	dup2(kept, STDERR_FILENO);
	close(kept);
	return got;
}

static void test_fd(void **state)
{
	struct rig *r = *state;
	int master, slave;

	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	assert_int_equal(fd_with_stderr(slave, true), STDERR_FILENO);
	assert_int_equal(fd_with_stderr(slave, false), -1);
	assert_int_equal(fd_with_stderr(r->ends[1], true), -1);
	close(slave);
	close(master);
}

static void test_now(void **state)
{
	uint64_t before = time_now();

	(void)state;
	usleep(2000);
	assert_in_range(time_now() - before, 2 * MS, 60000 * MS);
}

#define WITH_RIG(test) \
	cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_RIG(test_line),
		WITH_RIG(test_when),
		WITH_RIG(test_shorter),
		WITH_RIG(test_erase),
		WITH_RIG(test_short_work),
		WITH_RIG(test_no_total),
		WITH_RIG(test_long_times),
		WITH_RIG(test_no_terminal),
		WITH_RIG(test_narrow),
		WITH_RIG(test_gone),
		WITH_RIG(test_fd),
		cmocka_unit_test(test_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
