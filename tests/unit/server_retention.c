/* SPDX-License-Identifier: GPL-2.0-only */
/* Which runs a collector removes, on a clock of its own. */
#include <fcntl.h>
#include <sys/stat.h>

#include "heard.h"
#include "server/report.h"
#include "server/retention.h"
#include "server/store.h"
#include "server_reporter.h"

enum { HOUR = 3600, WHEN = 1234567890 };	/* 2009-02-13 23:31:30 UTC */

struct rig {
	struct report report;
	struct store *store;
	struct retention *retention;
	void *scratch;
	char host[64];		/* of the run that was removed last, */
	uint64_t bytes, files;	/* and of all of them */
};

static void on_removed(void *ctx, const char *host, uint64_t bytes,
		       uint64_t files)
{
	struct rig *r = ctx;

	snprintf(r->host, sizeof(r->host), "%s", host);
	r->bytes += bytes;
	r->files += files;
}

static int enter(void **state)
{
	const struct store_options o = { "store", 0, 4 };
	struct rig *r = calloc(1, sizeof(*r));

	*state = r;
	if (!r || scratch_enter(&r->scratch) || store_new(&r->store, &o))
		return 1;
	hear(STDERR_FILENO);
	return report_open(&r->report, -1, &server_reporter, false);
}

static int leave(void **state)
{
	struct rig *r = *state;

	retention_free(r->retention);
	store_free(r->store);
	report_close(&r->report);
	scratch_leave(&r->scratch);
	free(r);
	return 0;
}

static void keep(struct rig *r, const struct retention_limits *l)
{
	const struct retention_options o = {
		.store = r->store, .report = &r->report, .limits = *l,
		.removed = on_removed, .ctx = r,
	};

	r->retention = retention_new(&o);
	assert_non_null(r->retention);
}

/* all that is to be done at that time */
static void tidy_up(struct rig *r, time_t now)
{
	int steps = 0;

	while (retention_step(r->retention, now, now))
		assert_true(++steps < 10000);
}

/* the same with a clock that was set */
static void tidy_up_at(struct rig *r, time_t now, time_t steady)
{
	while (retention_step(r->retention, now, steady))
		;
}

/* a run with a file of so many bytes, which ended then */
static void put_run(const char *name, time_t end, size_t bytes)
{
	const struct timespec at[] = { { end, 0 }, { end, 0 } };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "store/%s", name);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "store/%s/sda.blktrace.0", name);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	assert_int_equal(futimens(fd, at), 0);
	assert_int_equal(close(fd), 0);
	snprintf(path, sizeof(path), "store/%s", name);
	assert_int_equal(utimensat(AT_FDCWD, path, at, 0), 0);
}

static bool is_there(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "store/%s", name);
	return !access(path, F_OK);
}

#define RUN(text) "web1-2009-02-13-" text

static void test_names(void **state)
{
	(void)state;
	assert_true(retention_is_run("192.0.2.1-2009-02-13-23:31:30"));
	assert_true(retention_is_run("fe80::1%eth0-2009-02-13-23:31:30-12"));
	assert_true(retention_is_run("web-1-2009-02-13-23:31:30-2"));
	assert_false(retention_is_run("-2009-02-13-23:31:30"));
	assert_false(retention_is_run("-2009-02-13-23:31:30-2"));
	assert_false(retention_is_run("web1-2009-02-13-23:31"));
	assert_false(retention_is_run("web1-2009-02-13-23:31:30-"));
	assert_false(retention_is_run("web1-2009-02-13-23:31:30-x"));
	assert_false(retention_is_run(".x-2009-02-13-23:31:30"));
	assert_false(retention_is_run("notes") || retention_is_run(""));
}

/* those whose time is over; what is no run stays */
static void test_age(void **state)
{
	struct rig *r = *state;

	put_run(RUN("20:00:00"), WHEN - 3 * HOUR, 100);
	put_run(RUN("21:00:00"), WHEN - 2 * HOUR, 10);
	put_run("notes", WHEN - 9 * HOUR, 1);
	keep(r, &(struct retention_limits){ .age = 2 * HOUR });
	tidy_up(r, WHEN);
	assert_false(is_there(RUN("20:00:00")));
	assert_true(is_there(RUN("21:00:00")) && is_there("notes"));
	assert_string_equal(r->host, "web1");
	assert_int_equal(r->bytes, 100);
	assert_int_equal(r->files, 2);
	/* not before the next look */
	tidy_up(r, WHEN + 1);
	assert_true(is_there(RUN("21:00:00")));
	tidy_up(r, WHEN + RETENTION_EVERY);
	assert_false(is_there(RUN("21:00:00")));
	assert_true(is_there("notes"));
	assert_int_equal(retention_removed(r->retention, &r->bytes), 2);
	assert_int_equal(r->bytes, 110);
	check_heard("");
}

/* more files than go in a step */
static void test_large(void **state)
{
	struct rig *r = *state;
	char path[128];

	put_run(RUN("20:00:00"), WHEN - 9 * HOUR, 1);
	for (int i = 1; i < 3000; i++) {
		snprintf(path, sizeof(path), "store/%s/sda.blktrace.%d",
			 RUN("20:00:00"), i);
		assert_int_equal(mknod(path, S_IFREG | 0600, 0), 0);
	}
	keep(r, &(struct retention_limits){ .age = HOUR });
	tidy_up(r, time(NULL) + 2 * HOUR);
	assert_false(is_there(RUN("20:00:00")));
	assert_int_equal(r->files, 3001);
	check_heard("");
}

/* the one that ended first is the first, whatever its name */
static void test_bytes(void **state)
{
	struct rig *r = *state;

	put_run(RUN("20:00:00"), WHEN - 1, 400);
	put_run(RUN("21:00:00-2"), WHEN - 3, 400);
	put_run(RUN("22:00:00"), WHEN - 2, 400);
	keep(r, &(struct retention_limits){ .bytes = 800 });
	tidy_up(r, WHEN);
	assert_false(is_there(RUN("21:00:00-2")));
	assert_true(is_there(RUN("20:00:00")) && is_there(RUN("22:00:00")));
	assert_string_equal(r->host, "web1");
}

/* whatever its age, and although its bytes count */
static void test_written(void **state)
{
	struct rig *r = *state;
	struct store_dir *dir;
	struct store_file *file;
	size_t stored;

	assert_int_equal(store_dir_new(r->store, "web1", WHEN, &dir), 0);
	file = store_file_new(dir, "sda", 0);
	assert_int_equal(store_file_write(file, "12345", 5, &stored), 0);
	put_run(RUN("20:00:00"), WHEN, 5);
	keep(r, &(struct retention_limits){ .bytes = 9 });
	tidy_up(r, time(NULL) + 9 * HOUR);
	assert_true(is_there(store_dir_name(dir)));
	assert_false(is_there(RUN("20:00:00")));
	store_file_free(file);
	store_dir_free(dir);
	tidy_up(r, time(NULL) + 10 * HOUR);
	assert_true(is_there("web1-2009-02-13-23:31:30"));
}

/* what holds something else is reported, and the others go */
static void test_stuck(void **state)
{
	struct rig *r = *state;

	put_run(RUN("20:00:00"), WHEN - 9 * HOUR, 1);
	assert_int_equal(mkdir("store/" RUN("20:00:00") "/sub", 0700), 0);
	put_run(RUN("21:00:00"), WHEN - 8 * HOUR, 1);
	keep(r, &(struct retention_limits){ .age = HOUR });
	tidy_up(r, time(NULL) + 9 * HOUR);
	assert_false(is_there(RUN("21:00:00")));
	assert_true(is_there(RUN("20:00:00") "/sub"));
	check_heard("*: server: cannot remove " RUN("20:00:00") ": *\n");
}

/* a run each hour for three days, half of it kept; and the clock is set back */
static void test_72_hours(void **state)
{
	struct rig *r = *state;
	time_t now = WHEN;

	keep(r, &(struct retention_limits){ .age = 24 * HOUR,
					    .bytes = 12 * 1000 });
	for (int i = 0; i < 72; i++, now += HOUR) {
		char name[64];

		snprintf(name, sizeof(name), "web%d-2009-02-%02d-%02d:00:00",
			 i % 3, 10 + i / 24, i % 24);
		put_run(name, now, 1000);
		for (time_t t = now; t < now + HOUR; t += 30)
			tidy_up(r, t);
	}
	assert_int_equal(retention_removed(r->retention, &r->bytes), 60);
	tidy_up(r, now - 72 * HOUR);
	assert_int_equal(retention_removed(r->retention, &r->bytes), 60);
	tidy_up(r, now + 48 * HOUR);
	assert_int_equal(retention_removed(r->retention, &r->bytes), 72);
	check_heard("");
}

#define RUN_IN_RIG(f) cmocka_unit_test_setup_teardown(f, enter, leave)

/* a clock that was set forward makes all runs old, and may be wrong */
static void test_clock(void **state)
{
	const struct retention_limits l = { .age = 24 * HOUR };
	struct rig *r = *state;

	put_run("web1-2009-02-13-23:31:30", WHEN, 10);
	keep(r, &l);
	tidy_up_at(r, WHEN, 1000);
	tidy_up_at(r, WHEN + 365 * 24 * HOUR, 1100);
	tidy_up_at(r, WHEN + 365 * 24 * HOUR + 7200, 8300);
	assert_int_equal(retention_removed(r->retention, &r->bytes), 0);
	/* it was right after all */
	tidy_up_at(r, WHEN + 366 * 24 * HOUR + 100, 1100 + 24 * HOUR + 100);
	assert_int_equal(retention_removed(r->retention, &r->bytes), 1);
	check_heard("*: server: the clock was set forward by 31535900 s: for a"
		    " day no run is removed by its age (--keep)\n*");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		RUN_IN_RIG(test_age),
		RUN_IN_RIG(test_large),
		RUN_IN_RIG(test_bytes),
		RUN_IN_RIG(test_written),
		RUN_IN_RIG(test_stuck),
		RUN_IN_RIG(test_72_hours),
		RUN_IN_RIG(test_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
