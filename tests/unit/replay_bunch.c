/* SPDX-License-Identifier: GPL-2.0-only */
/* The replay file's bytes, as doc/btreplay.5 has them. */
#include "make.h"
#include "replay/bunch.h"

/* two reads and a write at 7 ns; written down by hand, on purpose */
static size_t put_sample(uint8_t *raw)
{
	static const uint64_t words[] = { 3, 7, 8, 4096, 1, 16, 512, 1,
					  UINT64_MAX, UINT32_MAX, 0 };

	memcpy(raw, words, sizeof(words));
	return sizeof(words);
}

static void store64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

static void test_header(void **state)
{
	static const uint64_t words[] = { 0x010000, 1, 2, 3 };
	struct bunch_file h = { BUNCH_VERSION, 1, 2, 3 }, back;
	uint8_t raw[BUNCH_FILE_HEAD];

	(void)state;
	bunch_file_encode(&h, raw);
	assert_memory_equal(raw, words, sizeof(words));
	bunch_file_decode(&back, raw);
	assert_memory_equal(&h, &back, sizeof(h));
}

static void test_decode(void **state)
{
	static struct bunch b;
	uint8_t raw[BUNCH_BYTES], again[BUNCH_BYTES];
	size_t len = put_sample(raw), at;
	const char *what;

	(void)state;
	assert_int_equal(bunch_decode(&b, raw, len, &what, &at), len);
	assert_int_equal(b.time, 7);
	assert_int_equal(b.count, 3);
	assert_true(b.packets[0].read && b.packets[1].read);
	assert_int_equal(b.packets[1].sector, 16);
	assert_int_equal(b.packets[1].bytes, 512);
	assert_false(b.packets[2].read);
	assert_true(b.packets[2].sector == UINT64_MAX);
	assert_int_equal(bunch_size(&b), len);
	assert_int_equal(bunch_encode(&b, again), len);
	assert_memory_equal(raw, again, len);
}

/* wherever it is cut, more is wanted, and nothing behind the cut is read */
static void test_cut(void **state)
{
	static struct bunch b;
	uint8_t raw[BUNCH_BYTES], *tight;
	size_t len = put_sample(raw), at;
	const char *what;

	(void)state;
	for (size_t cut = 0; cut < len; cut++) {
		tight = malloc(cut + 1);
		assert_non_null(tight);
		memcpy(tight, raw, cut);
		assert_int_equal(bunch_decode(&b, tight, cut, &what, &at), 0);
		free(tight);
	}
}

static void check_damage(size_t at, uint64_t value, size_t where)
{
	static struct bunch b;
	uint8_t raw[BUNCH_BYTES];
	size_t len = put_sample(raw), found;
	const char *what = NULL;

	store64(raw + at, value);
	assert_int_equal(bunch_decode(&b, raw, len, &what, &found), -1);
	assert_non_null(what);
	assert_int_equal(found, where);
}

static void test_damage(void **state)
{
	(void)state;
	check_damage(0, 0, 0);
	check_damage(0, BUNCH_MAX + 1, 0);
	check_damage(0, UINT64_MAX, 0);
	check_damage(24, (uint64_t)UINT32_MAX + 1, 16);
	check_damage(32, 2, 16);
	check_damage(56, 0xffffffff, 40);
}

/* what is behind the direction may be anything */
static void test_padding(void **state)
{
	static struct bunch b;
	uint8_t raw[BUNCH_BYTES];
	size_t len = put_sample(raw), at;
	const char *what;

	(void)state;
	store64(raw + 32, 0xdeadbeef00000001);
	assert_int_equal(bunch_decode(&b, raw, len, &what, &at), len);
	assert_true(b.packets[0].read);
}

static void test_largest(void **state)
{
	static struct bunch b;
	static uint8_t raw[BUNCH_BYTES];
	const char *what;
	size_t at;

	(void)state;
	store64(raw, BUNCH_MAX);
	assert_int_equal(bunch_decode(&b, raw, sizeof(raw) - 1, &what, &at), 0);
	assert_int_equal(bunch_decode(&b, raw, sizeof(raw), &what, &at),
			 BUNCH_BYTES);
}

static void test_possible(void **state)
{
	struct packet p = { INT64_MAX >> 9, IO_BYTES_MAX, true };

	(void)state;
	assert_true(packet_is_possible(&p));
	p.sector++;
	assert_false(packet_is_possible(&p));
	p = (struct packet){ 0, IO_BYTES_MAX + 1, false };
	assert_false(packet_is_possible(&p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
