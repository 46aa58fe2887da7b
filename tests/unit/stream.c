/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream: records of hand-made byte strings, in batches, and what it does
 * about damage.
 */
#include <errno.h>
#include <unistd.h>

#include "file/buffers.h"
#include "file/source.h"
#include "file/stream.h"
#include "make.h"

/* where all are said to come from */
enum { ORIGIN = 3 };

static struct stream *stream_in(struct buffers *buffers, const struct bytes *in,
				int cpu, unsigned int batch, struct diary *d)
{
	struct stream_options o = { "file", cpu, batch, NULL, false,
				    ORIGIN, false, false, NULL, buffers };
	struct source *src = NULL;
	struct stream *s;

	diary_init(d);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	s = stream_new(src, &o, &d->hooks);
	assert_non_null(s);
	return s;
}

static struct stream *stream_of(const struct bytes *in, int cpu,
				unsigned int batch, struct diary *d)
{
	return stream_in(NULL, in, cpu, batch, d);
}

/* Writes the numbers of all events into the diary, one line each. */
static void read_all(struct stream *s, struct diary *d)
{
	struct event *ev;
	int got;

	while ((got = stream_next(s, &ev)) == 1) {
		assert_int_equal(ev->origin, ORIGIN);
		diary_write(d, "event %u\n", ev->sequence);
	}
	assert_int_equal(got, 0);
	assert_int_equal(stream_next(s, &ev), 0);
	stream_free(s);
}

/* what reading tells of these bytes, in the order in which it is told */
static void check(struct bytes *in, int cpu, unsigned int batch,
		  const char *story)
{
	struct diary d;

	read_all(stream_of(in, cpu, batch, &d), &d);
	assert_string_equal(d.text, story);
	in->len = 0;
}

static void add_name(struct bytes *b, uint32_t pid, const char *name)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = pid);

	ev = with_payload(ev, name, strlen(name));
	add_record(b, &ev);
}

/* --- tests --------------------------------------------------------------- */

/* notes act with the batch they are in, before its first event is shown */
static void test_notes(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	for (unsigned int batch = 1; batch <= 3; batch += 2) {
		add_simple(in, 1);
		add_simple(in, 2);
		add_name(in, 100, "dd");
		add_simple(in, 3);
		check(in, 0, batch, batch == 1 ?
		      "event 1\nevent 2\nnote 0 of 100: dd\nevent 3\n" :
		      "note 0 of 100: dd\nevent 1\nevent 2\nevent 3\n");
	}
	add_simple(in, 1);
	add_name(in, 100, "dd");
	add_simple(in, 2);
	add_name(in, 101, "cp");
	check(in, 0, 2, "note 0 of 100: dd\nevent 1\nevent 2\n"
	      "note 0 of 101: cp\n");
	free(in);
}

/* or they stay where they are, among the events */
static void test_notes_stay(void **state)
{
	struct bytes *in = bytes_new();
	struct stream_options o = { "file", 0, 512, NULL, true,
				    ORIGIN, false, false, NULL, NULL };
	struct source *src = NULL;
	struct diary d;

	(void)state;
	add_simple(in, 1);
	add_name(in, 7, "fio");
	add_simple(in, 2);
	diary_init(&d);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	/* the note's number is 0 */
	read_all(stream_new(src, &o, &d.hooks), &d);
	assert_string_equal(d.text, "event 1\nevent 0\nevent 2\n");
	free(in);
}

/* messages count as read ahead; they are no notes, and nothing is nothing */
static void test_messages(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	check(in, 0, 512, "");
	add_record(in, &EVENT(.action = NOTE(BLK_TN_MESSAGE), .sequence = 1));
	add_name(in, 100, "dd");
	add_record(in, &EVENT(.action = NOTE(BLK_TN_MESSAGE), .sequence = 2));
	check(in, 0, 1, "event 1\nnote 0 of 100: dd\nevent 2\n");
	free(in);
}

/* priming reads the first batch with its notes, and only that */
static void test_prime(void **state)
{
	struct bytes *in = bytes_new();
	struct stream *s;
	struct diary d;

	(void)state;
	add_name(in, 100, "dd");
	add_simple(in, 1);
	add_name(in, 101, "cp");
	add_simple(in, 2);
	s = stream_of(in, 0, 1, &d);
	assert_string_equal(d.text, "");
	stream_prime(s);
	assert_string_equal(d.text, "note 0 of 100: dd\n");
	stream_prime(s);
	read_all(s, &d);
	assert_string_equal(d.text, "note 0 of 100: dd\nevent 1\n"
			    "note 0 of 101: cp\nevent 2\n");
	free(in);
}

/* payloads come with their events, also those larger than any buffer */
static void check_payloads(struct buffers *buffers)
{
	struct bytes *in = bytes_new();
	static uint8_t load[BLK_PAYLOAD_MAX];
	struct event sent = EVENT(.action = NOTE(BLK_TN_MESSAGE)), *ev;
	struct stream *s;
	struct diary d;

	for (uint32_t i = 0; i < 7; i++) {
		memset(load, 'a' + (int)i, sizeof(load));
		sent = with_payload(sent, load, i ? sizeof(load) : 0);
		sent.sequence = i;
		add_record(in, &sent);
	}
	s = stream_in(buffers, in, 0, 4, &d);
	for (uint32_t i = 0; i < 7; i++) {
		assert_int_equal(stream_next(s, &ev), 1);
		assert_int_equal(ev->sequence, i);
		assert_int_equal(ev->pdu_len, i ? sizeof(load) : 0);
		memset(load, 'a' + (int)i, sizeof(load));
		assert_memory_equal(ev->payload, load, ev->pdu_len);
	}
	read_all(s, &d);
	assert_string_equal(d.text, "");
	free(in);
}

static void test_payloads(void **state)
{
	struct buffers buffers = { .next = NULL };

	(void)state;
	check_payloads(NULL);
	buffers_expect(&buffers, 2);
	check_payloads(&buffers);
	check_payloads(&buffers);
	/* there is none any more, which is as good */
	check_payloads(&buffers);
	buffers_free(&buffers);
}

/* thousands of records, so that reads end anywhere in them */
static void test_many(void **state)
{
	struct bytes *in = bytes_new();
	uint32_t n = 0, size = sizeof(in->data) / 61;
	struct event sent = EVENT(.action = ACT(1, CAT(WRITE))), *ev;
	struct stream *s;
	struct diary d;

	(void)state;
	for (sent.sequence = 1; sent.sequence <= size; sent.sequence++) {
		sent = with_payload(sent, "0123456789", sent.sequence % 10);
		add_record(in, &sent);
	}
	for (unsigned int batch = 1; batch < 2000; batch += 499, n = 0) {
		s = stream_of(in, 0, batch, &d);
		while (stream_next(s, &ev) == 1) {
			assert_int_equal(ev->sequence, ++n);
			assert_int_equal(ev->pdu_len, n % 10);
		}
		assert_int_equal(n, size);
		assert_string_equal(d.text, "");
		stream_free(s);
	}
	free(in);
}

/* an event is the caller's to change: the next one does not notice */
static void test_changed(void **state)
{
	struct bytes *in = bytes_new();
	struct event *ev;
	struct stream *s;
	struct diary d;

	(void)state;
	add_simple(in, 1);
	add_simple(in, 2);
	s = stream_of(in, 0, 512, &d);
	assert_int_equal(stream_next(s, &ev), 1);
	memset(ev, 0xff, BLK_HEADER_7);
	assert_int_equal(stream_next(s, &ev), 1);
	assert_int_equal(ev->sequence, 2);
	assert_int_equal(ev->action, ACT(BLK_TA_QUEUE, CAT(WRITE)));
	assert_int_equal(ev->zone, 0);
	assert_int_equal(ev->version, 7);
	assert_int_equal(ev->swapped, 0);
	stream_free(s);
	free(in);
}

/* records of another CPU are left out, each with a word */
static void test_wrong_cpu(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_simple(in, 1);
	add_record(in, &EVENT(.sequence = 2, .cpu = 1));
	add_simple(in, 3);
	check(in, 0, 512, "48+48 a record of another CPU than the file's\n"
	      "event 1\nevent 3\n");
	add_record(in, &EVENT(.sequence = 1, .cpu = 8191));
	add_record(in, &EVENT(.sequence = 2, .cpu = 1));
	check(in, STREAM_ANY_CPU, 512, "event 1\nevent 2\n");
	free(in);
}

/* a whole batch of them is not the end of what there is */
static void test_wrong_batch(void **state)
{
	struct bytes *in = bytes_new();

	(void)state;
	add_record(in, &EVENT(.sequence = 1, .cpu = 1));
	add_simple(in, 2);
	check(in, 0, 1, "0+48 a record of another CPU than the file's\n"
	      "event 2\n");
	free(in);
}

/* versions and byte orders may change from record to record */
static void test_mixed(void **state)
{
	struct bytes *in = bytes_new();
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(WRITE)));

	(void)state;
	for (ev.sequence = 1; ev.sequence <= 12; ev.sequence++)
		add_shaped(in, ev.sequence % 3 ? V7 : V8, ev.sequence % 2 == 0,
			   &ev, NULL);
	check(in, 0, 5, "event 1\nevent 2\nevent 3\nevent 4\nevent 5\n"
	      "event 6\nevent 7\nevent 8\nevent 9\nevent 10\nevent 11\n"
	      "event 12\n");
	free(in);
}

/* so many of these bytes as a file, which gets that name; see mkstemp(3) */
static struct source *file_of(const struct bytes *in, size_t len, char *path)
{
	struct source *src = NULL;
	int fd = mkstemp(path);

	assert_int_equal(write(fd, in->data, len), len);
	close(fd);
	assert_int_equal(source_open(&src, path), 0);
	return src;
}

/* a stream goes on elsewhere in a plain file, in batches from there */
static void test_seek(void **state)
{
	struct stream_options o = { "file", 0, 2, NULL, false,
				    ORIGIN, false, false, NULL, NULL };
	struct bytes *in = bytes_new();
	char path[] = "/tmp/unit.XXXXXX";
	struct stream *s;
	struct event *ev;
	struct diary d;

	(void)state;
	diary_init(&d);
	for (uint32_t n = 1; n <= 4; n++)
		add_simple(in, n);
	add_name(in, 100, "dd");
	add_simple(in, 5);
	s = stream_new(file_of(in, in->len, path), &o, &d.hooks);
	assert_int_equal(stream_next(s, &ev), 1);
	stream_seek(s, 2 * BLK_HEADER_7);
	assert_false(stream_waiting(s));
	read_all(s, &d);
	assert_string_equal(d.text, "event 3\nevent 4\nnote 0 of 100: dd\n"
			    "event 5\n");
	unlink(path);
	free(in);
}

/* where that cannot be, it has ended, and says so */
static void test_no_seek(void **state)
{
	struct bytes *in = bytes_new();
	struct diary d;
	struct stream *s;

	(void)state;
	add_simple(in, 1);
	add_simple(in, 2);
	s = stream_of(in, 0, 1, &d);
	stream_seek(s, BLK_HEADER_7);
	read_all(s, &d);
	assert_string_equal(d.text, "48+0 the file has changed while it was"
			    " read\n");
	free(in);
}

/* notes alone act when they are passed over, and whole ones only */
static void test_passed_notes(void **state)
{
	struct stream_options o = { "file", 0, 2, NULL, false,
				    ORIGIN, false, false, NULL, NULL };
	struct event message = EVENT(.action = NOTE(BLK_TN_MESSAGE));
	char path[] = "/tmp/unit.XXXXXX", name[] = "a long name that is cut, "
		"as names are, somewhere behind this place, and that takes up "
		"more than what is read at first";
	struct bytes *in = bytes_new();
	struct stream *s;
	struct event *ev;
	struct diary d;
	size_t at;

	(void)state;
	diary_init(&d);
	add_simple(in, 1);
	add_record(in, &message);
	add_name(in, 100, name);
	at = in->len;
	add_name(in, 101, "cut");
	s = stream_new(file_of(in, in->len - 1, path), &o, &d.hooks);
	assert_int_equal(stream_next(s, &ev), 1);
	d.text[0] = '\0';
	assert_false(stream_note(s, 0));
	assert_false(stream_note(s, BLK_HEADER_7));
	assert_false(stream_note(s, at));
	assert_string_equal(d.text, "");
	assert_true(stream_note(s, 2 * BLK_HEADER_7));
	assert_memory_equal(d.text, "note 0 of 100: a long name", 26);
	stream_free(s);
	unlink(path);
	free(in);
}

/* the longest note there is makes room for itself, as what is read is less */
static void test_longest_note(void **state)
{
	struct stream_options o = { "file", 0, 1, NULL, false,
				    ORIGIN, false, false, NULL, NULL };
	struct event note = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = 7);
	char path[] = "/tmp/unit.XXXXXX";
	char *name = malloc(UINT16_MAX);
	struct bytes *in = bytes_new();
	struct stream *s;
	struct event *ev;
	struct diary d;

	(void)state;
	diary_init(&d);
	add_simple(in, 1);
	memset(name, 'x', UINT16_MAX);
	note = with_payload(note, name, UINT16_MAX);
	add_record(in, &note);
	s = stream_new(file_of(in, in->len, path), &o, &d.hooks);
	assert_int_equal(stream_next(s, &ev), 1);
	assert_string_equal(d.text, "");
	assert_true(stream_note(s, BLK_HEADER_7));
	assert_memory_equal(d.text, "note 0 of 7: xxx", 16);
	assert_int_equal(strlen(d.text), sizeof(d.text) - 1);
	stream_free(s);
	unlink(path);
	free(name);
	free(in);
}

/* a pipe that is silent inside a record says so, and loses nothing */
static void test_pipe(void **state)
{
	struct stream_options o = { "pipe", STREAM_ANY_CPU, 512, NULL, false,
				    ORIGIN, false, false, NULL, NULL };
	struct bytes *in = bytes_new();
	struct source *src = NULL;
	struct stream *s;
	struct event *ev;
	struct diary d;
	int ends[2];

	(void)state;
	diary_init(&d);
	add_simple(in, 1);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(source_fd(&src, ends[0]), 0);
	s = stream_new(src, &o, &d.hooks);
	for (size_t i = 0; i < in->len; i++) {
		assert_int_equal(stream_next(s, &ev), -EAGAIN);
		assert_int_equal(write(ends[1], in->data + i, 1), 1);
	}
	assert_int_equal(stream_next(s, &ev), 1);
	assert_int_equal(stream_next(s, &ev), -EAGAIN);
	close(ends[1]);
	read_all(s, &d);
	assert_string_equal(d.text, "");
	close(ends[0]);
	free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_notes_stay),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_prime),
		cmocka_unit_test(test_payloads),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_wrong_cpu),
		cmocka_unit_test(test_wrong_batch),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_seek),
		cmocka_unit_test(test_no_seek),
		cmocka_unit_test(test_passed_notes),
		cmocka_unit_test(test_longest_note),
		cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
