/* SPDX-License-Identifier: GPL-2.0-only */
/* The log line of iotracer: what is written can be read, and nothing else. */
#include "make.h"
#include "tools/iotracer/line.h"

static const struct line_style plain;

static struct bpf_line sample(void)
{
	struct bpf_line l = {
		.time = 61633318652058,
		.address = 1879048192,
		.sector = 1879050240,
		.size = 16384,
		.disk = 8 << 20 | 1,
		.tgid = 14272,
		.tid = 14273,
		.level = LEVEL_VFS,
		.comm = "ATA-0",
	};

	return l;
}

static void check(const struct bpf_line *l, uint64_t zero,
		  const struct line_style *style, const char *want)
{
	char text[LINE_FIXED + 64];

	*line_format(text, l, zero, style, "/a;b") = '\0';
	assert_string_equal(text, want);
}

static void test_render(void **state)
{
	struct bpf_line l = sample();

	(void)state;
	check(&l, 0, &plain,
	      "61633.318652058;R;1879048192;16384;VFS;ATA-0;14272\n");
	l.level = LEVEL_BLK;
	l.writes = 1;
	check(&l, 61633000000000, &plain,
	      "0.318652058;W;1879048192;16384;BLK;ATA-0;14272\n");
	/* begun before T0 */
	l.level = LEVEL_MAP;
	check(&l, l.time + 1, &plain,
	      "0.000000000;W;1879048192;16384;MAP;ATA-0;14272\n");
}

static void test_styles(void **state)
{
	const struct line_style disk = { .whole_disk = true };
	const struct line_style more = { .extended = true };
	const struct line_style both = { .extended = true, .duration = true };
	struct bpf_line l = sample();

	(void)state;
	check(&l, l.time, &disk,
	      "0.000000000;R;1879048192;16384;VFS;ATA-0;14272\n");
	check(&l, l.time, &more, "0.000000000;R;1879048192;16384;VFS;ATA-0;"
	      "14272;;;R;14273;/a;b\n");
	l.duration = 5000000017;
	check(&l, l.time, &both, "0.000000000;R;1879048192;16384;VFS;ATA-0;"
	      "14272;5.000000017;;;R;14273;/a;b\n");
	l.level = LEVEL_SYNC;
	l.flags = SYNC_RANGE;
	check(&l, l.time, &both, "0.000000000;R;1879048192;16384;SYNC;ATA-0;"
	      "14272;5.000000017;;;sync_file_range;14273;/a;b\n");
	l.duration = 0;
	l.level = LEVEL_BLK;
	l.writes = 1;
	l.flags = 1 << 18 | 1 << 17 | 1 << 11;
	check(&l, l.time, &disk,
	      "0.000000000;W;1879050240;16384;BLK;ATA-0;14272\n");
	check(&l, l.time, &more, "0.000000000;W;1879048192;16384;BLK;ATA-0;"
	      "14272;8:1;1879050240;FWFS;14273;/a;b\n");
	check(&l, l.time, &both, "0.000000000;W;1879048192;16384;BLK;ATA-0;"
	      "14272;;8:1;1879050240;FWFS;14273;/a;b\n");
}

/* a name that fills its field, and the largest numbers */
static void test_limits(void **state)
{
	struct bpf_line l = {
		.time = UINT64_MAX, .address = UINT64_MAX,
		.sector = UINT64_MAX, .size = UINT64_MAX,
		.duration = UINT64_MAX,
		.disk = UINT32_MAX, .tgid = UINT32_MAX, .tid = UINT32_MAX,
		.flags = UINT32_MAX, .writes = 1, .level = LEVEL_BLK,
	};
	const struct line_style all = { true, true, true };
	char text[LINE_FIXED];

	(void)state;
	memset(l.comm, 'x', sizeof(l.comm));
	assert_true(line_format(text, &l, 0, &all, "") - text < LINE_FIXED);
}

/* --- parsing ----------------------------------------------------------- */

static void parse(const char *text, struct bpf_line *l)
{
	assert_int_equal(line_parse(l, text, strlen(text)), 0);
}

static void test_parse(void **state)
{
	struct bpf_line l;

	(void)state;
	parse("61633.318652058;W;1879048192;16384;BLK;ATA-0;14272", &l);
	assert_int_equal(l.time, 61633318652058);
	assert_int_equal(l.address, 1879048192);
	assert_int_equal(l.size, 16384);
	assert_int_equal(l.level, LEVEL_BLK);
	assert_int_equal(l.writes, 1);
	assert_int_equal(l.tgid, 14272);
	assert_string_equal(l.comm, "ATA-0");
	parse("0.000000000;R;0;0;VFS;a;1;b;2;9", &l);
	assert_string_equal(l.comm, "a;1;b;2");
	assert_int_equal(l.tgid, 9);
	parse("0.000000000;R;0;0;MAP;;9", &l);
	assert_string_equal(l.comm, "");
	parse("0.000000000;W;0;0;SYNC;x;9", &l);
	assert_int_equal(l.level, LEVEL_SYNC);
	parse("0.000000000;R;0;0;VFS;x;9;0.000001234", &l);
	assert_int_equal(l.tgid, 9);
	parse("0.000000000;R;0;0;BLK;x;9;", &l);
	assert_int_equal(l.tgid, 9);
	parse("0.000000000;R;0;0;BLK;x;9;8:1;7;RS;10;/a;b", &l);
	assert_string_equal(l.comm, "x");
	assert_int_equal(l.tgid, 9);
}

/* wherever a line is cut, it is none, but for the last number's digits */
static void test_cuts(void **state)
{
	static const char text[] = "1.000000000;R;12;34;VFS;dd;5678";
	struct bpf_line l;

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++)
		assert_int_equal(!line_parse(&l, text, len),
				 len >= sizeof(text) - 4 &&
					 len < sizeof(text));
}

static void test_refused(void **state)
{
	static const char *const bad[] = {
		"1;R;12;34;VFS;dd;5678",
		"1.00000000;R;12;34;VFS;dd;5678",
		"18446744073.709551616;R;1;3;VFS;dd;99999999999999999999",
		"18446744074709551616.000000000;R;12;34;VFS;dd;5678",
		"1.000000000;RW;12;34;VFS;dd;5678",
		"1.000000000;r;12;34;VFS;dd;5678",
		"1.000000000;;12;34;VFS;dd;5678",
		"1.000000000;R;-12;34;VFS;dd;5678",
		"1.000000000;R;12; 34;VFS;dd;5678",
		"1.000000000;R;12;34;FS;dd;5678",
		"1.000000000;R;12;34;VFSX;dd;5678",
		"1.000000000;R;12;34;VFS;sixteen-letters!;5678",
		"1.000000000;R;12;34;VFS;dd",
		"1.000000000;R;12;34;VFS;dd;",
		"1.000000000;R;12;34;VFS;dd;x",
		"1.000000000;R;12;34;VFS;dd;x;y;z",
	};
	struct bpf_line l;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_not_equal(line_parse(&l, bad[i], strlen(bad[i])),
				     0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_render),
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
