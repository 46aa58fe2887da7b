/* SPDX-License-Identifier: GPL-2.0-only */
/* What names on a command line mean, by blkparse's rules and btrecord's. */
#include <errno.h>

#include "file/location.h"
#include "scratch.h"

static void make_files(void)
{
	put("sda.blktrace.0", "x");
	put("sub/sdb.blktrace.0", "x");
	put("sub/sdc.blktrace.1", "x");
	put("hosts/db1/sda.blktrace.0", "x");
	put("hosts/db2/sda.blktrace.0", "x");
	put("more/db1/sda.blktrace.0", "x");
	put("a.dump", "x");
	mkdir("empty", 0755);
	assert_int_equal(mkfifo("pipe", 0600), 0);
}

/* all locations as "dir|name" or "path", each with its host */
static void check(const struct locations *l, const char *want)
{
	char got[512] = "";
	size_t len = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct location *at = &l->list[i];

		len += (size_t)snprintf(got + len, sizeof(got) - len,
			at->path ? "%s%s%s (%s)\n" : "%s|%s%s (%s)\n",
			at->path ? at->path : at->dir, at->path ? "" : at->name,
			"", l->hosts[at->host]);
	}
	assert_string_equal(got, want);
}

/* 1.3.0: a directory in a name sticks to the names that follow */
static void test_names(void **state)
{
	struct locations l = { 0 };

	(void)state;
	make_files();
	assert_int_equal(locations_add(&l, NULL, "sda"), 0);
	assert_int_equal(locations_add(&l, NULL, "sub/sdb.blktrace.0"), 0);
	assert_int_equal(locations_add(&l, NULL, "sdc"), 0);
	assert_int_equal(locations_add(&l, NULL, "sda"), 0);
	assert_int_equal(locations_add(&l, NULL, "nope"), -ENOENT);
	check(&l, "|sda (.)\nsub|sdb (.)\nsub|sdc (.)\n|sda (.)\n");
	assert_int_equal(l.host_count, 1);
	locations_free(&l);
}

/* directories and dumps are hosts, each of its own */
static void test_hosts(void **state)
{
	struct locations l = { 0 };

	(void)state;
	make_files();
	assert_int_equal(locations_add(&l, "hosts", "db1/"), 0);
	assert_int_equal(locations_add(&l, NULL, "hosts/db2"), 0);
	assert_int_equal(locations_add(&l, NULL, "a.dump"), 0);
	assert_int_equal(locations_add(&l, NULL, "pipe"), 0);
	assert_int_equal(locations_add(&l, NULL, "empty"), -ENOENT);
	/* what is there already is not read twice */
	assert_int_equal(locations_add(&l, NULL, "hosts/db2"), 0);
	/* another of that name */
	assert_int_equal(locations_add(&l, NULL, "more/db1"), 0);
	check(&l, "hosts/db1|sda (db1)\nhosts/db2|sda (db2)\n"
		  "a.dump (a.dump)\npipe (pipe)\nmore/db1|sda (db1#2)\n");
	assert_int_equal(l.host_count, 5);
	assert_int_equal(l.list[3].operand, 3);
	locations_free(&l);
}

/* btrecord's names stand below a directory, unless they are absolute */
static void test_below(void **state)
{
	char path[256], want[512];
	struct locations l = { 0 };

	make_files();
	assert_int_equal(locations_add_below(&l, "sub", "sdb"), 0);
	assert_int_equal(locations_add_below(&l, "sub", "sdb"), 0);
	assert_int_equal(locations_add_below(&l, "sub", "sdc.blktrace.1"), 0);
	assert_int_equal(locations_add_below(&l, "sub", "sda"), -ENOENT);
	assert_int_equal(locations_add_below(&l, ".", "hosts/db1"), 0);
	assert_int_equal(locations_add_below(&l, ".", "a.dump"), 0);
	snprintf(path, sizeof(path), "%s/sda", (const char *)*state);
	assert_int_equal(locations_add_below(&l, "sub", path), 0);
	snprintf(want, sizeof(want), "sub|sdb (.)\nsub|sdc (.)\n"
		 "./hosts/db1|sda (db1)\n./a.dump (a.dump)\n%s/|sda (.)\n",
		 (const char *)*state);
	check(&l, want);
	locations_free(&l);
}

/* all of a directory, but what has been named before */
static void test_all(void **state)
{
	struct locations l = { 0 };

	(void)state;
	make_files();
	assert_int_equal(locations_add_below(&l, "sub", "sdb"), 0);
	assert_int_equal(locations_add_all(&l, "sub"), 2);
	check(&l, "sub|sdb (.)\nsub|sdc (sub)\n");
	assert_int_equal(locations_add_all(&l, "empty"), 0);
	assert_true(locations_add_all(&l, "nope") < 0);
	locations_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_names), IN_SCRATCH(test_hosts),
		IN_SCRATCH(test_below), IN_SCRATCH(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
