/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cgroups are called: where the tree is, and names of those that are
 * there, that come, and that are gone before anybody asks.  Directories stand
 * for cgroups: those of most file systems have handles.
 */
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "capture/cgroup_names.h"
#include "capture/cgroup_tree.h"
#include "memory_place.h"

static uint64_t id_of(const char *name)
{
	char path[2 * PATHS];
	uint64_t id = 0;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	assert_int_equal(cgroup_tree_id(path, &id), 0);
	return id;
}

/* --- where the tree is ---------------------------------------------------- */

static void test_tree(void **state)
{
	static const struct {
		const char *lines, *root, *above;
	} cases[] = {
		{ "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
		  "/sys/fs/cgroup", "" },
		{ "31 1 0:27 / /a rw - cgroup2 none rw\n"
		  "32 1 0:28 / /b rw - cgroup cgroup rw,cpu\n"
		  "33 1 0:29 / /sys/fs/cgroup/blk\\040io rw shared:4 - cgroup"
		  " cgroup rw,memory,blkio\n", "/sys/fs/cgroup/blk io", "" },
		{ "34 1 0:26 /pod /part rw - cgroup2 none rw\n"
		  "35 1 0:26 / /whole rw - cgroup2 none rw\n", "/whole", "" },
		{ "36 1 0:26 /pod /part rw - cgroup2 none rw\nnonsense\n\n",
		  "/part", "/pod" },
	};
	char path[PATHS];

	(void)state;
	snprintf(path, sizeof(path), "%s/mountinfo", top);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cgroup_tree t;

		spew("mountinfo", cases[i].lines);
		assert_int_equal(cgroup_tree_find(&t, path), 0);
		assert_string_equal(t.root, cases[i].root);
		assert_string_equal(t.above, cases[i].above);
		cgroup_tree_free(&t);
	}
}

/* --- names ---------------------------------------------------------------- */

static struct cgroup_names *start(const char *above)
{
	struct cgroup_tree t = { .fd = -1 };
	struct cgroup_names *n;
	char path[PATHS];

	snprintf(path, sizeof(path), "%s/tree", top);
	t.root = strdup(path);
	t.above = strdup(above);
	assert_int_equal(cgroup_names_start(&n, &t), 0);
	return n;
}

static void test_names(void **state)
{
	struct cgroup_names *n;
	uint64_t id = 0, gone;
	char path[PATHS];

	(void)state;
	make("tree");
	make("tree/a");
	make("tree/a/b");
	n = start("");
	assert_string_equal(cgroup_names_get(n, id_of("tree")), "/");
	assert_string_equal(cgroup_names_get(n, id_of("tree/a/b")), "/a/b");
	make("tree/a/b/new");
	assert_string_equal(cgroup_names_get(n, id_of("tree/a/b/new")),
			    "/a/b/new");
	make("tree/a/gone");
	gone = id_of("tree/a/gone");
	assert_string_equal(cgroup_names_get(n, gone), "/a/gone");
	snprintf(path, sizeof(path), "%s/tree/a/gone", top);
	assert_int_equal(rmdir(path), 0);
	assert_string_equal(cgroup_names_get(n, gone), "/a/gone");
	assert_null(cgroup_names_get(n, 1));
	assert_string_equal(cgroup_names_at(n, 0, &id), "/");
	assert_int_equal(id, id_of("tree"));
	assert_null(cgroup_names_at(n, 5, &id));
	cgroup_names_free(n);
	assert_null(cgroup_names_get(NULL, 1));
}

/* The thread alone sees what is gone before anybody asks. */
static void test_short(void **state)
{
	struct cgroup_names *n = start("");
	uint64_t ids[8], id;
	char path[PATHS];

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		const char *got = NULL;

		snprintf(path, sizeof(path), "tree/short%zu", i);
		make(path);
		ids[i] = id_of(path);
		for (int ms = 0; !got && ms < 2000; ms++) {
			size_t last = 0;

			while (cgroup_names_at(n, last, &id))
				if (++last && id == ids[i])
					got = "it is there";
			usleep(1000);
		}
		assert_non_null(got);
		snprintf(path, sizeof(path), "%s/tree/short%zu", top, i);
		assert_int_equal(rmdir(path), 0);
	}
	cgroup_names_free(n);
}

static void test_written(void **state)
{
	struct cgroup_names *n = start("/pod");
	char want[PATHS * 2];
	struct buf b;
	struct json j = { .b = &b };

	(void)state;
	assert_int_equal(buf_init(&b, -1, 2 * CGROUP_BYTES_WRITTEN), 0);
	cgroup_names_write(n, &j);
	snprintf(want, sizeof(want), "\"cgroups\":{\"%llu\":\"/pod/a/b/new\","
		 "\"%llu\":\"/pod/a/b\",\"%llu\":\"/pod/a\",\"%llu\":\"/pod\"}",
		 (unsigned long long)id_of("tree/a/b/new"),
		 (unsigned long long)id_of("tree/a/b"),
		 (unsigned long long)id_of("tree/a"),
		 (unsigned long long)id_of("tree"));
	assert_int_equal(b.len, strlen(want));
	assert_memory_equal(b.data, want, b.len);
	cgroup_names_write(NULL, &j);
	assert_int_equal(b.len, strlen(want));
	buf_free(&b);
	cgroup_names_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_written),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
