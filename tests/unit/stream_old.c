/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream over records of 2005 and early 2006: layouts that only their
 * surroundings tell apart, names inside records, clocks that disagree.
 */
#include "file/source.h"
#include "file/stream.h"
#include "make.h"

static struct stream *stream_of(const struct bytes *in, int cpu,
				struct diary *d)
{
	struct stream_options o = { "file", cpu, 512, NULL, false,
				    0, false, false, NULL, NULL };
	struct source *src = NULL;
	struct stream *s;

	diary_init(d);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	s = stream_new(src, &o, &d->hooks);
	assert_non_null(s);
	return s;
}

/* count records of that shape, every third with a payload */
static void add_many(struct bytes *b, int shape, bool swapped, uint32_t count)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(WRITE)),
				.pid = 100, .device = 0x800000, .cpu = 2);

	for (ev.sequence = 1; ev.sequence <= count; ev.sequence++) {
		ev = with_payload(ev, "abc", ev.sequence % 3 ? 0 : 3);
		ev.time = 1000 + ev.sequence;
		add_shaped(b, shape, swapped, &ev, "dd");
	}
}

static void check_event(const struct event *ev, const struct shape *s,
			uint32_t n)
{
	assert_int_equal(ev->sequence, n);
	assert_int_equal(ev->version, s->version);
	assert_int_equal(ev->cpu, 2);
	assert_int_equal(ev->pid, 100);
	assert_int_equal(ev->device, s->device ? 0x800000 : 0);
	assert_int_equal(ev->pdu_len, n % 3 ? 0 : 3);
	assert_memory_equal(ev->payload, "abc", ev->pdu_len);
	/* version 2's clock begins with its file */
	assert_int_equal(ev->time, s->version == 2 ? n - 1 : 1000 + n);
}

static void check_shape(int shape, bool swapped, uint32_t count)
{
	const struct shape *s = shape_of(shape);
	struct bytes *in = bytes_new();
	struct stream *stream;
	struct event *ev;
	struct diary d;

	add_many(in, shape, swapped, count);
	stream = stream_of(in, 2, &d);
	for (uint32_t n = 1; n <= count; n++) {
		assert_int_equal(stream_next(stream, &ev), 1);
		check_event(ev, s, n);
	}
	assert_int_equal(stream_next(stream, &ev), 0);
	assert_string_equal(d.text, s->comm ? "note 0 of 100: dd\n" : "");
	stream_free(stream);
	free(in);
}

static void check_both(int shape, uint32_t count)
{
	check_shape(shape, false, count);
	check_shape(shape, true, count);
}

/* every layout is found by walking it, in both byte orders */
static void test_layouts(void **state)
{
	(void)state;
	for (int shape = 0; shape < SHAPES; shape++) {
		check_both(shape, 10);
		check_both(shape, 3000);
	}
}

/* a lone record of an old version is enough where only one layout exists */
static void test_lone(void **state)
{
	static const int shapes[] = { V2, V3, V5, V6, V7, V8 };

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		check_both(shapes[i], 1);
}

/* names are told once for each process, and when it changes places */
static void test_names(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(WRITE)));
	struct stream *s;
	struct event *got;
	struct diary d;

	(void)state;
	for (uint32_t i = 0; i < 9; i++) {
		ev.sequence = i;
		ev.pid = 100 + i % 3;
		add_shaped(in, V6, false, &ev, i % 3 == 2 ? "" :
			   i % 3 ? "sixteen letters!" : "dd");
	}
	s = stream_of(in, STREAM_ANY_CPU, &d);
	assert_int_equal(stream_next(s, &got), 1);
	assert_string_equal(d.text, "note 0 of 100: dd\n"
			    "note 0 of 101: sixteen letters!\n");
	stream_free(s);
	free(in);
}

/* version 2 requeues were filed under queueing; the stream mends them */
static void test_requeue(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.action = ACT(BLK_TA_REQUEUE, CAT(QUEUE)));
	struct stream *s;
	struct event *got;
	struct diary d;

	(void)state;
	add_shaped(in, V2, true, &ev, NULL);
	s = stream_of(in, 7, &d);
	assert_int_equal(stream_next(s, &got), 1);
	assert_int_equal(got->action, ACT(BLK_TA_REQUEUE, CAT(REQUEUE)));
	assert_int_equal(got->cpu, 7);
	assert_true(got->swapped);
	stream_free(s);
	free(in);
}

/* old records are searched for after damage as new ones are */
static void test_damage(void **state)
{
	struct bytes *in = bytes_new();
	uint32_t shown = 0;
	struct event *ev;
	struct stream *s;
	struct diary d;

	(void)state;
	add_many(in, V5, true, 5);
	add_bytes(in, "damage", 6);
	add_many(in, V5, true, 5);
	s = stream_of(in, 2, &d);
	while (stream_next(s, &ev) == 1) {
		assert_int_equal(ev->sequence, shown % 5 + 1);
		shown++;
	}
	assert_int_equal(shown, 10);
	assert_non_null(strstr(d.text, "323+6 not a trace record\n"));
	stream_free(s);
	free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_lone),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_requeue),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
