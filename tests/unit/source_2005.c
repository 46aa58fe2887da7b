/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of blktrace's first days, read as version 2 with payloads in line. */
#include <unistd.h>

#include "file/source.h"
#include "file/source_2005.h"
#include "make.h"

enum { CPU = 3, HEADER = 40 };

/* what stood in place of the magic */
enum first_word { CPU_ALONE, MAGIC_AND_CPU, MAGIC_2 };

static void write_temp(char path[32], const void *bytes, size_t len)
{
	int fd;

	strcpy(path, "/tmp/unit.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

/* a record of action nr whose payload, of len bytes, is elsewhere */
static void add_head(struct bytes *b, uint32_t n, uint32_t nr, bool swapped,
		     enum first_word word, uint16_t len)
{
	struct event ev = EVENT(.sequence = n, .action = nr, .pdu_len = len);
	uint8_t raw[BLK_HEADER_MAX];

	make_header(shape_of(V2), swapped, &ev, NULL, raw);
	if (word == CPU_ALONE)
		store(raw, CPU, 4, swapped);
	else if (word == MAGIC_AND_CPU)
		store(raw, BLK_MAGIC | CPU, 4, swapped);
	add_bytes(b, raw, HEADER);
}

/* what must come out for it: version 2, the payload behind it */
static void add_want(struct bytes *b, uint32_t n, uint32_t nr, bool swapped,
		     const char *payload)
{
	struct event ev = EVENT(.sequence = n, .action = nr);

	ev = with_payload(ev, payload, strlen(payload));
	add_shaped(b, V2, swapped, &ev, NULL);
}

/* reading out and dat (NULL: none), a few bytes at a time, gives want */
static void check(const struct bytes *out, const struct bytes *dat,
		  const struct bytes *want)
{
	char out_path[32], dat_path[32];
	struct bytes *got = bytes_new();
	struct source *s = NULL;
	ssize_t n;

	write_temp(out_path, out->data, out->len);
	if (dat)
		write_temp(dat_path, dat->data, dat->len);
	assert_int_equal(source_2005_open(&s, out_path, dat ? dat_path : NULL,
					  CPU),
			 0);
	while ((n = source_read(s, got->data + got->len, 13)) > 0)
		got->len += (size_t)n;
	source_close(s);
	unlink(out_path);
	if (dat)
		unlink(dat_path);
	assert_int_equal(n, 0);
	assert_int_equal(got->len, want->len);
	assert_memory_equal(got->data, want->data, want->len);
	free(got);
}

/* --- tests --------------------------------------------------------------- */

/* three strings of bytes, freed after the test */
struct strings {
	struct bytes *out, *dat, *want;
};

static int set_up(void **state)
{
	struct strings *s = malloc(sizeof(*s));

	assert_non_null(s);
	*s = (struct strings){ bytes_new(), bytes_new(), bytes_new() };
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct strings *s = *state;

	free(s->out);
	free(s->dat);
	free(s->want);
	free(s);
	return 0;
}

static void check_beside(struct strings *s, enum first_word word, bool swapped)
{
	s->out->len = s->dat->len = s->want->len = 0;
	add_head(s->out, 1, BLK_TA_ISSUE, swapped, word, 5);
	add_head(s->out, 2, BLK_TA_QUEUE, swapped, word, 0);
	add_head(s->out, 3, BLK_TA_COMPLETE, swapped, word, 3);
	add_bytes(s->dat, "issuedon", 8);
	add_want(s->want, 1, BLK_TA_ISSUE, swapped, "issue");
	add_want(s->want, 2, BLK_TA_QUEUE, swapped, "");
	add_want(s->want, 3, BLK_TA_COMPLETE, swapped, "don");
	check(s->out, s->dat, s->want);
}

/* payloads beside, with and without magic, in both byte orders */
static void test_beside(void **state)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		check_beside(*state, CPU_ALONE, swapped);
		check_beside(*state, MAGIC_AND_CPU, swapped);
	}
}

/* only issues and completions of at most 64 bytes were ever written there */
static void test_never_written(void **state)
{
	struct strings *s = *state;

	add_head(s->out, 1, BLK_TA_QUEUE, false, CPU_ALONE, 4);
	add_head(s->out, 2, BLK_TA_ISSUE, false, CPU_ALONE, 65);
	add_head(s->out, 3, BLK_TA_ISSUE, false, CPU_ALONE, 4);
	add_bytes(s->dat, "real", 4);
	add_want(s->want, 1, BLK_TA_QUEUE, false, "");
	add_want(s->want, 2, BLK_TA_ISSUE, false, "");
	add_want(s->want, 3, BLK_TA_ISSUE, false, "real");
	check(s->out, s->dat, s->want);
}

/* without a file of payloads they follow their records */
static void test_in_line(void **state)
{
	struct strings *s = *state;

	for (int swapped = 0; swapped < 2; swapped++) {
		s->out->len = s->want->len = 0;
		add_head(s->out, 1, BLK_TA_QUEUE, swapped, CPU_ALONE, 4);
		add_bytes(s->out, "data", 4);
		add_head(s->out, 2, BLK_TA_ISSUE, swapped, CPU_ALONE, 0);
		add_want(s->want, 1, BLK_TA_QUEUE, swapped, "data");
		add_want(s->want, 2, BLK_TA_ISSUE, swapped, "");
		check(s->out, NULL, s->want);
	}
}

/* real magic, garbage, a few bytes, nothing: all go through as they are */
static void test_through(void **state)
{
	struct strings *s = *state;

	add_want(s->out, 1, BLK_TA_ISSUE, false, "payload");
	add_want(s->out, 2, BLK_TA_ISSUE, false, "");
	check(s->out, NULL, s->out);
	s->out->len = 0;
	for (int i = 0; i < 30; i++)
		add_bytes(s->out, "garbage", 7);
	check(s->out, NULL, s->out);
	s->out->len = 9;
	check(s->out, NULL, s->out);
	s->out->len = 0;
	check(s->out, s->dat, s->out);
}

/* a record cut at the end is handed on, so that the stream can tell */
static void test_cut(void **state)
{
	struct strings *s = *state;

	add_head(s->out, 1, BLK_TA_ISSUE, false, CPU_ALONE, 0);
	add_head(s->out, 2, BLK_TA_ISSUE, false, CPU_ALONE, 0);
	s->out->len -= 10;
	add_want(s->want, 1, BLK_TA_ISSUE, false, "");
	add_want(s->want, 2, BLK_TA_ISSUE, false, "");
	s->want->len -= 10;
	check(s->out, s->dat, s->want);
}

/* payloads that end too soon leave the last record short */
static void test_cut_payload(void **state)
{
	struct strings *s = *state;

	add_head(s->out, 1, BLK_TA_ISSUE, false, CPU_ALONE, 8);
	add_bytes(s->dat, "half", 4);
	add_want(s->want, 1, BLK_TA_ISSUE, false, "half....");
	s->want->len -= 4;
	check(s->out, s->dat, s->want);
}

#define WITH_STRINGS(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STRINGS(test_beside),
		WITH_STRINGS(test_never_written),
		WITH_STRINGS(test_in_line),
		WITH_STRINGS(test_through),
		WITH_STRINGS(test_cut),
		WITH_STRINGS(test_cut_payload),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
