/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes by name, and what -e and -D choose. */
#include "make.h"
#include "tools/btt/disk.h"
#include "tools/btt/options.h"
#include "tools/btt/processes.h"
#include "tools/btt/select.h"

static void learn(struct processes *p, uint32_t pid, const char *name)
{
	struct event note = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = pid);

	note = with_payload(note, name, strlen(name));
	processes_set_name(p, &note);
}

static void check(struct processes *p, uint32_t pid, const char *want)
{
	assert_string_equal(processes_get(p, 0, pid)->name, want);
}

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct processes));
	return !*state;
}

static int tear_down(void **state)
{
	processes_free(*state);
	free(*state);
	return 0;
}

static void test_names(void **state)
{
	struct processes *p = *state;

	learn(p, 7, "kworker/0:1");
	learn(p, 8, "kworker/1:0");
	learn(p, 9, "fio");
	learn(p, 9, "other");		/* the first stays */
	learn(p, 0, "swapper/3");
	learn(p, 5, "");		/* tells nothing */
	check(p, 7, "kworker");
	check(p, 9, "fio");
	check(p, 0, "kernel");
	check(p, 5, "pid000000005");
	check(p, 4000000000u, "pid4000000000");
	assert_ptr_equal(processes_get(p, 0, 7), processes_get(p, 0, 8));
	learn(p, 5, "late");		/* it has its name already */
	check(p, 5, "pid000000005");
}

/* hosts have pids of their own */
static void test_origins(void **state)
{
	struct processes *p = *state;

	learn(p, 7, "fio");
	assert_string_equal(processes_get(p, 1, 7)->name, "pid000000007");
}

/* a cgroup id in front, no NUL behind, far too long */
static void test_hostile_names(void **state)
{
	static char bytes[60000];
	struct processes *p = *state;
	struct event note = EVENT(.pid = 1, .action =
		NOTE(BLK_TN_PROCESS) | BLK_CGROUP_FLAG);

	note = with_payload(note, "\1\2\3\4\5\6\7\10name", 12);
	processes_set_name(p, &note);
	check(p, 1, "name");
	memset(bytes, 'x', sizeof(bytes));
	note = EVENT(.pid = 2, .action = NOTE(BLK_TN_PROCESS));
	note = with_payload(note, bytes, sizeof(bytes));
	processes_set_name(p, &note);
	assert_int_equal(strlen(processes_get(p, 0, 2)->name), 255);
}

/* thousands of them keep apart, and come in the order of their names */
static void test_sort(void **state)
{
	struct processes *p = *state;

	for (uint32_t pid = 5000; pid-- > 1;)
		processes_get(p, 0, pid);
	learn(p, 6000, "aaa");
	learn(p, 6001, "zzz");
	processes_sort(p);
	assert_int_equal(p->count, 5001);
	for (size_t i = 1; i < p->count; i++)
		assert_true(strcmp(p->list[i - 1]->name, p->list[i]->name) < 0);
	check(p, 77, "pid000000077");
}

static void check_chosen(const struct processes *p, const char *list,
			 const char *want)
{
	size_t count;
	struct process **chosen = select_processes(p, list, &count);
	char text[256] = "";

	for (size_t i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s ", chosen[i]->name);
	assert_string_equal(text, want);
	free(chosen);
}

static void test_select_processes(void **state)
{
	struct processes *p = *state;

	check_chosen(p, NULL, "");
	check_chosen(p, "dd", "");
	learn(p, 1, "fio");
	learn(p, 2, "dd");
	processes_sort(p);
	check_chosen(p, NULL, "dd fio ");
	check_chosen(p, "fio,nobody,dd,fi,fio", "fio dd fio ");
	check_chosen(p, "", "");
	check_chosen(p, ",,dd", "dd ");
}

static void check_disks(const struct disks *d, const char *list,
			const char *want)
{
	size_t count;
	struct disk **chosen = select_disks(d, list, &count);
	char text[256] = "";

	for (size_t i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s ", chosen[i]->name);
	assert_string_equal(text, want);
	free(chosen);
}

static void test_select_disks(void **state)
{
	static const struct options o;
	struct disks d = { 0 };

	(void)state;
	check_disks(&d, NULL, "");
	disks_add(&d, &o, BLK_DEVICE(8, 16));
	disks_add(&d, &o, BLK_DEVICE(8, 0));
	check_disks(&d, NULL, "8,16 8,0 ");
	check_disks(&d, "8,0", "8,0 ");
	check_disks(&d, "8,0;9,9;8,16;8,0", "8,0 8,16 8,0 ");
	check_disks(&d, "8,0;junk;8,16", "8,0 ");
	check_disks(&d, "8:0", "");
	for (size_t i = 0; i < d.count; i++)
		device_files_close(&d.list[i]->files, false);
	disks_free(&d);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_names), TEST(test_origins), TEST(test_hostile_names),
		TEST(test_sort), TEST(test_select_processes),
		TEST(test_select_disks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
