/* SPDX-License-Identifier: GPL-2.0-only */
/* The replay file's bytes, as doc/btreplay.5 has them. */
#include "make.h"
#include "replay/bunch.h"

/* two numbers of 32 bits in memory, the first one first */
#define PAIR(first, second) \
	(BYTE_ORDER == LITTLE_ENDIAN ? \
	 (uint64_t)(second) << 32 | (uint32_t)(first) : \
	 (uint64_t)(first) << 32 | (uint32_t)(second))

/* two reads and a write at 7 ns; written down by hand, on purpose */
static size_t put_sample(uint8_t *raw)
{
	static const uint64_t words[] = { 3, 7, 8, 4096, PAIR(1, 0),
					  16, 512, PAIR(1, 0),
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
	struct bunch_file h = { BUNCH_VERSION, 1, 2, 3, false }, back;
	uint8_t raw[BUNCH_FILE_HEAD];

	(void)state;
	bunch_file_encode(&h, raw);
	assert_memory_equal(raw, words, sizeof(words));
	bunch_file_decode(&back, raw);
	assert_true(back.version == h.version && back.genesis == 1);
	assert_true(back.bunches == 2 && back.packets == 3 && !back.kinds);
}

static void test_header_with_kinds(void **state)
{
	static const uint64_t words[] = { 0x010000, 1, 2, 0x6b69000000000003 };
	struct bunch_file h = { BUNCH_VERSION, 1, 2, 3, true }, back;
	uint8_t raw[BUNCH_FILE_HEAD];

	(void)state;
	bunch_file_encode(&h, raw);
	assert_memory_equal(raw, words, sizeof(words));
	bunch_file_decode(&back, raw);
	assert_true(back.kinds);
	assert_int_equal(back.packets, 3);
}

static void test_decode(void **state)
{
	static struct bunch b;
	uint8_t raw[BUNCH_BYTES], again[BUNCH_BYTES];
	size_t len = put_sample(raw), at;
	const char *what;

	(void)state;
	assert_int_equal(bunch_decode(&b, raw, len, false, &what, &at), len);
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
		assert_int_equal(bunch_decode(&b, tight, cut, false, &what,
					      &at), 0);
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
	assert_int_equal(bunch_decode(&b, raw, len, false, &what, &found),
			 -1);
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
	check_damage(32, PAIR(2, 0), 16);
	check_damage(56, PAIR(0xffffffff, 0), 40);
}

/* what is behind the direction may be anything */
static void test_padding(void **state)
{
	static struct bunch b;
	uint8_t raw[BUNCH_BYTES];
	size_t len = put_sample(raw), at;
	const char *what;

	(void)state;
	store64(raw + 32, PAIR(1, 0xdeadbeef));
	assert_int_equal(bunch_decode(&b, raw, len, false, &what, &at), len);
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
	assert_int_equal(bunch_decode(&b, raw, sizeof(raw) - 1, false, &what,
				      &at), 0);
	assert_int_equal(bunch_decode(&b, raw, sizeof(raw), false, &what, &at),
			 BUNCH_BYTES);
}

/* --- kinds: written down by hand, on purpose ----------------------------- */

/* of each kind one, and writes with each flag */
static const struct packet of_kinds[] = {
	{ .sector = 8, .bytes = 512, .fua = true },
	{ .sector = 9, .bytes = 512, .preflush = true },
	{ .kind = PACKET_FLUSH },
	{ .sector = 10, .bytes = 0xfffffe00, .kind = PACKET_DISCARD },
	{ .sector = 11, .bytes = 1024, .kind = PACKET_ZEROES },
	{ .bytes = 1536, .kind = PACKET_FLUSHED },
};

static const uint64_t kind_words[] = {
	6, 7,
	8, 512, PAIR(0, 1 << 27),
	9, 512, PAIR(0, 1 << 28),
	0, 0, PAIR(0, 1 << 24),
	10, 0, PAIR(0, (2 << 24) + 0x7fffff),
	11, 0, PAIR(0, (3 << 24) + 2),
	0, 0, PAIR(0, (4 << 24) + 3),
};

static void test_kinds(void **state)
{
	static struct bunch b = { .time = 7, .count = 6 };
	static struct bunch back;
	uint8_t raw[BUNCH_BYTES];
	const char *what;
	size_t at;

	(void)state;
	memcpy(b.packets, of_kinds, sizeof(of_kinds));
	assert_int_equal(bunch_encode(&b, raw), sizeof(kind_words));
	assert_memory_equal(raw, kind_words, sizeof(kind_words));
	assert_int_equal(bunch_decode(&back, raw, sizeof(kind_words), true,
				      &what, &at), sizeof(kind_words));
	for (int i = 0; i < 6; i++) {
		const struct packet *p = &back.packets[i], *q = &of_kinds[i];

		assert_true(p->sector == q->sector && p->bytes == q->bytes);
		assert_true(p->kind == q->kind && !p->read);
		assert_true(p->fua == q->fua && p->preflush == q->preflush);
		assert_true(packet_has_kind(p));
	}
}

/* to who does not know of kinds they are writes, most of 0 bytes */
static void test_kinds_unknown(void **state)
{
	static struct bunch b;
	const char *what;
	size_t at;

	(void)state;
	assert_int_equal(bunch_decode(&b, (const uint8_t *)kind_words,
				      sizeof(kind_words), false, &what, &at),
			 sizeof(kind_words));
	for (int i = 0; i < 6; i++) {
		const struct packet *p = &b.packets[i];

		assert_false(p->read || packet_has_kind(p));
		assert_int_equal(p->bytes, i < 2 ? 512 : 0);
		assert_int_equal(packet_is_flush(p), i >= 2);
	}
}

/* a word of the packet that damages it */
static void check_bad_kind(uint64_t bytes, uint64_t last)
{
	static struct bunch b;
	const uint64_t words[] = { 1, 7, 8, bytes, last };
	const char *what = NULL;
	size_t at;

	assert_int_equal(bunch_decode(&b, (const uint8_t *)words,
				      sizeof(words), true, &what, &at), -1);
	assert_non_null(what);
	assert_int_equal(at, BUNCH_HEAD);
}

static void test_bad_kinds(void **state)
{
	(void)state;
	check_bad_kind(0, PAIR(0, 5 << 24));		/* none has this */
	check_bad_kind(0, PAIR(0, 1 << 23));		/* nor this bit */
	check_bad_kind(0, PAIR(0, 1u << 31));
	check_bad_kind(512, PAIR(0, 2 << 24));	/* a discard of data */
	check_bad_kind(512, PAIR(0, 1));		/* data, and sectors */
	check_bad_kind(0, PAIR(1, 1 << 24));		/* a flush that reads */
	check_bad_kind(0, PAIR(0, 9 << 24));		/* a flush with FUA */
	check_bad_kind(512, PAIR(1, 1 << 27));	/* a read with FUA */
	check_bad_kind(512, PAIR(1, 1 << 28));
}

static void test_possible(void **state)
{
	struct packet p = { .sector = INT64_MAX >> 9, .bytes = IO_BYTES_MAX,
			    .read = true };

	(void)state;
	assert_true(packet_is_possible(&p));
	p.sector++;
	assert_false(packet_is_possible(&p));
	p = (struct packet){ .bytes = IO_BYTES_MAX + 1 };
	assert_false(packet_is_possible(&p));
	p.kind = PACKET_DISCARD;
	assert_true(packet_is_possible(&p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_header_with_kinds),
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_kinds_unknown),
		cmocka_unit_test(test_bad_kinds),
		cmocka_unit_test(test_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
