/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows as csv, tsv and JSON lines: what stands around values and in texts. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "emit/csv.h"
#include "emit/jsonl.h"
#include "make.h"

static const struct column name = { "name", COLUMN_TEXT, true, "", "a text" };
static const struct column pid = { "pid", COLUMN_INT32, true, "", "small" };
static const struct column time_ns = { "time_ns", COLUMN_INT64, true, "ns",
				       "large" };
/* longer than what is copied of a key at once */
static const struct column wide = { "a_column_with_quite_a_long_name",
				    COLUMN_INT32, true, "", "a number" };

static const struct column *const columns[] = { &name, &pid, &time_ns, &wide };
static const struct row_shape shape = { "ios", columns, 4 };

static struct cell text(const char *s)
{
	return (struct cell){ .text = s, .len = (uint32_t)strlen(s) };
}

static struct cell number(int64_t n)
{
	return (struct cell){ .number = n };
}

static const struct cell null = { .null = true };

struct sheet {
	const struct row_ops *ops;
	struct row_writer *w;
	struct buf b;
};

static void sheet_init(struct sheet *s, const struct row_ops *ops,
		       const struct row_options *o)
{
	s->ops = ops;
	assert_int_equal(buf_init(&s->b, -1, 1 << 12), 0);
	assert_int_equal(ops->open(&s->w, &s->b, &shape, o), 0);
}

static void put(struct sheet *s, struct cell a, struct cell b, struct cell c,
		struct cell d)
{
	const struct cell cells[] = { a, b, c, d };

	assert_int_equal(s->ops->row(s->w, cells), 0);
}

/* the end, with exactly this text */
static void assert_sheet(struct sheet *s, const char *expected)
{
	assert_int_equal(s->ops->end(s->w), 0);
	buf_append(&s->b, "", 1);
	assert_string_equal(s->b.data, expected);
	s->ops->free(s->w);
	buf_free(&s->b);
}

static const struct row_options with_names = { .header = true };

/* names first, then a line for each row; null is nothing */
static void test_csv(void **state)
{
	struct sheet s;

	(void)state;
	sheet_init(&s, &csv_ops, &with_names);
	put(&s, text("fio"), number(-1), number(INT64_MIN), number(7));
	put(&s, null, null, null, null);
	put(&s, text(""), number(INT32_MIN), number(INT64_MAX), null);
	assert_sheet(&s, "name,pid,time_ns,a_column_with_quite_a_long_name\n"
			 "fio,-1,-9223372036854775808,7\n"
			 ",,,\n"
			 ",-2147483648,9223372036854775807,\n");
}

/* quotes only where they are needed */
static void test_csv_texts(void **state)
{
	static const struct row_options bare = { .null = "NULL" };
	struct sheet s;

	(void)state;
	sheet_init(&s, &csv_ops, &bare);
	put(&s, text("a,b"), number(1), null, number(2));
	put(&s, text("\"a\""), null, null, null);
	put(&s, text("a\nb\r"), null, null, null);
	put(&s, text("a b\t\\'\001"), null, null, null);
	put(&s, text("\xc3\xa9\xef\xbf\xbd"), null, null, null);
	assert_sheet(&s, "\"a,b\",1,NULL,2\n"
			 "\"\"\"a\"\"\",NULL,NULL,NULL\n"
			 "\"a\nb\r\",NULL,NULL,NULL\n"
			 "a b\t\\'\001,NULL,NULL,NULL\n"
			 "\xc3\xa9\xef\xbf\xbd,NULL,NULL,NULL\n");
}

static void test_tsv(void **state)
{
	struct sheet s;

	(void)state;
	sheet_init(&s, &tsv_ops, &with_names);
	put(&s, text("a,\"b\""), number(0), number(1234567890123), null);
	put(&s, text("\t\n\\\r"), null, null, null);
	put(&s, text("\\N"), null, null, null);
	put(&s, (struct cell){ .text = "a\0b", .len = 3 }, null, null, null);
	assert_sheet(&s,
		     "name\tpid\ttime_ns\ta_column_with_quite_a_long_name\n"
		     "a,\"b\"\t0\t1234567890123\t\\N\n"
		     "\\t\\n\\\\\\r\t\\N\t\\N\t\\N\n"
		     "\\\\N\t\\N\t\\N\t\\N\n"
		     "a\\0b\t\\N\t\\N\t\\N\n");
}

#define OBJECT(name, pid, ns, wide) \
	"{\"name\":" name ",\"pid\":" pid ",\"time_ns\":" ns \
	",\"a_column_with_quite_a_long_name\":" wide "}\n"

static void test_jsonl(void **state)
{
	struct sheet s;

	(void)state;
	sheet_init(&s, &jsonl_ops, &with_names);
	put(&s, text("fio"), number(-1), number(INT64_MIN), number(7));
	put(&s, null, null, null, null);
	put(&s, text("\"\\/\n\001\037\177"), null, null, null);
	put(&s, text("\xc3\xa9"), null, null, null);
	assert_sheet(&s, OBJECT("\"fio\"", "-1", "-9223372036854775808", "7")
			 OBJECT("null", "null", "null", "null")
			 OBJECT("\"\\\"\\\\/\\u000a\\u0001\\u001f\\u007f\"",
				"null", "null", "null")
			 OBJECT("\"\xc3\xa9\"", "null", "null", "null"));
}

/* Texts longer than the buffer, of bytes that grow the most. */
static void try_long(const struct row_ops *ops, char byte, size_t grown)
{
	enum { LEN = 5000 };
	char long_text[LEN];
	int fd = memfd_create("rows", 0);
	struct row_writer *w;
	struct buf b;

	assert_true(fd >= 0);
	memset(long_text, byte, LEN);
	assert_int_equal(buf_init(&b, fd, 16), 0);
	assert_int_equal(ops->open(&w, &b, &shape,
				   &(struct row_options){ .null = "" }), 0);
	for (int i = 0; i < 3; i++) {
		const struct cell cells[] = {
			{ .text = long_text, .len = LEN }, number(1),
			number(2), number(3),
		};

		assert_int_equal(ops->row(w, cells), 0);
	}
	assert_int_equal(buf_flush(&b), 0);
	assert_true((size_t)lseek(fd, 0, SEEK_END) >= 3 * LEN * grown);
	ops->free(w);
	buf_free(&b);
	close(fd);
}

static void test_long(void **state)
{
	(void)state;
	try_long(&csv_ops, '"', 2);
	try_long(&tsv_ops, '\\', 2);
	try_long(&jsonl_ops, '\001', 6);
}

/* what text becomes between quotes of JSON, by the plainest way there is */
static void expect_json(char *to, const char *s)
{
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			to += sprintf(to, "\\%c", *s);
		else if ((unsigned char)*s < ' ' || *s == 0x7f)
			to += sprintf(to, "\\u%04x", (unsigned int)*s);
		else if ((unsigned char)*s > 0x7f)	/* is no character */
			to += sprintf(to, "\xef\xbf\xbd");
		else
			*to++ = *s;
	}
	*to = '\0';
}

static void try_json(const char *s)
{
	char json[128], line[512];
	struct sheet sheet;

	expect_json(json, s);
	snprintf(line, sizeof(line), "{\"name\":\"%s\",\"pid\":null,"
		 "\"time_ns\":null,"
		 "\"a_column_with_quite_a_long_name\":null}\n", json);
	sheet_init(&sheet, &jsonl_ops, &with_names);
	put(&sheet, text(s), null, null, null);
	assert_sheet(&sheet, line);
}

static void expect_tsv(char *to, const char *s)
{
	static const char bytes[] = "\t\n\r\\", letters[] = "tnr\\";

	for (; *s; s++) {
		const char *at = strchr(bytes, *s);

		if (at)
			*to++ = '\\';
		*to++ = at ? letters[at - bytes] : *s;
	}
	*to = '\0';
}

static void try_tsv(const char *s)
{
	static const struct row_options bare = { .header = false };
	char tsv[128], line[512];
	struct sheet sheet;

	expect_tsv(tsv, s);
	snprintf(line, sizeof(line), "%s\t\\N\t\\N\t\\N\n", tsv);
	sheet_init(&sheet, &tsv_ops, &bare);
	put(&sheet, text(s), null, null, null);
	assert_sheet(&sheet, line);
}

static void try_csv(const char *s)
{
	static const struct row_options bare = { .header = false };
	bool quoted = strpbrk(s, ",\"\r\n");
	char csv[128], line[512], *to = csv;
	struct sheet sheet;

	for (const char *c = s; *c; c++) {
		if (*c == '"')
			*to++ = '"';
		*to++ = *c;
	}
	*to = '\0';
	snprintf(line, sizeof(line), "%s%s%s,,,\n", quoted ? "\"" : "", csv,
		 quoted ? "\"" : "");
	sheet_init(&sheet, &csv_ops, &bare);
	put(&sheet, text(s), null, null, null);
	assert_sheet(&sheet, line);
}

/* every byte, at every place of texts of every length around those of words */
static void test_every_byte(void **state)
{
	(void)state;
	for (int len = 1; len < 20; len++) {
		for (int at = 0; at < len; at++) {
			for (int c = 1; c < 256; c++) {
				char s[32];

				memset(s, 'x', (size_t)len);
				s[at] = (char)c;
				s[len] = '\0';
				try_csv(s);
				try_tsv(s);
				try_json(s);
			}
		}
	}
}

/* a full disk is the buffer's error, and no row's */
static void test_full(void **state)
{
	static const struct row_ops *const all[] = { &csv_ops, &tsv_ops,
						     &jsonl_ops };
	const struct cell cells[] = { text("fio"), null, null, null };
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(fd >= 0);
	for (int i = 0; i < 3; i++) {
		struct row_writer *w;
		struct buf b;

		assert_int_equal(buf_init(&b, fd, 32), 0);
		assert_int_equal(all[i]->open(&w, &b, &shape, &with_names), 0);
		for (int k = 0; k < 3; k++)
			assert_int_equal(all[i]->row(w, cells), 0);
		assert_int_equal(all[i]->end(w), 0);
		assert_int_equal(buf_flush(&b), -ENOSPC);
		all[i]->free(w);
		all[i]->free(NULL);
		buf_free(&b);
	}
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_texts),
		cmocka_unit_test(test_tsv),
		cmocka_unit_test(test_jsonl),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
