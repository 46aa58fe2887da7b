/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms to merge later: the same bytes however they came together. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "make.h"
#include "stat/saved.h"
#include "stat/saved_reader.h"

/* --- a file in memory ---------------------------------------------------- */

struct text {
	char *bytes;
	size_t len;
};

static struct text write_text(struct saved *s)
{
	int fd = memfd_create("saved", 0);
	struct text t;
	struct buf b;

	assert_true(fd >= 0);
	assert_int_equal(buf_init(&b, fd, 1000), 0);
	assert_int_equal(saved_write(s, &b), 0);
	buf_free(&b);
	t.len = (size_t)lseek(fd, 0, SEEK_END);
	t.bytes = calloc(1, t.len + 1);
	assert_int_equal(pread(fd, t.bytes, t.len, 0), t.len);
	close(fd);
	return t;
}

/* in pieces of that many bytes */
static int read_pieces(struct saved *s, const char *bytes, size_t len,
		       size_t piece, struct saved_fault *fault)
{
	struct saved_reader *r = NULL;
	int err = 0;

	assert_int_equal(saved_reader_new(&r, s), 0);
	for (size_t at = 0; !err && at < len; at += piece)
		err = saved_reader_add(r, bytes + at,
				       piece < len - at ? piece : len - at);
	err = saved_reader_end(r);
	if (err)
		*fault = saved_reader_fault(r);
	saved_reader_free(r);
	return err;
}

static void read_text(struct saved *s, const struct text *t, size_t piece)
{
	struct saved_fault fault = { 0 };
	int err = read_pieces(s, t->bytes, t->len, piece, &fault);

	if (err)
		print_error("line %u: %s\n", (unsigned int)fault.line,
			    fault.what);
	assert_int_equal(err, 0);
}

static struct saved *new_set(void)
{
	struct saved *s;

	assert_int_equal(saved_new(&s), 0);
	return s;
}

static void assert_text(struct saved *s, const char *want)
{
	struct text t = write_text(s);

	assert_string_equal(t.bytes, want);
	free(t.bytes);
}

/* --- one of them --------------------------------------------------------- */

static const char example[] =
	"btstat-save 1\n"
	"trace host= device=sdb from=5 to=20 records=90 lost=1 missing=2"
	" unsure=7\n"
	"trace host=a%20b device=sda from=3 to=18446744073709551615 records=0"
	" lost=0 missing=0\n"
	"hist host= device=sdb op=read phase=d2c n=2 sum=1300 min=300 max=1000"
	"\n278:1 506:1\n"
	"hist host= device=sdb op=read phase=q2c n=4 sum=12 min=3 max=3\n3:4\n"
	"hist host= device=sdb op=read phase=q2c at=0 n=1 sum=7 min=7 max=7\n"
	"7:1\n"
	"hist host= device=sdb op=read phase=q2c at=12 n=4294967296 sum="
	"79228162514264337589248983040 min=18446744073709551615"
	" max=18446744073709551615\n7423:4294967296\n";

static void add_number(struct saved *s, const struct saved_key *key,
		       uint64_t value, uint64_t times)
{
	struct histogram h = { 0 };

	assert_int_equal(histogram_add_times(&h, value, times), 0);
	assert_int_equal(saved_add(s, key, &h), 0);
	histogram_free(&h);
}

/* in any order, and in parts */
static void test_write(void **state)
{
	struct saved_key key = { "", "sdb", "read", "q2c", 12 };
	struct saved *s = new_set();

	(void)state;
	add_number(s, &key, UINT64_MAX, (uint64_t)1 << 32);
	key.at = 0;
	add_number(s, &key, 7, 1);
	key.at = SAVED_ALWAYS;
	add_number(s, &key, 3, 1);
	add_number(s, &key, 3, 3);
	key.op = "write";
	add_number(s, &key, 9, 0);
	key = (struct saved_key){ "", "sdb", "read", "d2c", SAVED_ALWAYS };
	add_number(s, &key, 300, 1);
	add_number(s, &key, 1000, 1);
	saved_add_trace(s, &(struct saved_trace){ "a b", "sda", 3, UINT64_MAX,
						  0, 0, 0, 0 });
	saved_add_trace(s, &(struct saved_trace){ "", "sdb", 9, 20, 50, 1, 0,
						  3 });
	saved_add_trace(s, &(struct saved_trace){ "", "sdb", 5, 10, 40, 0, 2,
						  4 });
	assert_text(s, example);
	saved_free(s);
}

static void test_read(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 70; piece += 17) {
		struct text t = { (char *)example, strlen(example) };
		struct saved *s = new_set();
		struct saved_key key;
		const struct histogram *h;

		read_text(s, &t, piece);
		assert_int_equal(saved_traces(s), 2);
		assert_int_equal(saved_histograms(s), 4);
		assert_string_equal(saved_trace(s, 1)->host, "a b");
		h = saved_histogram(s, 0, &key);
		assert_string_equal(key.phase, "d2c");
		assert_int_equal(h->max, 1000);
		assert_int_equal(h->count, 2);
		assert_text(s, example);
		saved_free(s);
	}
}

static void test_large(void **state)
{
	static const struct saved_key key = { "", "d", "", "", SAVED_ALWAYS };
	struct saved *s = new_set();
	struct histogram one = { 0 };
	struct text t;

	(void)state;
	add_number(s, &key, UINT64_MAX, UINT64_MAX);
	t = write_text(s);
	assert_non_null(strstr(t.bytes, "sum=3402823669209384634264811192843491"
					"08225 "));
	assert_int_equal(histogram_add(&one, 1), 0);
	assert_int_equal(saved_add(s, &key, &one), -EOVERFLOW);
	histogram_free(&one);
	saved_free(s);
	s = new_set();
	read_text(s, &t, 1000);
	assert_text(s, t.bytes);
	free(t.bytes);
	saved_free(s);
}

static void test_bounds(void **state)
{
	char name[SAVED_NAME_MAX + 2];
	struct saved_trace t = { "", name, 0, 1, 2, 3, UINT64_MAX, 0 };
	struct saved *s = new_set();

	(void)state;
	memset(name, 'x', sizeof(name));
	name[SAVED_NAME_MAX + 1] = '\0';
	assert_int_equal(saved_add_trace(s, &t), -ENAMETOOLONG);
	name[SAVED_NAME_MAX] = '\0';
	assert_int_equal(saved_add_trace(s, &t), 0);
	assert_int_equal(saved_add_trace(s, &t), 0);
	assert_true(saved_trace(s, 0)->missing == UINT64_MAX);
	for (unsigned int i = 1; i < SAVED_COUNT_MAX; i++) {
		snprintf(name, sizeof(name), "%u", i);
		assert_int_equal(saved_add_trace(s, &t), 0);
	}
	snprintf(name, sizeof(name), "one more");
	assert_int_equal(saved_add_trace(s, &t), -ENOSPC);
	assert_int_equal(saved_traces(s), SAVED_COUNT_MAX);
	saved_free(s);
}

/* --- split and merged ---------------------------------------------------- */

enum { PARTS = 9, IOS = 4000 };

static void add_io(struct saved *s, uint32_t kind, uint64_t span, uint64_t time)
{
	static const char *const devices[] = { "sda", "sdb", "dm-0 x%" };
	static const char *const ops[] = { "read", "write", "flush" };
	const struct saved_key key = {
		kind & 1 ? "h" : "", devices[kind / 2 % 3], ops[kind / 6 % 3],
		kind / 18 % 2 ? "q2c" : "d2c",
		kind / 36 % 2 ? time / 1000 * 1000 : SAVED_ALWAYS,
	};
	const struct saved_trace t = { key.host, key.device, time, time + span,
				       1, kind % 7 == 0, kind % 5 == 0,
				       kind % 3 == 0 };

	add_number(s, &key, span, 1);
	assert_int_equal(saved_add_trace(s, &t), 0);
}

/* the whole, and the same in parts: as text */
static void make_texts(uint64_t *seed, struct text *whole, struct text *parts)
{
	struct saved *all = new_set(), *part[PARTS];

	for (int i = 0; i < PARTS; i++)
		part[i] = new_set();
	for (uint64_t time = 0; time < IOS; time++) {
		uint32_t kind = chance(seed);
		uint64_t span = (uint64_t)chance(seed) << chance(seed) % 30;

		span >>= chance(seed) % 30;
		add_io(all, kind, span, time);
		add_io(part[chance(seed) % PARTS], kind, span, time);
	}
	*whole = write_text(all);
	saved_free(all);
	for (int i = 0; i < PARTS; i++) {
		parts[i] = write_text(part[i]);
		saved_free(part[i]);
	}
}

/* two files become one, until one is left */
static void merge_two(struct text *parts, uint32_t left, uint64_t *seed)
{
	uint32_t to = chance(seed) % (left - 1);
	struct text *a = &parts[to], *b = &parts[left - 1];
	struct saved *s = new_set();
	bool turned = chance(seed) % 2;

	read_text(s, turned ? b : a, 1 + chance(seed) % 3000);
	read_text(s, turned ? a : b, 1 + chance(seed) % 3000);
	free(a->bytes);
	free(b->bytes);
	*a = write_text(s);
	saved_free(s);
}

static void test_split(void **state)
{
	uint64_t seed = 17;

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct text whole, parts[PARTS];

		make_texts(&seed, &whole, parts);
		for (uint32_t left = PARTS; left > 1; left--)
			merge_two(parts, left, &seed);
		assert_string_equal(parts[0].bytes, whole.bytes);
		assert_true(whole.len > 10000);
		free(parts[0].bytes);
		free(whole.bytes);
	}
}

/* --- damage -------------------------------------------------------------- */

#define HEAD "btstat-save 1\n"
#define HIST "hist host=h device=d op=o phase=p "
#define FULL HEAD HIST

static const struct wrong {
	const char *text, *what;
	unsigned int line;
} wrongs[] = {
	{ "", "the file is empty", 1 },
	{ "btstat-save 2\n", "not a file that btstat has saved", 1 },
	{ "btstat-save 1 \n", "not a file that btstat has saved", 1 },
	{ "btstat-save 1", "the last line is cut short", 1 },
	{ "\n", "not a file that btstat has saved", 1 },
	{ HEAD "\n", "not a line of a save file", 2 },
	{ HEAD "more\n", "not a line of a save file", 2 },
	{ HEAD "trace host= device=d from=1 to=2 records=0 lost=0\n",
	  "not a line about a trace", 2 },
	{ HEAD "trace host= device=d from=1 to=2 records=0 lost=0 missing=0 \n",
	  "not a line about a trace", 2 },
	{ HEAD "trace host= device=d from=1 to=2 records=0 lost=0 missing=0"
	  " unsure=x\n", "not a line about a trace", 2 },
	{ HEAD "trace host= device=d from=3 to=2 records=0 lost=0 missing=0\n",
	  "the trace ends before its start", 2 },
	{ FULL "n=1 sum=7 min=7 max=7\n7:1\n" HIST,
	  "the last line is cut short", 4 },
	{ FULL "n=1 sum=7 min=7 max=7\n",
	  "the cells of the last line are missing", 3 },
	{ FULL "n=1 sum=7 min=7\n7:1\n", "not a line about a histogram", 2 },
	{ FULL "n=1 sum=-7 min=7 max=7\n7:1\n",
	  "not a line about a histogram", 2 },
	{ FULL "n=18446744073709551616 sum=7 min=7 max=7\n7:1\n",
	  "not a line about a histogram", 2 },
	{ FULL "n=1 sum=340282366920938463463374607431768211456 min=7 max=7\n",
	  "not a line about a histogram", 2 },
	{ FULL "at=18446744073709551615 n=1 sum=7 min=7 max=7\n7:1\n",
	  "not a line about a histogram", 2 },
	{ HEAD "hist host=a b device=d op=o phase=p n=1 sum=7 min=7 max=7\n",
	  "not a line about a histogram", 2 },
	{ HEAD "hist host=%zz device=d op=o phase=p n=1 sum=7 min=7 max=7\n",
	  "not a line about a histogram", 2 },
	{ FULL "n=1 sum=7 min=7 max=7\n\n", "not a line of cells", 3 },
	{ FULL "n=1 sum=7 min=7 max=7\n7:1 \n", "not a line of cells", 3 },
	{ FULL "n=1 sum=7 min=7 max=7\n7:1,\n", "not a line of cells", 3 },
	{ FULL "n=1 sum=7 min=7 max=7\n7\n", "not a line of cells", 3 },
	{ FULL "n=1 sum=7 min=7 max=7\n7424:1\n", "the cells do not ascend",
	  3 },
	{ FULL "n=2 sum=14 min=7 max=7\n7:1 7:1\n", "the cells do not ascend",
	  3 },
	{ FULL "n=2 sum=9 min=2 max=7\n7:1 2:1\n", "the cells do not ascend",
	  3 },
	{ FULL "n=1 sum=7 min=7 max=7\n7:1 8:0\n", "a cell counts nothing",
	  3 },
	{ FULL "n=2 sum=7 min=7 max=7\n7:1\n", "the counts do not add up to n",
	  3 },
	{ FULL "n=1 sum=7 min=7 max=7\n6:18446744073709551615 7:2\n",
	  "the counts are too large", 3 },
	{ FULL "n=1 sum=7 min=6 max=7\n7:1\n",
	  "min or max is not in the outer cells", 3 },
	{ FULL "n=1 sum=7 min=7 max=8\n7:1\n",
	  "min or max is not in the outer cells", 3 },
	{ FULL "n=2 sum=2001 min=1001 max=1000\n506:2\n",
	  "min or max is not in the outer cells", 3 },
	{ FULL "n=1 sum=8 min=7 max=7\n7:1\n",
	  "the sum does not fit these numbers", 3 },
	{ FULL "n=1 sum=2001 min=1000 max=1001\n506:1\n",
	  "the sum does not fit these numbers", 3 },
	{ FULL "n=3 sum=3000 min=1000 max=1001\n506:3\n",
	  "the sum does not fit these numbers", 3 },
	{ FULL "n=3 sum=3003 min=1000 max=1001\n506:3\n",
	  "the sum does not fit these numbers", 3 },
};

static void test_damage(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		const struct wrong *w = &wrongs[i];
		struct saved_fault fault = { 0, "nothing" };
		struct saved *s = new_set();

		read_pieces(s, w->text, strlen(w->text), 50, &fault);
		assert_string_equal(fault.what, w->what);
		assert_int_equal(fault.line, w->line);
		saved_free(s);
	}
}

/* what no line can be is not kept until its end comes */
static void test_long_line(void **state)
{
	struct saved_fault fault = { 0, "nothing" };
	size_t len = (256 << 10) + 1;
	char *text = malloc(len);
	struct saved *s = new_set();

	(void)state;
	memset(text, 'x', len);
	assert_int_equal(read_pieces(s, text, len, 4096, &fault), -EBADMSG);
	assert_string_equal(fault.what, "the line is too long");
	free(text);
	saved_free(s);
}

/* a set that is written piece by piece is read as if it were one */
static void test_more(void **state)
{
	struct saved_key key = { "h", "sda", "read", "q2c", 0 };
	struct saved *s = new_set(), *whole = new_set(), *read = new_set();
	struct histogram h = { .count = 0 };
	int fd = memfd_create("saved", 0);
	struct saved_fault fault;
	struct text want;
	char bytes[1000];
	struct buf b;

	(void)state;
	assert_int_equal(buf_init(&b, fd, sizeof(bytes)), 0);
	assert_int_equal(saved_write(s, &b), 0);
	for (key.at = 0; key.at < 30; key.at += 10) {
		assert_int_equal(histogram_add(&h, key.at), 0);
		assert_int_equal(saved_add(s, &key, &h), 0);
		assert_int_equal(saved_add(whole, &key, &h), 0);
		assert_int_equal(saved_bytes(s), histogram_size(&h));
		assert_int_equal(saved_write_more(s, &b), 0);
		saved_clear(s);
		assert_int_equal(saved_histograms(s), 0);
		assert_int_equal(saved_bytes(s), 0);
	}
	want = write_text(whole);
	assert_int_equal(pread(fd, bytes, sizeof(bytes), 0), want.len);
	assert_int_equal(read_pieces(read, bytes, want.len, 7, &fault), 0);
	assert_text(read, want.bytes);
	free(want.bytes);
	histogram_free(&h);
	buf_free(&b);
	close(fd);
	saved_free(read);
	saved_free(whole);
	saved_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
