/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU times: lines of /proc/stat, and that what is written of them is read. */
#include "make.h"
#include "tools/iowatcher/cpu_times.h"
#include "tools/iowatcher/live.h"
#include "tools/iowatcher/mpstat.h"

static void test_lines(void **state)
{
	struct cpu_counts c;

	(void)state;
	assert_true(cpu_counts_parse(&c, "cpu  1 2 3 4 5 6 7 8 9 10\n"));
	assert_int_equal(c.cpu, -1);
	assert_int_equal(c.n[CPU_COUNTS_USER], 1);
	assert_int_equal(c.n[CPU_COUNTS_GUEST_NICE], 10);
	assert_true(cpu_counts_parse(&c, "cpu17 1 2 3 4\n"));
	assert_int_equal(c.cpu, 17);
	assert_int_equal(c.n[CPU_COUNTS_IDLE], 4);
	assert_int_equal(c.n[CPU_COUNTS_IOWAIT], 0);
	assert_false(cpu_counts_parse(&c, "cpu 1 2 3\n"));
	assert_false(cpu_counts_parse(&c, "cpux 1 2 3 4\n"));
	assert_false(cpu_counts_parse(&c, "cpus 1 2 3 4\n"));
	assert_false(cpu_counts_parse(&c, "intr 1 2 3 4\n"));
	assert_false(cpu_counts_parse(&c, ""));
}

static void test_samples(void **state)
{
	char text[1 << 18];
	FILE *f = fmemopen(text, sizeof(text), "w+");
	struct cpu_times times = { .end = 0 };
	struct cpu_sampler s;

	(void)state;
	assert_non_null(f);
	assert_int_equal(cpu_sampler_init(&s, f), 0);
	assert_int_equal(cpu_sampler_next(&s), 0);
	assert_int_equal(cpu_sampler_next(&s), 0);
	cpu_sampler_free(&s);
	rewind(f);
	assert_int_equal(mpstat_read(&times, f), 0);
	for (int i = 0; i < CPU_KINDS; i++)
		assert_int_equal(times.mean[i].count, 2);
	cpu_times_free(&times);
	fclose(f);
	/* 1.3.0: finds the numbers by this line */
	assert_non_null(strstr(text, "  CPU    %usr   %nice    %sys %iowait"
			       "    %irq   %soft  %steal  %guest  %gnice"
			       "   %idle\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
