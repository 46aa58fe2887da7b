/* SPDX-License-Identifier: GPL-2.0-only */
/* Cards beside traces: where they are found, and what hosts are called then. */
#include <errno.h>
#include <stdlib.h>

#include "file/location.h"
#include "run/cards.h"
#include "scratch.h"

static void keep_unread(void *text, const char *path, const char *why)
{
	snprintf(text, 256, "%s: %s", path, why);
}

/* a trace of a device in dir, with a card of that host and boot */
static void make_trace(const char *dir, const char *host, const char *boot)
{
	char path[128], card[256];

	snprintf(path, sizeof(path), "%s/sda.blktrace.0", dir);
	put(path, "x");
	snprintf(path, sizeof(path), "%s/sda.blktrace.json", dir);
	snprintf(card, sizeof(card), "{\"host\":\"%s\",\"boot_id\":\"%s\"}",
		 host, boot);
	put(path, card);
}

static void load(struct locations *l, char said[256])
{
	const struct cards_hooks hooks = { keep_unread, said };

	*said = '\0';
	assert_int_equal(cards_load(l, &hooks), 0);
}

static const char *host_of(const struct locations *l, size_t i)
{
	return l->hosts[l->list[i].host];
}

static void test_hosts(void **state)
{
	struct locations l = { 0 };
	char said[256];

	(void)state;
	make_trace("a", "db1", "1");
	make_trace("b", "db2/x", "2");
	make_trace("c", "db1", "3");
	put("d/sda.blktrace.0", "x");
	put("e/sda.blktrace.0", "x");
	put("e/sda.blktrace.json", "{");
	assert_int_equal(locations_add(&l, NULL, "a"), 0);
	assert_int_equal(locations_add(&l, NULL, "b"), 0);
	assert_int_equal(locations_add(&l, NULL, "c"), 0);
	assert_int_equal(locations_add(&l, NULL, "d"), 0);
	assert_int_equal(locations_add(&l, NULL, "e"), 0);
	load(&l, said);
	assert_string_equal(host_of(&l, 0), "db1");
	assert_string_equal(host_of(&l, 1), "x");
	assert_string_equal(host_of(&l, 2), "db1#2");
	assert_string_equal(host_of(&l, 3), "d");
	assert_string_equal(host_of(&l, 4), "e");
	assert_null(l.list[3].card);
	assert_null(l.list[4].card);
	assert_string_equal(said, "e/sda.blktrace.json: cut short"
				  " (line 1)");
	locations_free(&l);
}

/* devices that are named by themselves are of those machines that they are of */
static void test_own(void **state)
{
	struct locations l = { 0 };
	char said[256];

	(void)state;
	make_trace("a", "db1", "1");
	make_trace("b", "db2", "2");
	make_trace("c", "db1", "1");
	make_trace("e", "db2", "2");
	put("d/sda.blktrace.0", "x");
	for (const char *name = "abcde"; *name; name++) {
		char path[] = { *name, '/', 's', 'd', 'a', '\0' };

		assert_int_equal(locations_add(&l, NULL, path), 0);
	}
	assert_int_equal(l.host_count, 1);
	load(&l, said);
	assert_string_equal(said, "");
	assert_int_equal(l.host_count, 2);
	assert_string_equal(host_of(&l, 0), "db1");
	assert_string_equal(host_of(&l, 1), "db2");
	assert_string_equal(host_of(&l, 2), "db1");
	assert_string_equal(host_of(&l, 3), "db1");
	assert_string_equal(host_of(&l, 4), "db2");
	locations_free(&l);
}

/* of segments the last one's */
static void test_segments(void **state)
{
	struct locations l = { 0 };
	char said[256];

	(void)state;
	make_trace("t/0001-2026-11-22-10:00:00", "first", "1");
	make_trace("t/0002-2026-11-22-10:01:00.partial", "last", "1");
	assert_int_equal(locations_add(&l, NULL, "t"), 0);
	load(&l, said);
	assert_string_equal(host_of(&l, 0), "last");
	locations_free(&l);
	assert_int_equal(locations_add(&l, "t", "0001-2026-11-22-10:00:00"),
			 0);
	load(&l, said);
	assert_string_equal(host_of(&l, 0), "first");
	locations_free(&l);
}

/* others have none */
static void test_none(void **state)
{
	struct locations l = { 0 };
	char said[256];

	(void)state;
	put("dump", "x");
	put("dump.blktrace.json", "{");
	put("old/sda_out.0", "x");
	put("old/sda_dat.0", "x");
	put("old/sda.blktrace.json", "{");
	assert_int_equal(locations_add(&l, NULL, "dump"), 0);
	assert_int_equal(locations_add(&l, NULL, "old"), 0);
	load(&l, said);
	assert_string_equal(said, "");
	assert_null(l.list[0].card);
	assert_null(l.list[1].card);
	locations_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_hosts),
		IN_SCRATCH(test_own),
		IN_SCRATCH(test_segments),
		IN_SCRATCH(test_none),
	};

	const struct CMUnitTest without[] = {
		IN_SCRATCH(test_none),
	};

	return card_is_readable() ? cmocka_run_group_tests(tests, NULL, NULL) :
				    cmocka_run_group_tests(without, NULL, NULL);
}
