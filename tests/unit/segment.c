/* SPDX-License-Identifier: GPL-2.0-only */
/* Segments: their names, their heads, and one trace made of their files. */
#include <errno.h>

#include "file/files.h"
#include "file/location.h"
#include "file/segments.h"
#include "file/source.h"
#include "scratch.h"

static void test_names(void **state)
{
	char name[SEGMENT_NAME];

	(void)state;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	segment_name(name, 1, 1795154830);
	assert_string_equal(name, "0001-2026-11-20-06:07:10");
	segment_name(name, 123456789, 0);
	assert_string_equal(name, "123456789-1970-01-01-00:00:00");
	assert_int_equal(segment_number(name), 123456789);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(segment_number("0012-2026-11-20-06:07:10"), 12);
	assert_int_equal(segment_number("0012-2026-11-20-06:07:10.partial"),
			 12);
	assert_int_equal(segment_number("10000-2026-11-20-06:07:10"), 10000);
	assert_int_equal(segment_number("012-2026-11-20-06:07:10"), 0);
	assert_int_equal(segment_number("0012-2026-11-20-06:07:1"), 0);
	assert_int_equal(segment_number("0012-2026-11-20-06:07:10.gz"), 0);
	assert_int_equal(segment_number("0012-2026-11-20_06:07:10"), 0);
	assert_int_equal(segment_number("0012"), 0);
	assert_int_equal(segment_number("1234567890-2026-11-20-06:07:10"), 0);
	assert_int_equal(segment_number(""), 0);
}

/* a head is known by its first record, and no other stamp is taken for one */
static void test_head(void **state)
{
	struct event stamp = EVENT(.action = NOTE(BLK_TN_TIMESTAMP));
	const struct segment_head put_in = { 12345678901, 4321 };
	struct segment_head h;

	(void)state;
	assert_false(segment_head_of(&stamp, &h));
	segment_head_mark(&stamp, &put_in);
	assert_true(segment_head_of(&stamp, &h));
	assert_true(h.border == put_in.border);
	assert_int_equal(h.len, put_in.len);
	stamp.action = NOTE(BLK_TN_PROCESS);
	assert_false(segment_head_of(&stamp, &h));
	stamp.action = ACT(BLK_TN_TIMESTAMP, CAT(QUEUE));
	assert_false(segment_head_of(&stamp, &h));
}

/* --- lists --------------------------------------------------------------- */

#define ONE "0001-2026-11-20-06:07:10"
#define TWO "0002-2026-11-20-06:07:11"
#define THREE "0003-2026-11-20-06:07:12.partial"

static void test_list(void **state)
{
	struct segments s;

	(void)state;
	assert_int_equal(segments_find(&s, "none"), -ENOENT);
	put("d/other/file", "");
	assert_int_equal(segments_find(&s, "d"), -ENOENT);
	put("d/" TWO "/x", "");
	put("d/" THREE "/x", "");
	put("d/" ONE "/x", "");
	assert_int_equal(segments_find(&s, "d"), 0);
	assert_int_equal(s.count, 3);
	assert_string_equal(s.list[0].path, "d/" ONE);
	assert_string_equal(s.list[1].path, "d/" TWO);
	assert_string_equal(s.list[2].path, "d/" THREE);
	assert_int_equal(s.list[2].number, 3);
	segments_free(&s);
	assert_int_equal(segments_add(&s, "d/" TWO), 0);
	assert_int_equal(segments_add(&s, "d/" ONE), 0);
	assert_int_equal(segments_add(&s, "d/" TWO), 0);
	assert_int_equal(segments_add(&s, "d/other"), -EINVAL);
	assert_int_equal(s.count, 2);
	assert_string_equal(s.list[0].path, "d/" ONE);
	segments_free(&s);
}

/* --- files --------------------------------------------------------------- */

/* a file with a head of a stamp and this name, and behind that a text */
static void put_headed(const char *path, const char *name, const char *text)
{
	uint8_t bytes[512];
	const uint32_t wall[2] = { 1, 2 };
	const size_t payload = strlen(name);
	const size_t len = 2 * BLK_HEADER_7 + sizeof(wall) + payload;
	const struct segment_head h = { 5, (uint32_t)len };
	struct event stamp = EVENT(.action = NOTE(BLK_TN_TIMESTAMP),
				   .pdu_len = sizeof(wall));
	struct event note = EVENT(.action = NOTE(BLK_TN_PROCESS),
				  .pdu_len = (uint16_t)payload);
	uint8_t *to = bytes;

	segment_head_mark(&stamp, &h);
	to += record_encode(&stamp, 7, to);
	memcpy(to, wall, sizeof(wall));
	to += sizeof(wall);
	to += record_encode(&note, 7, to);
	memcpy(to, name, payload);
	memcpy(to + payload, text, strlen(text));
	put_bytes(path, bytes, len + strlen(text));
}

/* the bytes behind the last head, if one stands at their beginning */
static void check_entry(const struct file_entry *e, bool headed,
			const char *text)
{
	char got[4096];
	struct source *s;
	size_t len = 0;
	ssize_t n;

	assert_int_equal(files_open(e, &s), 0);
	while ((n = source_read(s, got + len, sizeof(got) - 1 - len)) > 0)
		len += (size_t)n;
	assert_int_equal(n, 0);
	got[len] = '\0';
	source_close(s);
	assert_true(len >= strlen(text));
	assert_string_equal(got + len - strlen(text), text);
	assert_int_equal(headed, len > strlen(text));
}

/* the files of each CPU in order; a head that is needed stays */
static void test_files(void **state)
{
	struct files f;

	(void)state;
	put("d/" ONE "/sda.blktrace.0", "one ");
	put("d/" ONE "/sda.blktrace.1", "");
	put_headed("d/" TWO "/sda.blktrace.0", "a name", "two ");
	put_headed("d/" TWO "/sda.blktrace.1", "some other name", "first ");
	put_headed("d/" THREE "/sda.blktrace.0", "", "three");
	put_headed("d/" THREE "/sda.blktrace.1", "x", "");
	put_headed("d/" THREE "/sda.blktrace.2", "x", "new");
	assert_int_equal(files_find(&f, "d", "sda"), 0);
	assert_int_equal(f.count, 3);
	check_entry(&f.list[0], false, "one two three");
	check_entry(&f.list[1], false, "first ");
	check_entry(&f.list[2], true, "new");
	assert_int_equal(f.list[1].cpu, 1);
	assert_false(files_is_empty(&f.list[1]));
	files_free(&f);
	assert_int_equal(files_find(&f, "d", "sdb"), -ENOENT);
	assert_int_equal(files_find(&f, "d", ONE), -ENOENT);
}

/* behind one that is missing the names are not known but by the head */
static void test_gap(void **state)
{
	struct files f;

	(void)state;
	put("d/" ONE "/sda.blktrace.0", "one ");
	put_headed("d/" THREE "/sda.blktrace.0", "name", "three");
	assert_int_equal(files_find(&f, "d", "sda"), 0);
	check_entry(&f.list[0], true, "three");
	files_free(&f);
}

/* a directory's own files come first, and are all there is then */
static void test_own_files(void **state)
{
	struct files f;

	(void)state;
	put("d/" ONE "/sda.blktrace.0", "one");
	put("d/sda.blktrace.3", "own");
	assert_int_equal(files_find(&f, "d", "sda"), 0);
	assert_int_equal(f.count, 1);
	check_entry(&f.list[0], false, "own");
	files_free(&f);
}

static void test_devices(void **state)
{
	char **names;

	(void)state;
	put("d/" ONE "/sdb.blktrace.0", "");
	put("d/" ONE "/sda.blktrace.0", "");
	put("d/" TWO "/sda.blktrace.0", "");
	put("d/" TWO "/sdc.blktrace.1", "");
	assert_int_equal(files_devices("d", &names), 3);
	assert_string_equal(names[0], "sda");
	assert_string_equal(names[1], "sdb");
	assert_string_equal(names[2], "sdc");
	for (int i = 0; i < 3; i++)
		free(names[i]);
	free(names);
}

/* one that was being written has got its name when its turn comes */
static void test_renamed(void **state)
{
	struct files f;

	(void)state;
	put("d/" ONE "/sda.blktrace.0", "one ");
	put("d/" TWO ".partial/sda.blktrace.0", "two");
	assert_int_equal(files_find(&f, "d", "sda"), 0);
	assert_int_equal(rename("d/" TWO ".partial", "d/" TWO), 0);
	check_entry(&f.list[0], false, "one two");
	files_free(&f);
}

/* what is no file is not waited for */
static void test_pipe(void **state)
{
	ssize_t n, len = 0;
	uint8_t got[64];
	struct source *s;
	struct files f;

	(void)state;
	put("d/" ONE "/sda.blktrace.0", "one");
	put("d/" TWO "/sdb.blktrace.0", "");
	assert_int_equal(mkfifo("d/" TWO "/sda.blktrace.0", 0600), 0);
	assert_int_equal(mkfifo("d/" ONE "/sdb.blktrace.0", 0600), 0);
	assert_int_equal(files_find(&f, "d", "sdb"), 0);
	assert_int_equal(files_open(&f.list[0], &s), -EINVAL);
	files_free(&f);
	assert_int_equal(files_find(&f, "d", "sda"), 0);
	assert_int_equal(files_open(&f.list[0], &s), 0);
	while ((n = source_read(s, got, sizeof(got))) > 0)
		len += n;
	assert_int_equal(len, strlen("one"));
	assert_int_equal(n, -EINVAL);
	assert_int_equal(source_read(s, got, sizeof(got)), 0);
	source_close(s);
	files_free(&f);
}

/* a head that claims more than there is takes no more than its file */
static void test_long_head(void **state)
{
	const struct segment_head h = { 5, UINT32_MAX };
	const uint32_t wall[2] = { 1, 2 };
	struct event stamp = EVENT(.action = NOTE(BLK_TN_TIMESTAMP),
				   .pdu_len = sizeof(wall));
	uint8_t raw[BLK_HEADER_MAX + sizeof(wall)];
	struct files f;
	size_t len;

	(void)state;
	segment_head_mark(&stamp, &h);
	len = record_encode(&stamp, 7, raw);
	memcpy(raw + len, wall, sizeof(wall));
	put("d/" ONE "/sda.blktrace.0", "one ");
	put_bytes("d/" TWO "/sda.blktrace.0", raw, len + sizeof(wall));
	put_headed("d/" THREE "/sda.blktrace.0", "x", "three");
	assert_int_equal(files_find(&f, "d", "sda"), 0);
	check_entry(&f.list[0], false, "one three");
	files_free(&f);
}

/* --- names --------------------------------------------------------------- */

/* the only location's files on CPU 0 end so */
static void check_location(const struct locations *l, bool headed,
			   const char *text)
{
	struct files f;

	assert_int_equal(l->count, 1);
	assert_int_equal(l->host_count, 1);
	assert_int_equal(location_files(&l->list[0], &f), 0);
	check_entry(&f.list[0], headed, text);
	files_free(&f);
}

static void put_three(void)
{
	put("d/" ONE "/sda.blktrace.0", "one ");
	put_headed("d/" TWO "/sda.blktrace.0", "a", "two ");
	put_headed("d/" THREE "/sda.blktrace.0", "b", "three");
}

/* all of a directory, however that is named */
static void test_locations(void **state)
{
	static const char *const names[] = { "d", "d/", "d/sda" };

	(void)state;
	put_three();
	for (size_t i = 0; i < 3; i++) {
		struct locations l = { 0 };

		assert_int_equal(locations_add(&l, NULL, names[i]), 0);
		check_location(&l, false, "one two three");
		locations_free(&l);
	}
}

/* some of them, in any order, are one trace of these */
static void test_some(void **state)
{
	struct locations l = { 0 };

	(void)state;
	put_three();
	assert_int_equal(locations_add(&l, NULL, "d/" THREE), 0);
	check_location(&l, true, "three");
	assert_int_equal(locations_add(&l, NULL, "d/" TWO "/"), 0);
	check_location(&l, true, "two three");
	assert_int_equal(locations_add(&l, "d", ONE), 0);
	check_location(&l, false, "one two three");
	locations_free(&l);
}

/* segments of two directories are two machines' */
static void test_two_hosts(void **state)
{
	struct locations l = { 0 };

	(void)state;
	put("db1/" ONE "/sda.blktrace.0", "1");
	put("db2/" ONE "/sda.blktrace.0", "2");
	assert_int_equal(locations_add(&l, NULL, "db1/" ONE), 0);
	assert_int_equal(locations_add(&l, NULL, "db2/" ONE), 0);
	assert_int_equal(l.count, 2);
	assert_int_equal(l.host_count, 2);
	assert_string_equal(l.hosts[0], "db1");
	assert_string_equal(l.hosts[1], "db2");
	locations_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_head),
		IN_SCRATCH(test_list),	  IN_SCRATCH(test_files),
		IN_SCRATCH(test_gap),	  IN_SCRATCH(test_own_files),
		IN_SCRATCH(test_devices), IN_SCRATCH(test_renamed),
		IN_SCRATCH(test_locations), IN_SCRATCH(test_some),
		IN_SCRATCH(test_two_hosts), IN_SCRATCH(test_pipe),
		IN_SCRATCH(test_long_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
