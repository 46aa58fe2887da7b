/* SPDX-License-Identifier: GPL-2.0-only */
/* Which device a name means, and where its replay files are. */
#include <errno.h>

#include "place.h"
#include "replay/bunch_files.h"
#include "tools/btreplay/device_map.h"

/* --- maps ---------------------------------------------------------------- */

static void test_map(void **state)
{
	struct device_map m = { 0 };

	(void)state;
	place_text("one", "sda loop0\n  sdb\n\tloop1 sda loop9");
	place_text("two", "sdb loop7\nsdc loop2\n");
	assert_int_equal(device_map_read(&m, "one"), 0);
	assert_int_equal(device_map_read(&m, "two"), 0);
	assert_string_equal(device_map_find(&m, "sda"), "loop0");
	assert_string_equal(device_map_find(&m, "sdb"), "loop1");
	assert_string_equal(device_map_find(&m, "sdc"), "loop2");
	assert_string_equal(device_map_find(&m, "sdd"), "sdd");
	device_map_free(&m);
	assert_string_equal(device_map_find(&m, "sda"), "sda");
}

static void test_bad_map(void **state)
{
	struct device_map m = { 0 };

	(void)state;
	place_text("odd", "sda loop0 sdb\n");
	assert_int_equal(device_map_read(&m, "odd"), -ENODATA);
	assert_int_equal(device_map_read(&m, "none"), -ENOENT);
	place_text("empty", " \n");
	assert_int_equal(device_map_read(&m, "empty"), 0);
	device_map_free(&m);
}

/* --- nodes --------------------------------------------------------------- */

static void check_node(const char *name, const char *want)
{
	char *node;

	errno = 0;
	node = device_map_node(name);
	if (want) {
		assert_string_equal(node, want);
	} else {
		assert_null(node);
		assert_int_equal(errno, EINVAL);
	}
	free(node);
}

/* a '_' is a '/' only where nothing has the name as it is */
static void test_nodes(void **state)
{
	(void)state;
	check_node("null", "/dev/null");
	check_node("no-such-disk", "/dev/no-such-disk");
	check_node("cciss_c0d0", "/dev/cciss/c0d0");
	check_node("mapper/vg", "/dev/mapper/vg");
}

/* no name, and no '_' in it, leads out of /dev */
static void test_outside(void **state)
{
	static const char *const names[] = {
		"", "/", "/dev/null", "..", "../etc", "a/../../etc", "a//b",
		"a/", ".", "a/./b", ".._etc_passwd", "_etc", "x_.._.._etc",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		check_node(names[i], NULL);
}

/* --- files --------------------------------------------------------------- */

static void test_bunch_files(void **state)
{
	static const char *const files[] = {
		"sda.replay.0", "sda.replay.3", "sda.replay.8191",
		"sda.replay.8192", "sda.replay.x", "sda.replay.0.rep",
		"sdb.load.0", "a.b.replay.12", "replay.0", ".replay.0",
		"nvme10.replay.0", "nvme2.replay.0", "sda.replay.",
	};
	char **names, text[128] = "", *path;
	int count;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		place_text(files[i], "");
	assert_int_equal(bunch_files_next_cpu(".", "sda", "replay", 0), 0);
	assert_int_equal(bunch_files_next_cpu(".", "sda", "replay", 1), 3);
	assert_int_equal(bunch_files_next_cpu(".", "sda", "replay", 4), 8191);
	assert_int_equal(bunch_files_next_cpu(".", "sdb", "replay", 0),
			 BUNCH_FILES_CPUS);
	path = bunch_files_path("d", "n", "b", 7);
	assert_string_equal(path, "d/n.b.7");
	free(path);
	count = bunch_files_names(".", "replay", &names);
	for (int i = 0; i < count; i++) {
		strcat(strcat(text, names[i]), " ");
		free(names[i]);
	}
	free(names);
	assert_string_equal(text, "a.b nvme2 nvme10 sda ");
	assert_int_equal(bunch_files_names("none", "replay", &names), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(test_map),
		PLACE_TEST(test_bad_map),
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_outside),
		PLACE_TEST(test_bunch_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
