/* SPDX-License-Identifier: GPL-2.0-only */
/* mpstat's formats: the same numbers from each, whatever is around them. */
#include <math.h>

#include "make.h"
#include "tools/iowatcher/cpu_times.h"
#include "tools/iowatcher/mpstat.h"

static struct cpu_times times_of(const char *text)
{
	struct cpu_times c = { .end = 0 };
	size_t len = strlen(text);
	FILE *f = fmemopen((void *)text, len ? len : 1, "r");

	assert_non_null(f);
	assert_int_equal(mpstat_read(&c, f), 0);
	fclose(f);
	return c;
}

static void check_point(const struct cpu_points *p, size_t i, double x,
			double y)
{
	assert_true(i < p->count);
	assert_true(fabs(p->x[i] - x) < 1e-9);
	assert_true(fabs(p->y[i] - y) < 1e-9);
}

/* two records of a second, two CPUs, of which one is busy in the second */
static void check_two(struct cpu_times *c)
{
	assert_int_equal(c->mean[CPU_IO].count, 2);
	check_point(&c->mean[CPU_IO], 0, 0.5, 20);
	check_point(&c->mean[CPU_IO], 1, 1.5, 30.5);
	check_point(&c->mean[CPU_USER], 0, 0.5, 10);
	check_point(&c->mean[CPU_SYS], 1, 1.5, 5);
	check_point(&c->mean[CPU_IRQ], 1, 1.5, 1);
	check_point(&c->mean[CPU_SOFT], 1, 1.5, 2);
	assert_int_equal(c->high[CPU_IO].count, 1);
	check_point(&c->high[CPU_IO], 0, 1.5, 61);
	assert_int_equal(c->high[CPU_USER].count, 0);
	assert_true(c->end == 2);
	cpu_times_free(c);
}

static void test_twelve_hours(void **state)
{
	struct cpu_times c = times_of(
"Linux 3.10.0 (host) \t11/22/2026 \t_x86_64_\t(2 CPU)\n"
"\n"
"12:59:59 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft   %idle\n"
"12:59:59 PM  all   10.00    0.00    5.00   20.00    1.00    2.00   62.00\n"
"12:59:59 PM    0   10.00    0.00    5.00   20.00    1.00    2.00   62.00\n"
"12:59:59 PM    1   10.00    0.00    5.00   20.00    1.00    2.00   62.00\n"
"\n"
"01:00:00 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft   %idle\n"
"01:00:00 PM  all   10.00    0.00    5.00   30.50    1.00    2.00   51.50\n"
"01:00:00 PM    0   10.00    0.00    5.00    0.00    1.00    2.00   82.00\n"
"01:00:00 PM    1   10.00    0.00    5.00   61.00    1.00    2.00   21.00\n"
"\n"
"Average:     CPU    %usr   %nice    %sys %iowait    %irq   %soft   %idle\n"
"Average:     all   99.00   99.00   99.00   99.00   99.00   99.00   99.00\n");

	(void)state;
	check_two(&c);
}

/* another clock, decimal commas, other columns, and no row of all CPUs */
static void test_other_columns(void **state)
{
	struct cpu_times c = times_of(
"23:59:59 CPU %usr %nice %sys %iowait %irq %soft %steal %guest %gnice %idle\n"
"23:59:59   0 10,00  0,00 5,00   20,00 1,00  2,00   0,00   0,00   0,00 62,00\n"
"23:59:59   1 10,00  0,00 5,00   20,00 1,00  2,00   0,00   0,00   0,00 62,00\n"
"00:00:00 CPU %iowait %usr %nice %sys %irq %soft %idle\n"
"00:00:00   0    0,00 10,0  0,00 5,00 1,00  2,00 82,00\n"
"00:00:00   1   61,00 10,0  0,00 5,00 1,00  2,00 21,00\n");

	(void)state;
	check_two(&c);
}

static void test_json(void **state)
{
	struct cpu_times c = times_of(
"{\"sysstat\": {\"hosts\": [{\"nodename\": \"a \\\"cpu\\\": 1\",\n"
" \"number-of-cpus\": 2, \"statistics\": [\n"
" {\"timestamp\": \"10:00:01\", \"cpu-load\": [\n"
"  {\"cpu\": \"all\", \"usr\": 10.00, \"nice\": 0.00, \"sys\": 5.00,"
" \"iowait\": 20.00, \"irq\": 1.00, \"soft\": 2.00, \"idle\": 62.00},\n"
"  {\"cpu\": \"0\", \"usr\": 10.00, \"sys\": 5.00, \"iowait\": 20.00,"
" \"irq\": 1.00, \"soft\": 2.00}]},\n"
" {\"timestamp\": \"10:00:02\", \"cpu-load\": [\n"
"  {\"cpu\": -1, \"usr\": 10.00, \"sys\": 5.00, \"iowait\": 30.50,"
" \"irq\": 1, \"soft\": 2},\n"
"  {\"cpu\": 0, \"usr\": 10, \"sys\": 5, \"iowait\": 0, \"irq\": 1,"
" \"soft\": 2},\n"
"  {\"cpu\": 1, \"usr\": 10, \"sys\": 5, \"iowait\": 61.0, \"irq\": 1,"
" \"soft\": 2}]}]}]}}\n");

	(void)state;
	check_two(&c);
}

/* what is none of mpstat's has nothing in it, and does no harm */
static void test_garbage(void **state)
{
	static const char *const texts[] = {
		"", " \n", "hello\n", "{", "{\"cpu\": \"", "{\"cpu\": 1}",
		"{\"timestamp\": {\"timestamp\": [}}}}]", "{\\\\\\",
		"CPU %usr\nall 1\n", "10:00:00 CPU\n10:00:00 all\n",
		"x CPU %usr\nx all\nx all 1 2 3\nx 77777x y\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct cpu_times c = times_of(texts[i]);

		assert_int_equal(c.mean[CPU_IO].count, 0);
		cpu_times_free(&c);
	}
}

static void test_numbers(void **state)
{
	struct cpu_times c = times_of("x CPU %usr %sys\nx 0 nan 1e300\n"
				      "x 1 -5 96\n");

	(void)state;
	check_point(&c.mean[CPU_USER], 0, 0.5, 0);
	check_point(&c.mean[CPU_SYS], 0, 0.5, 98);
	assert_int_equal(c.high[CPU_SYS].count, 2);
	cpu_times_free(&c);
}

static void test_any_bytes(void **state)
{
	static const char *const words[] = {
		"CPU", "%usr", "%sys", "all", "0", "10:00:00", "AM", "\n", " ",
		"{", "}", "\"cpu\"", ":", ",", "[", "\"timestamp\"", "\"all\"",
		"1e9", "\"", "\\", "Average:", "7",
	};
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		char text[512] = "";
		struct cpu_times c;

		while (strlen(text) < 480) {
			strcat(text, words[chance(&seed) %
					   (sizeof(words) / sizeof(*words))]);
			strcat(text, chance(&seed) % 2 ? " " : "");
		}
		c = times_of(text);
		cpu_times_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twelve_hours),
		cmocka_unit_test(test_other_columns),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
