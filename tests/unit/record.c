/* SPDX-License-Identifier: GPL-2.0-only */
/* Records: every layout in both byte orders, and what is written again. */
#include "make.h"

static const struct event sample = {
	.sequence = 0x01020304, .time = 0x1112131415161718,
	.sector = 0x2122232425262728, .bytes = 0x31323334,
	.action = 0x00410207, .pid = 0x41424344, .device = 0x00800001,
	.cpu = 0x0102, .error = 0x5152, .pdu_len = 0x6162,
};

/* the number of a layout among those of its version */
static unsigned int nth_of(int shape)
{
	unsigned int n = 0;

	for (int i = 0; i < shape; i++)
		n += shape_of(i)->version == shape_of(shape)->version;
	return n;
}

static void check_decoded(const struct shape *s, const struct event *ev)
{
	assert_int_equal(ev->magic, BLK_MAGIC | 7);
	assert_int_equal(ev->sequence, sample.sequence);
	assert_int_equal(ev->time, sample.time);
	assert_int_equal(ev->sector, sample.sector);
	assert_int_equal(ev->bytes, sample.bytes);
	assert_int_equal(ev->action, sample.action);
	assert_int_equal(ev->pid, sample.pid);
	assert_int_equal(ev->device, s->device ? sample.device : 0);
	assert_int_equal(ev->cpu, s->cpu ? sample.cpu : 0);
	assert_int_equal(ev->error, sample.error);
	assert_int_equal(ev->pdu_len, sample.pdu_len);
	assert_int_equal(ev->version, s->version);
}

static void check_layout(int shape, bool swapped)
{
	const struct shape *s = shape_of(shape);
	const struct layout *l = record_layout(s->version, nth_of(shape));
	uint8_t raw[BLK_HEADER_MAX];
	unsigned int version;
	struct event ev;
	bool order;

	make_header(s, swapped, &sample, "dd", raw);
	assert_true(record_magic(raw, &version, &order));
	assert_int_equal(version, s->version);
	assert_int_equal(order, swapped);
	assert_non_null(l);
	assert_int_equal(l->size, s->size);
	memset(&ev, 0xff, sizeof(ev));
	record_decode(l, swapped, raw, &ev);
	check_decoded(s, &ev);
	assert_int_equal(ev.swapped, swapped);
	assert_int_equal(ev.zone, 0);
	if (s->comm)
		assert_string_equal(record_comm(l, raw), "dd");
	else
		assert_null(record_comm(l, raw));
}

/* all layouts are read alike, whichever way round they were written */
static void test_layouts(void **state)
{
	(void)state;
	for (int shape = 0; shape < SHAPES; shape++) {
		check_layout(shape, false);
		check_layout(shape, true);
	}
}

/* there are no layouts but those */
static void test_no_layouts(void **state)
{
	static const unsigned int counts[] = { 0, 0, 1, 2, 3, 1, 1, 1, 1, 0 };

	(void)state;
	for (unsigned int v = 0; v < 10; v++) {
		for (unsigned int n = 0; n < counts[v]; n++)
			assert_int_equal(record_layout(v, n)->version, v);
		assert_null(record_layout(v, counts[v]));
		assert_true(counts[v] <= LAYOUTS_PER_VERSION);
	}
}

/* neither other versions nor other magic are ours, in either order */
static void test_bad_magic(void **state)
{
	static const uint32_t bad[] = {
		0, BLK_MAGIC, BLK_MAGIC | 1, BLK_MAGIC | 9, BLK_MAGIC | 255,
		0x65617507, 0x00617407, UINT32_MAX,
	};
	uint8_t raw[4];
	unsigned int version;
	bool order;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		for (int swapped = 0; swapped < 2; swapped++) {
			store(raw, bad[i], 4, swapped);
			assert_false(record_magic(raw, &version, &order));
		}
}

/* version 8's wide action: categories from 16 up become the zone's bits */
static void test_zone(void **state)
{
	struct event in = sample, ev;
	uint8_t raw[BLK_HEADER_MAX];

	(void)state;
	in.zone = 0x41;
	for (int swapped = 0; swapped < 2; swapped++) {
		make_header(shape_of(V8), swapped, &in, NULL, raw);
		record_decode(record_layout(8, 0), swapped, raw, &ev);
		assert_int_equal(ev.zone, 0x41);
		assert_int_equal(ev.action, in.action);
		assert_int_equal(event_categories(&ev), 0x410041);
	}
}

/* version 2 filed requeues under queueing; no other version is mended */
static void test_old_requeue(void **state)
{
	struct event in = sample, ev;
	uint8_t raw[BLK_HEADER_MAX];

	(void)state;
	in.action = ACT(BLK_TA_REQUEUE, CAT(QUEUE) | CAT(WRITE));
	make_header(shape_of(V2), false, &in, NULL, raw);
	record_decode(record_layout(2, 0), false, raw, &ev);
	assert_int_equal(ev.action,
			 ACT(BLK_TA_REQUEUE, CAT(REQUEUE) | CAT(WRITE)));
	make_header(shape_of(V5), false, &in, NULL, raw);
	record_decode(record_layout(5, 0), false, raw, &ev);
	assert_int_equal(ev.action, in.action);
}

/* both versions that we write have every byte where the kernel puts it */
static void test_encode(void **state)
{
	uint8_t raw[BLK_HEADER_MAX], want[BLK_HEADER_MAX];
	struct event ev = sample;

	(void)state;
	ev.magic = BLK_MAGIC | 7;
	make_header(shape_of(V7), false, &sample, NULL, want);
	assert_int_equal(record_encode(&ev, 7, raw), BLK_HEADER_7);
	assert_memory_equal(raw, want, BLK_HEADER_7);
	ev.zone = 0x23;
	make_header(shape_of(V8), false, &ev, NULL, want);
	memset(raw, 0xff, sizeof(raw));
	assert_int_equal(record_encode(&ev, 8, raw), BLK_HEADER_8);
	assert_memory_equal(raw, want, BLK_HEADER_8);
}

/* categories from 16 up have no room in version 7: nothing is written */
static void test_inexpressible(void **state)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(WRITE)));
	uint8_t raw[BLK_HEADER_MAX];

	(void)state;
	for (int bit = 0; bit < BLK_TC_COUNT - 16; bit++) {
		ev.zone = 1u << bit;
		memset(raw, 0xee, sizeof(raw));
		assert_int_equal(record_encode(&ev, 7, raw), 0);
		for (size_t i = 0; i < sizeof(raw); i++)
			assert_int_equal(raw[i], 0xee);
		assert_int_equal(record_encode(&ev, 8, raw), BLK_HEADER_8);
	}
}

static void fill_at_random(struct event *ev, uint64_t *seed)
{
	uint8_t raw[BLK_HEADER_7];

	for (size_t i = 0; i < sizeof(raw); i++)
		raw[i] = (uint8_t)chance(seed);
	memcpy(ev, raw, sizeof(raw));
	ev->magic = BLK_MAGIC | 7;
}

/* what was written is read again as it was */
static void test_identity(void **state)
{
	uint64_t seed = 17;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		unsigned int version = i % 2 ? 8 : 7;
		struct event in = { 0 }, out = { 0 };
		uint8_t raw[BLK_HEADER_MAX];

		fill_at_random(&in, &seed);
		in.zone = version == 8 ? chance(&seed) : 0;
		assert_int_not_equal(record_encode(&in, version, raw), 0);
		record_decode(record_layout(version, 0), false, raw, &out);
		assert_memory_equal(&in, &out, BLK_HEADER_7);
		assert_int_equal(out.zone, in.zone);
		assert_int_equal(out.version, version);
	}
}

/* what kind of event it is; the cgroup flag is no part of the number */
static void test_kinds(void **state)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE) | 0x100);

	(void)state;
	assert_true(event_is_note(&ev) && event_is_message(&ev));
	assert_int_equal(event_number(&ev), BLK_TN_MESSAGE);
	ev.action = NOTE(BLK_TN_PROCESS);
	assert_true(event_is_note(&ev) && !event_is_message(&ev));
	ev.action = ACT(BLK_TN_MESSAGE, CAT(WRITE) | CAT(PC));
	assert_false(event_is_message(&ev));
	assert_true(event_is_write(&ev) && event_is_pc(&ev));
	ev.action = ACT(BLK_TA_QUEUE, CAT(READ));
	assert_false(event_is_write(&ev) || event_is_pc(&ev));
}

/* what record_find() has to find, one place after the other */
static const uint8_t *find_slowly(const uint8_t *from, const uint8_t *end)
{
	unsigned int version;
	bool swapped;

	while (end - from >= 4 && !record_magic(from, &version, &swapped))
		from++;
	return from;
}

/* bytes that are a magic's or nearly, so that many places look like one */
static void test_find(void **state)
{
	static const uint8_t letters[] = "taetae\7\2\10\11\1";
	uint64_t seed = 3;
	uint8_t bytes[64];
	int found = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t len = chance(&seed) % sizeof(bytes);
		const uint8_t *want;

		for (size_t i = 0; i < len; i++)
			bytes[i] = letters[chance(&seed) % sizeof(letters)];
		if (round % 2 && len > 3)
			store(bytes + chance(&seed) % (len - 3),
			      BLK_MAGIC | chance(&seed) % 10, 4, round % 4 > 1);
		want = find_slowly(bytes, bytes + len);
		assert_ptr_equal(record_find(bytes, bytes + len), want);
		found += want + 4 <= bytes + len;
	}
	assert_in_range(found, 5000, 15000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_no_layouts),
		cmocka_unit_test(test_bad_magic),
		cmocka_unit_test(test_zone),
		cmocka_unit_test(test_old_requeue),
		cmocka_unit_test(test_encode),
		cmocka_unit_test(test_inexpressible),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
