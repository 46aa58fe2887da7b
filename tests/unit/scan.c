/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that stands in a source, piece by piece: what is no record is
 * shown, too, and where.
 */
#include "file/scan.h"
#include "file/source.h"
#include "make.h"

static const char *const kinds[] = {
	[PIECE_RECORD] = "record",
	[PIECE_FOREIGN] = "foreign",
	[PIECE_ZEROS] = "zeros",
	[PIECE_VERSION] = "version",
	[PIECE_CUT_HEADER] = "cut header",
	[PIECE_CUT_PAYLOAD] = "cut payload",
};

/* the pieces of these bytes as text: kind, place, length, number if known */
static void check(struct bytes *in, const char *story)
{
	struct source *src = NULL;
	struct scan *ps;
	struct piece p;
	struct diary d;
	int got;

	diary_init(&d);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	ps = scan_new(src, 0, NULL);
	assert_non_null(ps);
	while ((got = scan_next(ps, &p)) == 1) {
		diary_write(&d, "%s %llu+%llu", kinds[p.kind],
			    (unsigned long long)p.at,
			    (unsigned long long)p.len);
		if (p.kind == PIECE_RECORD)
			diary_write(&d, " %u", p.ev.sequence);
		diary_write(&d, "\n");
	}
	assert_int_equal(got, 0);
	scan_free(ps);
	assert_string_equal(d.text, story);
	in->len = 0;
}

/* records of all versions, of both byte orders, with payloads */
static void test_records(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.sequence = 7, .time = 9, .cpu = 0,
				.action = ACT(BLK_TA_QUEUE, CAT(WRITE)));

	(void)state;
	check(in, "");
	add_simple(in, 1);
	add_shaped(in, V8, false, &ev, NULL);
	add_shaped(in, V7, true, &ev, NULL);
	ev = with_payload(ev, "12345678", 8);
	add_record(in, &ev);
	add_shaped(in, V6, false, &ev, "comm");
	check(in, "record 0+48 1\nrecord 48+64 7\nrecord 112+48 7\n"
		  "record 160+56 7\nrecord 216+72 7\n");
	free(in);
}

/* the fields of what is no record, as version 7 would have them */
static void test_shown_as_record(void **state)
{
	struct bytes *in = bytes_new();
	struct source *src = NULL;
	struct scan *ps;
	struct piece p;

	(void)state;
	add_record(in, &EVENT(.sequence = 3, .time = 4, .sector = 5,
			      .bytes = 6, .device = 8, .cpu = 9));
	store(in->data, 0x11617407, 4, false);	/* its magic */
	add_simple(in, 10);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	ps = scan_new(src, 0, NULL);
	assert_int_equal(scan_next(ps, &p), 1);
	assert_int_equal(p.kind, PIECE_FOREIGN);
	assert_true(p.header);
	assert_int_equal(p.magic, 0x11617407);
	assert_int_equal(p.ev.sequence, 3);
	assert_int_equal(p.ev.time, 4);
	assert_int_equal(p.ev.sector, 5);
	assert_int_equal(p.ev.bytes, 6);
	assert_int_equal(p.ev.device, 8);
	assert_int_equal(p.ev.cpu, 9);
	scan_free(ps);
	free(in);
}

/* before any record, the next one tells the byte order */
static void test_order_ahead(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.sequence = 3);
	struct source *src = NULL;
	struct scan *ps;
	struct piece p;

	(void)state;
	add_shaped(in, V7, true, &ev, NULL);
	store(in->data, 0x11617407, 4, true);
	add_shaped(in, V7, true, &ev, NULL);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	ps = scan_new(src, 0, NULL);
	assert_int_equal(scan_next(ps, &p), 1);
	assert_int_equal(p.kind, PIECE_FOREIGN);
	assert_int_equal(p.magic, 0x11617407);
	assert_int_equal(p.ev.sequence, 3);
	scan_free(ps);
	free(in);
}

/* 48 bytes at a time, and what is over belongs to the last */
static void test_steps(void **state)
{
	struct bytes *in = bytes_new();
	char text[200];

	(void)state;
	memset(text, 'x', sizeof(text));
	add_simple(in, 1);
	add_bytes(in, text, 96);
	add_simple(in, 2);
	check(in, "record 0+48 1\nforeign 48+48\nforeign 96+48\n"
		  "record 144+48 2\n");
	add_bytes(in, text, 10);
	add_simple(in, 1);
	check(in, "foreign 0+10\nrecord 10+48 1\n");
	add_bytes(in, text, 150);
	add_simple(in, 1);
	check(in, "foreign 0+48\nforeign 48+48\nforeign 96+54\n"
		  "record 150+48 1\n");
	add_simple(in, 1);
	add_bytes(in, text, 20);
	check(in, "record 0+48 1\nforeign 48+20\n");
	free(in);
}

/* a record that is none behind the step still counts: 1.3.0 goes on there */
static void test_in_step(void **state)
{
	struct bytes *in = bytes_new();
	char text[48];

	(void)state;
	memset(text, 'x', sizeof(text));
	add_bytes(in, text, 48);
	add_simple(in, 1);
	add_bytes(in, text, 48);
	check(in, "foreign 0+48\nrecord 48+48 1\nforeign 96+48\n");
	free(in);
}

/* zeros are one piece, however many, wherever the buffer ends */
static void test_zeros(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_zeros(in, 300000);
	add_simple(in, 2);
	add_zeros(in, 30);
	check(in, "record 0+48 1\nzeros 48+300000\nrecord 300048+48 2\n"
		  "zeros 300096+30\n");
	free(in);
}

/* nobody knows how long it is: up to the next known one */
static void test_version(void **state)
{
	struct bytes *in = bytes_new();
	uint32_t magic = BLK_MAGIC | 9;

	(void)state;
	add_simple(in, 1);
	for (int i = 0; i < 5000; i++) {
		add_bytes(in, &magic, sizeof(magic));
		add_bytes(in, "what version nine may bring, sixty bytes of it"
			      " and no less.", 60);
	}
	add_simple(in, 2);
	add_simple(in, 3);
	check(in, "record 0+48 1\nversion 48+320000\nrecord 320048+48 2\n"
		  "record 320096+48 3\n");
	free(in);
}

/* what ends too early, in its header or behind it */
static void test_cut(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = with_payload(EVENT(.sequence = 2), "payload", 7);

	(void)state;
	add_simple(in, 1);
	add_record(in, &ev);
	in->len -= 2;
	check(in, "record 0+48 1\ncut payload 48+53\n");
	for (size_t len = 1; len < 48; len++) {
		char story[80];

		add_simple(in, 1);
		add_simple(in, 2);
		in->len = 48 + len;
		snprintf(story, sizeof(story),
			 "record 0+48 1\ncut header 48+%zu\n", len);
		check(in, story);
	}
	free(in);
}

/* a payload length that lies hides nothing */
static void test_lies(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.sequence = 2, .pdu_len = 40);
	struct event far = EVENT(.sequence = 5, .pdu_len = 60000);
	uint8_t raw[BLK_HEADER_MAX];

	(void)state;
	add_simple(in, 1);
	make_header(shape_of(V7), false, &ev, NULL, raw);
	add_bytes(in, raw, 48);
	add_simple(in, 3);
	add_simple(in, 4);
	check(in, "record 0+48 1\nrecord 48+88 2\nforeign 136+0\n"
		  "record 96+48 3\nrecord 144+48 4\n");
	make_header(shape_of(V7), false, &far, NULL, raw);
	add_bytes(in, raw, 48);
	add_simple(in, 6);
	check(in, "cut payload 0+48\nrecord 48+48 6\n");
	free(in);
}

/* shown as it is, so that its CPU can be named; other versions if they fit */
static void test_impossible_cpu(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.sequence = 1, .cpu = 0xffffffff);
	uint8_t raw[BLK_HEADER_MAX];

	(void)state;
	add_record(in, &ev);
	add_simple(in, 2);
	check(in, "record 0+48 1\nrecord 48+48 2\n");
	add_shaped(in, V6, false, &ev, NULL);
	add_simple(in, 2);
	check(in, "record 0+64 1\nrecord 64+48 2\n");
	make_header(shape_of(V6), false, &ev, NULL, raw);
	add_bytes(in, raw, 48);
	add_simple(in, 2);
	check(in, "version 0+48\nrecord 48+48 2\n");
	free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_shown_as_record),
		cmocka_unit_test(test_order_ahead),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_in_step),
		cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_impossible_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
