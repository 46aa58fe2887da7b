/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of devices: a format that is odder than it looks. */
#include "make.h"
#include "tools/btt/devmap.h"

/* the name of that device in a map with this text; checked against want */
static void check_name(const char *text, unsigned int major,
		       unsigned int minor, const char *want)
{
	FILE *f = fopen("map", "w");
	struct devmap *map;
	const char *name;

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	map = devmap_read("map");
	assert_non_null(map);
	name = devmap_name(map, BLK_DEVICE(major, minor));
	if (want)
		assert_string_equal(name, want);
	else
		assert_null(name);
	devmap_free(map);
	remove("map");
}

static void test_lines(void **state)
{
	(void)state;
	check_name("sda 8,0\nsdb 8,16\n", 8, 16, "sdb");
	check_name("sda 8,0\nsdb 8,16\n", 8, 1, NULL);
	check_name("sda 8,0\nother 8,0\n", 8, 0, "sda");
	check_name("  nvme0n1   259,0 more words\n\n\n  sda 8,0", 8, 0, "sda");
	check_name("cciss/c0d0 104,0\n", 104, 0, "cciss/c0d0");
}

/* what ends the reading, for good */
static void test_ends(void **state)
{
	(void)state;
	check_name("", 8, 0, NULL);
	check_name("\nsda 8,0\n", 8, 0, NULL);
	check_name("Device Major,Minor\nsda 8,0\n", 8, 0, NULL);
	check_name("sda 8,0\nmyDevice 8,1\nsdb 8,16\n", 8, 16, NULL);
	check_name("alone\nsda 8,0\n", 8, 0, NULL);
	check_name("sda\t8,0\n", 8, 0, NULL);
	check_name("# sda\nsda 8,0\n", 8, 0, NULL);
	check_name("sda 8,0 # first\nsdb 8,16\n", 8, 0, "sda");
	check_name("sda 8,0 # first\nsdb 8,16\n", 8, 16, NULL);
}

/* words of any length: in 1.2.0 they ran over what was next to them */
static void test_long_words(void **state)
{
	char name[252], text[4096];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), "%s 8,0\n", name);
	check_name(text, 8, 0, name);
	memset(text, 'x', 3000);
	strcpy(text + 3000, " 8,0\n");
	check_name(text, 8, 0, NULL);
	memset(text, '8', 3000);
	memcpy(text, "sda ", 4);
	strcpy(text + 3000, "\nsdb 8,16\n");
	check_name(text, 8, 16, NULL);
}

static void test_no_file(void **state)
{
	(void)state;
	assert_null(devmap_read("there is no such file"));
	assert_null(devmap_name(NULL, BLK_DEVICE(8, 0)));
	devmap_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
