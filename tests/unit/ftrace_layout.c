/* SPDX-License-Identifier: GPL-2.0-only */
/* The layout of a ring buffer, from the texts in which tracefs tells it. */
#include <errno.h>

#include "file/ftrace_page.h"
#include "ring_page.h"

static struct ftrace_layout read_good(void)
{
	struct ftrace_layout l;

	assert_int_equal(ftrace_layout_read(&l, "."), 0);
	return l;
}

/* the texts with one of them in other words: what comes of it */
static int read_other(const char *name, const char *text)
{
	struct ftrace_layout l;
	char path[128];

	put_texts(".");
	snprintf(path, sizeof(path), "events/%s", name);
	put(path, text);
	return ftrace_layout_read(&l, ".");
}

/* as a kernel of today tells it */
static void test_known(void **state)
{
	struct ftrace_layout l;

	(void)state;
	put_texts(".");
	l = read_good();
	assert_int_equal(l.page, 4096);
	assert_int_equal(l.stamp, 0);
	assert_int_equal(l.commit, 8);
	assert_int_equal(l.commit_size, 8);
	assert_int_equal(l.data, 16);
	assert_int_equal(l.type_bits, 5);
	assert_int_equal(l.delta_bits, 27);
	assert_int_equal(l.padding, 29);
	assert_int_equal(l.time_extend, 30);
	assert_int_equal(l.time_stamp, 31);
	assert_int_equal(l.data_max, 28);
	assert_int_equal(l.type, 0);
	assert_int_equal(l.blk, 1 << 12 | 1 << 14 | 1 << 16);
}

/* a page of a 32-bit kernel, and one of several of memory's pages */
static void test_pages(void **state)
{
	struct ftrace_layout l;

	(void)state;
	assert_int_equal(read_other("header_page",
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield: char data[];\toffset:12;\tsize:16372;\n"), 0);
	l = read_good();
	assert_int_equal(l.commit_size, 4);
	assert_int_equal(l.data, 12);
	assert_int_equal(l.page, 16384);
}

/* of texts: a kernel before 4.17, of the other byte order */
static void test_texts(void **state)
{
	static const char old[] =
		"\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
		"\ttime_extend : type == 30\n\tdata max type_len  == 28\n";
	bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	FILE *page = fmemopen((void *)HEADER_PAGE, strlen(HEADER_PAGE), "r");
	FILE *event = fmemopen((void *)old, strlen(old), "r");
	struct ftrace_layout l;

	(void)state;
	assert_non_null(page);
	assert_non_null(event);
	assert_int_equal(ftrace_layout_parse(&l, page, event, !is_big), 0);
	fclose(event);
	fclose(page);
	assert_true(l.swapped);
	assert_int_equal(l.type_shift, is_big ? 0 : 27);
	assert_int_equal(l.delta_shift, is_big ? 5 : 0);
	assert_int_equal(l.time_stamp, 31);
	assert_int_equal(l.page, 4096);
}

/* fields that are not there, or reach beyond where they may be */
static void test_bad_page(void **state)
{
	static const char *const texts[] = {
		"", "field: u64 timestamp;\n", "\xff\xfe;;;offset:",
		"field: u64 timestamp;\toffset:0;\tsize:8;\n"
		"field: char data;\toffset:16;\tsize:4080;\n",
		"field: u64 timestamp;\toffset:0;\tsize:4;\n"
		"field: local_t commit;\toffset:8;\tsize:8;\n"
		"field: char data;\toffset:16;\tsize:4080;\n",
		"field: u64 timestamp;\toffset:0;\tsize:8;\n"
		"field: local_t commit;\toffset:12;\tsize:8;\n"
		"field: char data;\toffset:16;\tsize:4080;\n",
		"field: u64 timestamp;\toffset:4294967295;\tsize:8;\n"
		"field: local_t commit;\toffset:8;\tsize:8;\n"
		"field: char data;\toffset:16;\tsize:4080;\n",
		"field: u64 timestamp;\toffset:0;\tsize:8;\n"
		"field: local_t commit;\toffset:8;\tsize:8;\n"
		"field: char data;\toffset:16;\tsize:4294967290;\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(read_other("header_page", texts[i]),
				 -EOPNOTSUPP);
}

static void test_bad_event(void **state)
{
	static const char *const texts[] = {
		"",
		"type_len : 5 bits\ntime_delta : 28 bits\narray : 32 bits\n"
		"padding : type == 29\ntime_extend : type == 30\n"
		"time_stamp : type == 31\ndata max type_len == 28\n",
		"type_len : 5 bits\ntime_delta : 27 bits\narray : 64 bits\n"
		"padding : type == 29\ntime_extend : type == 30\n"
		"time_stamp : type == 31\ndata max type_len == 28\n",
		"type_len : 5 bits\ntime_delta : 27 bits\narray : 32 bits\n"
		"padding : type == 29\ntime_extend : type == 30\n"
		"time_stamp : type == 32\ndata max type_len == 28\n",
		"type_len : 5 bits\ntime_delta : 27 bits\narray : 32 bits\n"
		"padding : type == 29\ntime_extend : type == 29\n"
		"time_stamp : type == 31\ndata max type_len == 28\n",
		"type_len : 5 bits\ntime_delta : 27 bits\narray : 32 bits\n"
		"padding : type == 29\ntime_extend : type == 30\n"
		"time_stamp : type == 31\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(read_other("header_event", texts[i]),
				 -EOPNOTSUPP);
}

/* types beyond all that there can be are nobody's; no texts at all */
static void test_entries(void **state)
{
	struct ftrace_layout l;

	(void)state;
	put_texts(".");
	put("events/ftrace/late/format", "ID: 64\nID: 4294967295\nID: 16\n");
	assert_int_equal(read_good().blk, 1 << 12 | 1 << 14);
	put("events/ftrace/late/format", "ID: 12\nID: 14\nID: 16\n");
	assert_int_equal(ftrace_layout_read(&l, "."), -EOPNOTSUPP);
	assert_int_equal(ftrace_layout_read(&l, "nowhere"), -ENOENT);
}

/* an entry that begins with more than a record has room for */
static void test_large_entry(void **state)
{
	struct ftrace_layout l;

	(void)state;
	put("events/header_page", HEADER_PAGE);
	put("events/header_event", HEADER_EVENT);
	assert_int_equal(ftrace_layout_read(&l, "."), -ENOENT);
	put("events/ftrace/print/format",
	    "ID: 5\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\n"
	    "\tfield:int common_pid;\toffset:16;\tsize:4;\n");
	assert_int_equal(ftrace_layout_read(&l, "."), -EOPNOTSUPP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_known),
		IN_SCRATCH(test_pages),
		IN_SCRATCH(test_texts),
		IN_SCRATCH(test_bad_page),
		IN_SCRATCH(test_bad_event),
		IN_SCRATCH(test_entries),
		IN_SCRATCH(test_large_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
