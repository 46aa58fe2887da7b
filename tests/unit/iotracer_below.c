/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths of files below directories: told in parts, and bounded. */
#include "bpf/layout.h"
#include "make.h"
#include "tools/iotracer/paths.h"

/* what the kernel tells of the path with that number: LEN bytes of text */
static struct bpf_name told(uint32_t number, const char *text, size_t len)
{
	struct bpf_name name = {
		.file = number * BPF_FILES_MAX + 3,
		.bytes = (uint32_t)len,
	};

	memcpy(name.text, text, len);
	return name;
}

#define TOLD(number, text) told(number, text, sizeof(text))

static void check(const struct bpf_name *name, const char *directory,
		  const char *want)
{
	struct below n;

	assert_int_equal(below_init(&n), 0);
	assert_int_equal(below_add(&n, name, directory), 0);
	if (want)
		assert_string_equal(below_get(&n, name->file), want);
	else
		assert_null(below_get(&n, name->file));
	below_free(&n);
	assert_null(below_get(&n, name->file));
}

static void test_paths(void **state)
{
	struct bpf_name name = TOLD(1, "file\0sub\0dir");

	(void)state;
	check(&name, "/top", "/top/dir/sub/file");
	check(&name, "/", "/dir/sub/file");
	name.cut = 1;
	check(&name, "/top", "/top/.../dir/sub/file");
	name = TOLD(BPF_NAMES_MAX, "file");
	check(&name, "", "/file");
	name = told(1, "", 0);
	check(&name, "/top/", "/top/");
	name = TOLD(1, "new\nline\033[1m\xff\0a;b");
	check(&name, "d", "d/a;b/new\\x0aline\\x1b[1m\\xff");
}

static void test_malformed(void **state)
{
	struct bpf_name name = TOLD(0, "file");

	(void)state;
	check(&name, "/top", NULL);
	name = TOLD(BPF_NAMES_MAX + 1, "file");
	check(&name, "/top", NULL);
	name = told(1, "file", 4);
	check(&name, "/top", NULL);
	name = TOLD(1, "file");
	name.bytes = BPF_NAME + 1;
	check(&name, "/top", NULL);
	name.bytes = UINT32_MAX;
	check(&name, "/top", NULL);
	name = TOLD(1, "\0\0");
	check(&name, "/top", "/top///");
}

/* All numbers, twice, with the longest texts: some have no room, and memory
 * of those that are told anew is given back. */
static void test_bounds(void **state)
{
	struct bpf_name name;
	char text[BPF_NAME];
	struct below n;

	(void)state;
	memset(text, '\001', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(below_init(&n), 0);
	for (uint32_t i = 1; i <= BPF_NAMES_MAX; i++) {
		name = told(i, text, sizeof(text));
		assert_int_equal(below_add(&n, &name, "d"), 0);
		assert_true(n.bytes <= BELOW_BYTES);
	}
	assert_true(n.untold > 0);
	assert_non_null(below_get(&n, BPF_FILES_MAX));
	for (uint32_t i = 1; i <= BPF_NAMES_MAX; i++) {
		name = told(i, "x", 2);
		assert_int_equal(below_add(&n, &name, "d"), 0);
	}
	assert_int_equal(n.bytes, 4 * BPF_NAMES_MAX);
	name = TOLD(BPF_NAMES_MAX, "");
	assert_string_equal(below_get(&n, name.file), "d/x");
	below_free(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
