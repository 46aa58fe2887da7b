/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library from inside: what it makes of events and ios, of options of other
 * versions, and of mistakes.
 */
#include <errno.h>

#include "lib/blktrace-reader.h"
#include "scratch.h"

#define MS 1000000u

static void add(struct bytes *b, struct event ev, const void *payload,
		size_t len)
{
	ev = with_payload(ev, payload, len);
	add_record(b, &ev);
}

/* An io of 8:0, from Q to C, 3 ms, and an event of 8:16 in between. */
static void add_io(struct bytes *b)
{
	const uint32_t write = CAT(WRITE) | CAT(SYNC) | CAT(FS);
	struct event ev = EVENT(.sequence = 1, .time = 1 * MS, .pid = 7,
				.device = BLK_DEVICE(8, 0), .bytes = 4096,
				.sector = 800);

	ev.action = ACT(BLK_TA_QUEUE, write);
	add(b, ev, "", 0);
	ev.action = ACT(BLK_TA_GETRQ, write);
	ev.sequence = 2;
	add(b, ev, "", 0);
	ev.action = ACT(BLK_TA_ISSUE, write);
	ev.sequence = 3;
	ev.time = 2 * MS;
	add(b, ev, "", 0);
	ev.device = BLK_DEVICE(8, 16);
	ev.action = ACT(BLK_TA_QUEUE, write);
	ev.sequence = 4;
	ev.time = 3 * MS;
	add(b, ev, "", 0);
	ev.device = BLK_DEVICE(8, 0);
	ev.action = ACT(BLK_TA_COMPLETE, write);
	ev.sequence = 5;
	ev.time = 4 * MS;
	ev.error = (uint16_t)-EIO;
	add(b, ev, "", 0);
}

/* What payloads say: a remap, a split, an unplug, a message with a cgroup. */
static void add_payloads(struct bytes *b)
{
	struct event ev = EVENT(.sequence = 6, .time = 5 * MS, .pid = 7,
				.device = BLK_DEVICE(8, 0), .bytes = 4096);
	const uint64_t cgroup = 0x500000007;
	uint8_t p[16], text[16];

	big32_to(p, BLK_DEVICE(253, 3));
	big32_to(p + 4, BLK_DEVICE(8, 0));
	big64_to(p + 8, 99);
	ev.action = ACT(BLK_TA_REMAP, CAT(WRITE));
	add(b, ev, p, 16);
	ev.action = ACT(BLK_TA_SPLIT, CAT(WRITE));
	ev.sequence = 7;
	big64_to(p, 1234);
	add(b, ev, p, 8);
	ev.action = ACT(BLK_TA_REMAP, CAT(WRITE));
	ev.sequence = 9;	/* and one is missing */
	add(b, ev, p, 8);
	memcpy(text, &cgroup, sizeof(cgroup));
	memcpy(text + 8, "hello\0 x", 8);
	ev.action = NOTE(BLK_TN_MESSAGE) | BLK_CGROUP_FLAG;
	ev.sequence = 0;
	add(b, ev, text, 16);
}

static void add_notes(struct bytes *b)
{
	const uint32_t wall[2] = { 1000, 5 };
	struct event ev = EVENT(.action = NOTE(BLK_TN_TIMESTAMP),
				.time = 1 * MS);

	add(b, ev, wall, sizeof(wall));
	ev = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = 7);
	add(b, ev, "fio", 3);
}

static struct blkt_reader *open_made(const struct blkt_options *o)
{
	struct bytes *b = bytes_new();
	struct blkt_reader *r;

	add_notes(b);
	add_io(b);
	add_payloads(b);
	put_bytes("made.blktrace.0", b->data, b->len);
	free(b);
	assert_int_equal(blkt_open(&r, o), 0);
	assert_int_equal(blkt_add(r, "made"), 0);
	return r;
}

static const struct blkt_event *next(struct blkt_reader *r)
{
	const struct blkt_event *e;

	assert_int_equal(blkt_next_event(r, &e), 1);
	assert_non_null(e);
	return e;
}

/* --- events ------------------------------------------------------------------ */

static void test_event(void **state)
{
	struct blkt_reader *r = open_made(NULL);
	const struct blkt_event *e = next(r);
	char text[BLKT_RWBS_SIZE];
	int64_t wall = 0;

	(void)state;
	assert_int_equal(e->size, sizeof(*e));
	assert_int_equal(e->time, 0);
	assert_int_equal(BLKT_ACTION(e), BLKT_ACTION_QUEUE);
	assert_int_equal(BLKT_CATEGORIES(e), BLKT_WRITE | BLKT_SYNC | BLKT_FS);
	assert_int_equal(e->sector, 800);
	assert_int_equal(e->bytes, 4096);
	assert_int_equal(e->device, 8 << 20);
	assert_int_equal(BLKT_ERROR(e), 0);
	assert_string_equal(blkt_event_action(e), "Q");
	assert_string_equal(blkt_event_rwbs(e, text), "WS");
	assert_null(blkt_event_message(e, &(size_t){ 0 }));
	assert_string_equal(blkt_process(r, e->host, e->pid), "fio");
	assert_null(blkt_process(r, e->host, 8));
	assert_string_equal(blkt_disk(r, blkt_event_disk(e)), "made");
	assert_null(blkt_disk(r, blkt_event_disk(e) + 1));
	assert_int_equal(blkt_wall(r, e->time + 2, &wall), 0);
	assert_int_equal(wall, 1000000000007);
	for (int i = 0; i < 4; i++)
		e = next(r);
	assert_int_equal(e->time, 3 * MS);
	assert_int_equal(BLKT_ERROR(e), EIO);
	blkt_close(r);
}

static void pass(struct blkt_reader *r, int count)
{
	while (count--)
		next(r);
}

static void test_payloads(void **state)
{
	struct blkt_reader *r = open_made(NULL);
	const struct blkt_event *e;
	uint64_t sector, number;
	uint32_t device;
	size_t length;
	const char *text;

	(void)state;
	pass(r, 5);
	e = next(r);
	assert_int_equal(blkt_event_remap(e, &device, &sector), 0);
	assert_int_equal(device, 253 << 20 | 3);
	assert_int_equal(sector, 99);
	assert_int_equal(blkt_event_number(e, &number), -ENODATA);
	e = next(r);
	assert_int_equal(blkt_event_number(e, &number), 0);
	assert_int_equal(number, 1234);
	assert_int_equal(blkt_event_remap(e, &device, &sector), -ENODATA);
	e = next(r);	/* whose payload is too short */
	assert_int_equal(blkt_event_remap(e, &device, &sector), -ENODATA);
	e = next(r);
	assert_int_equal(blkt_event_cgroup(e), 0x500000007);
	blkt_event_payload(e, &length);
	assert_int_equal(length, 8);
	assert_string_equal(blkt_event_action(e), "m");
	text = blkt_event_message(e, &length);
	assert_int_equal(length, 5);
	assert_memory_equal(text, "hello", length);
	assert_int_equal(blkt_next_event(r, &e), 0);
	assert_null(e);
	blkt_close(r);
}

static void test_loss(void **state)
{
	struct blkt_reader *r = open_made(NULL);
	struct {
		struct blkt_loss loss;
		uint64_t later[2];	/* of a version to come */
	} l = { .loss = { .size = sizeof(l) }, .later = { 1, 1 } };

	(void)state;
	pass(r, 9);
	assert_int_equal(blkt_lost(r, BLKT_ALL, &l.loss), 0);
	assert_int_equal(l.loss.size, sizeof(l.loss));
	assert_int_equal(l.loss.gaps, 1);
	assert_int_equal(l.loss.missing, 1);
	assert_int_equal(l.later[0], 0);
	assert_int_equal(blkt_lost(r, 0, &l.loss), 0);
	assert_int_equal(l.loss.missing, 1);
	assert_int_equal(blkt_lost(r, 1, &l.loss), -ENOENT);
	l.loss.size = 8;
	assert_int_equal(blkt_lost(r, 0, &l.loss), -EINVAL);
	blkt_close(r);
}

/* --- what is wanted ------------------------------------------------------------ */

static unsigned int count(const struct blkt_options *o)
{
	struct blkt_reader *r = open_made(o);
	const struct blkt_event *e;
	const struct blkt_io *io;
	unsigned int n = 0;
	int got;

	while ((got = o->ios ? blkt_next_io(r, &io) :
			       blkt_next_event(r, &e)) == 1)
		n++;
	assert_int_equal(got, 0);
	blkt_close(r);
	return n;
}

static void test_wanted(void **state)
{
	const char *const names[] = { "8:16", "other" }, *made = "made";
	struct blkt_options o = { .size = sizeof(o) };

	(void)state;
	assert_int_equal(count(&o), 9);
	o.devices = names;
	o.device_count = 2;
	assert_int_equal(count(&o), 1);
	o.devices = &made;
	o.device_count = 1;
	assert_int_equal(count(&o), 9);
	o.start = 1 * MS;
	o.end = 3 * MS;
	assert_int_equal(count(&o), 3);
	o.ios = 1;
	assert_int_equal(count(&o), 1);
	o.end = 3 * MS - 1;
	assert_int_equal(count(&o), 0);
}

/* --- ios -------------------------------------------------------------------- */

static void test_io(void **state)
{
	struct blkt_options o = { .size = sizeof(o), .ios = 1 };
	struct blkt_reader *r = open_made(&o);
	const struct blkt_io *io;
	char text[BLKT_RWBS_SIZE];

	(void)state;
	assert_int_equal(blkt_next_io(r, &io), 1);
	assert_int_equal(io->size, sizeof(*io));
	assert_int_equal(io->rq, io->id);
	assert_int_equal(io->total, 3 * MS);
	assert_int_equal(io->error, EIO);
	assert_int_equal(io->birth, 'Q');
	assert_int_equal(io->from_device, BLKT_NONE32);
	assert_string_equal(blkt_op_name(io->op), "write");
	assert_string_equal(blkt_ended_name(io->ended), "C");
	assert_string_equal(blkt_merge_name(io->merge), "");
	assert_string_equal(blkt_io_rwbs(io, text), "WS");
	assert_int_equal(blkt_io_phase(io, BLKT_PHASE_D2C), 2 * MS);
	assert_int_equal(blkt_io_phase(io, BLKT_PHASE_I2D), BLKT_NONE);
	assert_int_equal(blkt_io_phase(io, 1000), BLKT_NONE);
	blkt_close(r);
}

static void test_words(void **state)
{
	const struct {
		const char *(*name)(unsigned int number);
		unsigned int last;
		const char *text;
	} words[] = {
		{ blkt_kind_name, BLKT_KIND_PASS, "pass" },
		{ blkt_op_name, BLKT_OP_CLOSE_ZONE, "close" },
		{ blkt_merge_name, BLKT_MERGE_SILENT, "silent" },
		{ blkt_link_name, BLKT_LINK_SPLIT, "split" },
		{ blkt_ended_name, BLKT_ENDED_EVICTED, "evicted" },
		{ blkt_phase_name, BLKT_PHASE_REST, "rest" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		assert_string_equal(words[i].name(words[i].last),
				    words[i].text);
		assert_null(words[i].name(words[i].last + 1));
	}
}

/* --- mistakes ------------------------------------------------------------------ */

static void test_options(void **state)
{
	struct {
		struct blkt_options o;
		uint64_t later;
	} big = { .o.size = sizeof(big) };
	struct blkt_options o = { .size = 8 };
	struct blkt_reader *r;

	(void)state;
	assert_int_equal(blkt_open(&r, &big.o), 0);
	blkt_close(r);
	big.later = 1;
	assert_int_equal(blkt_open(&r, &big.o), -E2BIG);
	assert_null(r);
	assert_int_equal(blkt_open(&r, &o), -EINVAL);
	o = (struct blkt_options){ .size = sizeof(o), .reserved = 1 };
	assert_int_equal(blkt_open(&r, &o), -EINVAL);
	assert_null(r);
	blkt_close(NULL);
}

static void test_mistakes(void **state)
{
	struct blkt_options o = { .size = sizeof(o), .ios = 1 };
	struct blkt_reader *r = open_made(&o);
	const struct blkt_event *e;
	const struct blkt_io *io;

	(void)state;
	assert_string_equal(blkt_error(r), "");
	assert_int_equal(blkt_add(r, "nothing"), -ENOENT);
	assert_memory_equal(blkt_error(r), "nothing: no such file", 21);
	assert_int_equal(blkt_next_event(r, &e), -EINVAL);
	assert_null(e);
	assert_int_equal(blkt_next_io(r, &io), 1);
	assert_int_equal(blkt_add(r, "made"), -EBUSY);
	assert_string_equal(blkt_strerror(-EACCES), "Permission denied");
	blkt_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_event),
		cmocka_unit_test(test_payloads),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_io),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_mistakes),
	};

	return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
