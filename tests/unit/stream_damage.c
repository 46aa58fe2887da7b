/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream over damaged bytes: how it finds the next record, and what it
 * says about those before.
 */
#include <errno.h>
#include <unistd.h>

#include "file/source.h"
#include "file/stream.h"
#include "make.h"
#include "record/run_time.h"

/* what reading tells of these bytes, events and damage in their order */
static void check_with(struct bytes *in, const struct stream_options *o,
		       const char *story)
{
	struct source *src = NULL;
	struct stream *s;
	struct event *ev;
	struct diary d;

	diary_init(&d);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	s = stream_new(src, o, &d.hooks);
	while (stream_next(s, &ev) == 1)
		diary_write(&d, "event %u\n", ev->sequence);
	stream_free(s);
	assert_string_equal(d.text, story);
}

static void check_at(struct bytes *in, int cpu, unsigned int batch,
		     const char *story)
{
	const struct stream_options o = { "file", cpu, batch, NULL, false,
					  0, false, false, NULL, NULL };

	check_with(in, &o, story);
}

/* batches decide when damage is told: with one event each, in its place */
static void check(struct bytes *in, const char *story)
{
	check_at(in, 0, 1, story);
	in->len = 0;
}

/* garbage between records is passed over as one finding */
static void test_garbage(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_bytes(in, "some forty bytes of text that nobody knows", 42);
	add_simple(in, 2);
	add_simple(in, 3);
	check(in, "event 1\n48+42 not a trace record\nevent 2\nevent 3\n");
	free(in);
}

/*
 * A time that cannot be is left out, if that is asked for; the first is told at
 * once, the others in the end.  A note with one acts.
 */
static void test_times(void **state)
{
	static const uint64_t times[] = {
		5, UINT64_MAX, 7, 5 + RUN_TIME_MOST, 1ull << 62, UINT64_MAX, 1,
	};
	struct stream_options o = { "file", 0, 512, NULL, false,
				    0, false, true, NULL, NULL };
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)));
	struct event note = EVENT(.action = NOTE(BLK_TN_PROCESS),
				  .time = UINT64_MAX);
	struct lane_end end = { .newest = 0 };
	struct bytes *in = bytes_new();

	(void)state;
	for (unsigned int i = 0; i < sizeof(times) / sizeof(*times); i++) {
		ev.sequence = i;
		ev.time = times[i];
		add_record(in, &ev);
	}
	add_record(in, &note);
	o.end = &end;
	check_with(in, &o, "48+48 impossible time, years from the other"
			" records'\n"
			   "note 0 of 0: \n"
			   "96+96 more impossible times\n"
			   "event 0\nevent 2\nevent 3\nevent 6\n");
	assert_int_equal(end.records, 8);
	assert_int_equal(end.newest, 1);
	o.timed = false;
	check_with(in, &o, "note 0 of 0: \nevent 0\nevent 1\nevent 2\nevent 3\n"
			   "event 4\nevent 5\nevent 6\n");
	free(in);
}

/* the same of the other byte order */
static void test_swapped_times(void **state)
{
	const struct stream_options o = { "file", 0, 512, NULL, false,
					  0, false, true, NULL, NULL };
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)),
				.swapped = true, .time = 5);
	struct bytes *in = bytes_new();

	(void)state;
	add_record(in, &ev);
	ev.time = 1ull << 62;
	add_record(in, &ev);
	ev.time = RUN_TIME_MOST;
	ev.sequence++;
	add_record(in, &ev);
	check_with(in, &o, "48+48 impossible time, years from the other"
			" records'\n"
			   "event 0\nevent 1\n");
	free(in);
}

/* input may begin with garbage, and be nothing else */
static void test_only_garbage(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_bytes(in, "leading text", 12);
	add_simple(in, 1);
	check(in, "0+12 not a trace record\nevent 1\n");
	for (int i = 0; i < 20000; i++)
		add_bytes(in, "garbage", 7);
	check(in, "0+140000 not a trace record\n");
	free(in);
}

/* zeros are told apart: a killed capture leaves megabytes of them */
static void test_zeros(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_zeros(in, 200000);
	check(in, "event 1\n48+200000 zeros\n");
	add_simple(in, 1);
	add_zeros(in, 70000);
	add_simple(in, 2);
	check(in, "event 1\n48+70000 zeros\nevent 2\n");
	free(in);
}

/* a header or payload cut at the end is told, with what was left of it */
static void test_cut(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.sequence = 2);

	(void)state;
	for (size_t left = 1; left < 48; left++) {
		char story[64];

		add_simple(in, 1);
		add_simple(in, 2);
		in->len = 48 + left;
		snprintf(story, sizeof(story),
			 "event 1\n48+%zu a record cut short\n", left);
		check(in, story);
	}
	add_simple(in, 1);
	ev = with_payload(ev, "ten bytes!", 10);
	add_record(in, &ev);
	in->len -= 3;
	check(in, "event 1\n48+55 a record cut short\n");
	free(in);
}

/* a payload length that lies: the records it swallowed are found again */
static void test_long_lie(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	store(in->data + 46, 60, 2, false);
	for (uint32_t n = 2; n <= 5; n++)
		add_simple(in, n);
	check(in, "event 1\n108+0 not a trace record: "
	      "the payload length before is wrong\n"
	      "event 2\nevent 3\nevent 4\nevent 5\n");
	free(in);
}

/* the same where everything is in one batch */
static void test_lie_in_batch(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_simple(in, 2);
	store(in->data + 48 + 46, 60, 2, false);
	for (uint32_t n = 3; n <= 5; n++)
		add_simple(in, n);
	check_at(in, 0, 512, "156+0 not a trace record: "
		 "the payload length before is wrong\n"
		 "event 1\nevent 2\nevent 3\nevent 4\nevent 5\n");
	free(in);
}

/* a lie that is too small leaves payload where a record should be */
static void test_short_lie(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.sequence = 1);

	(void)state;
	ev = with_payload(ev, "0123456789", 10);
	add_record(in, &ev);
	store(in->data + 46, 4, 2, false);
	add_simple(in, 2);
	check(in, "event 1\n52+6 not a trace record\nevent 2\n");
	free(in);
}

/* no such version: its length is unknown, so the next record is looked for */
static void test_version(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_simple(in, 2);
	store(in->data + 48, BLK_MAGIC | 9, 4, false);
	add_simple(in, 3);
	check(in, "event 1\n48+48 a record of an unknown version\nevent 3\n");
	free(in);
}

/* a CPU number beyond what any kernel has is damage, whatever the file's */
static void test_cpu(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_record(in, &EVENT(.sequence = 2, .cpu = BLK_CPU_MAX));
	add_simple(in, 3);
	check_at(in, 0, 1, "event 1\n48+48 a record with an impossible CPU"
		 " number\nevent 3\n");
	check_at(in, STREAM_ANY_CPU, 1, "event 1\n48+48 a record with an"
		 " impossible CPU number\nevent 3\n");
	free(in);
}

/* after damage only a record in the stream's own byte order is believed */
static void test_order(void **state)
{
	struct bytes *in = bytes_new();
	struct event other = EVENT(.sequence = 8);

	(void)state;
	add_simple(in, 1);
	add_bytes(in, "damage", 6);
	add_shaped(in, V7, true, &other, NULL);
	add_shaped(in, V7, true, &other, NULL);
	add_simple(in, 2);
	check(in, "event 1\n48+102 not a trace record\nevent 2\n");
	free(in);
}

/* nor one of another CPU, nor one that no record follows */
static void test_implausible(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_bytes(in, "damage", 6);
	add_record(in, &EVENT(.sequence = 7, .cpu = 3));
	add_simple(in, 2);
	check(in, "event 1\n48+54 not a trace record\nevent 2\n");
	add_simple(in, 1);
	add_bytes(in, "damage", 6);
	add_simple(in, 7);
	add_bytes(in, "more damage", 11);
	add_simple(in, 2);
	add_simple(in, 3);
	check(in, "event 1\n48+65 not a trace record\nevent 2\nevent 3\n");
	free(in);
}

/* nor one whose categories no kernel has */
static void test_categories(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.sequence = 7, .zone = 0x80);

	(void)state;
	add_simple(in, 1);
	add_bytes(in, "damage", 6);
	add_shaped(in, V8, false, &ev, NULL);
	add_simple(in, 2);
	check(in, "event 1\n48+70 not a trace record\nevent 2\n");
	ev.zone = 0x40;
	add_simple(in, 1);
	add_bytes(in, "damage", 6);
	add_shaped(in, V8, false, &ev, NULL);
	add_simple(in, 2);
	check(in, "event 1\n48+6 not a trace record\nevent 7\nevent 2\n");
	free(in);
}

/* damage at many places is many findings, and all good records are shown */
static void test_again(void **state)
{
	struct bytes *in = bytes_new();
	struct diary want;

	(void)state;
	diary_init(&want);
	/* two records at a time: one alone between damage is not believed */
	for (uint32_t n = 1; n <= 40; n += 2) {
		if (n > 1) {
			diary_write(&want, "%zu+%u not a trace record\n",
				    in->len, n);
			memset(in->data + in->len, 0x23, n);
			in->len += n;
		}
		diary_write(&want, "event %u\nevent %u\n", n, n + 1);
		add_simple(in, n);
		add_simple(in, n + 1);
	}
	check(in, want.text);
	free(in);
}

/* zeros with a record at their end, which is more than struct bytes has */
static uint8_t *make_void(size_t len)
{
	uint8_t *bytes = calloc(1, len), raw[BLK_HEADER_MAX];

	assert_non_null(bytes);
	make_header(shape_of(V7), false, &EVENT(.sequence = 1), NULL, raw);
	memcpy(bytes + len - BLK_HEADER_7, raw, BLK_HEADER_7);
	return bytes;
}

/* how often the caller can look around before the one event comes */
static int count_pauses(struct stream *s)
{
	struct event *ev;
	int got, pauses = 0;

	while ((got = stream_next(s, &ev)) == -EINTR)
		pauses++;
	assert_int_equal(got, 1);
	assert_int_equal(ev->sequence, 1);
	assert_int_equal(stream_next(s, &ev), 0);
	return pauses;
}

/* the caller, which may have been told to stop, is asked now and then */
static void test_pauses(void **state)
{
	struct stream_options o = { "file", 0, 512, NULL, false,
				    0, false, false, NULL, NULL };
	size_t len = 5 * STREAM_VAIN;
	uint8_t *bytes = make_void(len);
	struct source *src = NULL;
	struct stream *s;
	struct diary d;

	(void)state;
	for (int primed = 0; primed < 2; primed++) {
		diary_init(&d);
		assert_int_equal(source_memory(&src, bytes, len), 0);
		s = stream_new(src, &o, &d.hooks);
		if (primed)
			stream_prime(s);
		assert_in_range(count_pauses(s), primed ? 0 : 4,
				primed ? 0 : 5);
		stream_free(s);
		assert_string_equal(d.text, "0+5242832 zeros\n");
	}
	free(bytes);
}

/* What is told when reading of a pipe stops, in which these bytes have come. */
static void check_stop(struct bytes *in, const char *story)
{
	struct stream_options o = { "pipe", 0, 512, NULL, false,
				    0, false, false, NULL, NULL };
	struct source *src = NULL;
	struct stream *s;
	struct event *ev;
	struct diary d;
	int ends[2];

	diary_init(&d);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], in->data, in->len), in->len);
	assert_int_equal(source_fd(&src, ends[0]), 0);
	s = stream_new(src, &o, &d.hooks);
	while (stream_next(s, &ev) == 1)
		;
	stream_stop(s);
	stream_stop(s);
	stream_free(s);
	close(ends[0]);
	close(ends[1]);
	assert_string_equal(d.text, story);
	in->len = 0;
}

/* who stops in the midst of damage hears of what has been passed over: three
 * bytes may begin a record */
static void test_stop(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_bytes(in, in->data, 47);	/* the next may be whole any time */
	check_stop(in, "");
	add_zeros(in, 5000);
	check_stop(in, "0+4997 zeros\n");
	add_simple(in, 1);
	add_bytes(in, "garbage", 7);
	check_stop(in, "48+4 not a trace record\n");
	add_simple(in, 1);
	add_zeros(in, 1000);
	add_simple(in, 2);
	add_simple(in, 3);
	check_stop(in, "48+1000 zeros\n");
	free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_swapped_times),
		cmocka_unit_test(test_only_garbage),
		cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_long_lie),
		cmocka_unit_test(test_lie_in_batch),
		cmocka_unit_test(test_short_lie),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_implausible),
		cmocka_unit_test(test_categories),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_pauses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
