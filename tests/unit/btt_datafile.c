/* SPDX-License-Identifier: GPL-2.0-only */
/* Data files: when they are there in the end, and what is in them. */
#include <sys/stat.h>
#include <unistd.h>

#include "make.h"
#include "tools/btt/datafile.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/seconds.h"

static bool is_there(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

static void check_file(const char *path, const char *want)
{
	char text[256] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	assert_string_equal(text, want);
	unlink(path);
}

static void test_empty(void **state)
{
	(void)state;
	assert_true(datafile_close(datafile_open(NULL, "file"),
				   DATAFILE_DROP_EMPTY));
	assert_false(is_there("file"));
	assert_true(datafile_close(datafile_open(NULL, "file"), DATAFILE_KEEP));
	check_file("file", "");
}

static void test_names(void **state)
{
	struct datafile *f = datafile_open_for(NULL, "name", "8,0", "_d2c.dat");

	(void)state;
	datafile_printf(f, "%d %s\n", 7, "words");
	assert_true(datafile_close(f, DATAFILE_DROP_EMPTY));
	check_file("name_8,0_d2c.dat", "7 words\n");
	f = datafile_open_here(NULL, "8,0", "_iops_fp.dat");
	assert_true(datafile_close(f, DATAFILE_KEEP));
	check_file("8,0_iops_fp.dat", "");
}

/* a file that nobody wants, or that cannot be, takes everything silently */
static void test_none(void **state)
{
	struct datafile *f = datafile_open_for(NULL, NULL, "8,0", ".dat");

	(void)state;
	assert_null(f);
	assert_null(datafile_room(f, 10));
	datafile_printf(f, "%d\n", 7);
	datafile_restart(f);
	assert_true(datafile_close(f, DATAFILE_DROP_EMPTY));
	assert_null(datafile_open(NULL, "no such directory/file"));
}

static void test_restart(void **state)
{
	struct datafile *f = datafile_open(NULL, "file");

	(void)state;
	for (int i = 0; i < 5000; i++)
		datafile_printf(f, "%d\n", i);
	datafile_restart(f);
	datafile_printf(f, "again\n");
	assert_true(datafile_close(f, DATAFILE_DROP_EMPTY));
	check_file("file", "again\n");
}

static void test_full(void **state)
{
	struct datafile *f = datafile_open(NULL, "/dev/full");

	(void)state;
	datafile_printf(f, "text\n");
	assert_false(datafile_close(f, DATAFILE_DROP_EMPTY));
}

/* --- seeks per second --------------------------------------------------- */

static const struct { bool queue; double time; } seeks[] = {
	{ false, 0 }, { false, 0.5 }, { true, 1 }, { true, 1.5 },
	{ false, 1.75 }, { true, 2 }, { false, 3 }, { true, 3.5 },
};

static void seek(struct per_second *s, bool queues)
{
	for (size_t i = 0; i < sizeof(seeks) / sizeof(*seeks); i++) {
		uint64_t time = (uint64_t)(seeks[i].time * NS_PER_SECOND);

		if (!seeks[i].queue)
			per_second_issue(s, time);
		else if (queues)
			per_second_queue(s, time);
	}
}

/* each kind has its own file; one that has begun with issues begins anew */
static void test_per_second(void **state)
{
	struct per_second s;

	(void)state;
	per_second_open(&s, NULL, "q", "d", "8,0");
	seek(&s, true);
	assert_true(per_second_close(&s, false));
	check_file("q_8,0.dat", "    1.000000000 4.00\n"
		   "    2.000000000 1.00\n    3.500000000 1.00\n");
	check_file("d_8,0.dat", "    0.000000000 4.00\n"
		   "    1.750000000 1.00\n    3.000000000 1.00\n");
}

static void test_per_second_issues_only(void **state)
{
	struct per_second s;

	(void)state;
	per_second_open(&s, NULL, "q", NULL, "8,0");
	seek(&s, false);
	assert_true(per_second_close(&s, false));
	check_file("q_8,0.dat", "    0.000000000 4.00\n"
		   "    1.750000000 1.00\n    3.000000000 1.00\n");
}

/* a device that passes requests on, never issued to it, seeks nowhere */
static void test_per_second_passes_on(void **state)
{
	struct per_second s;

	(void)state;
	per_second_open(&s, NULL, "q", "d", "8,0");
	per_second_queue(&s, 5);
	assert_true(per_second_close(&s, true));
	assert_false(is_there("q_8,0.dat"));
	assert_false(is_there("d_8,0.dat"));
}

/* where the issues' lines are a byte longer, as it has always been */
static void test_per_second_empty_line(void **state)
{
	struct per_second s;

	(void)state;
	per_second_open(&s, NULL, "q", NULL, "8,0");
	per_second_queue(&s, 5);
	for (int i = 0; i < 10; i++)
		per_second_issue(&s, 5);
	assert_true(per_second_close(&s, false));
	check_file("q_8,0.dat", "    0.000000005 1.00\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_per_second),
		cmocka_unit_test(test_per_second_issues_only),
		cmocka_unit_test(test_per_second_passes_on),
		cmocka_unit_test(test_per_second_empty_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
