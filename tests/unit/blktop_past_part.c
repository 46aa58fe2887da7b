/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of a trace as a trace: events, numbers, names and the time of day are
 * read back as they were; it is whole or not there.
 */
#include <errno.h>
#include <unistd.h>

#include "run/device.h"
#include "run/reader.h"
#include "scratch.h"
#include "tools/blktop/past.h"
#include "tools/blktop/past_part.h"

#define MS UINT64_C(1000000)

enum { EVENTS = 10 };

/*
 * A CPU's file: remaps with a cgroup, 1 ms apart, numbered from there on, by
 * processes 7, which is called one, and 8.
 */
static void make_cpu(const char *path, uint32_t cpu, int shape, bool swapped,
		     uint32_t number)
{
	struct bytes *b = bytes_new();
	uint32_t wall[2] = { 1000, 0 };
	struct event ev = EVENT(.action = NOTE(BLK_TN_TIMESTAMP));
	uint8_t payload[24] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	if (swapped)
		wall[0] = __builtin_bswap32(wall[0]);
	ev = with_payload(ev, wall, sizeof(wall));
	add_shaped(b, shape, swapped, &ev, NULL);
	ev = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = 7);
	ev = with_payload(ev, "one", 3);
	add_shaped(b, shape, swapped, &ev, NULL);
	big32_to(payload + 8, BLK_DEVICE(8, 1));
	big32_to(payload + 12, BLK_DEVICE(8, 0));
	for (uint32_t i = 0; i < EVENTS; i++) {
		ev = EVENT(.action = ACT(BLK_TA_REMAP, CAT(QUEUE)) |
				     BLK_CGROUP_FLAG,
			   .time = i * MS, .sequence = number + i,
			   .pid = 7 + i % 2, .cpu = cpu, .sector = 8 * i,
			   .device = BLK_DEVICE(8, 0), .bytes = 4096);
		big64_to(payload + 16, 100 + i);
		ev = with_payload(ev, payload, sizeof(payload));
		add_shaped(b, shape, swapped, &ev, NULL);
	}
	put_bytes(path, b->data, b->len);
	free(b);
}

static struct reader *open_trace(const char *name)
{
	const struct reader_options o = { .window = WINDOW_ALL };
	struct reader *r;

	assert_int_equal(reader_open(&r, &o), 0);
	assert_int_equal(reader_add(r, name), 0);
	return r;
}

/* all of a trace */
static struct past *read_all(struct reader *r)
{
	struct past *p = past_new(2);
	const struct event *ev;

	assert_non_null(p);
	while (reader_next(r, &ev) == 1)
		past_add(p, ev);
	return p;
}

static const char *name_or_none(const struct reader *r, const struct event *ev)
{
	const char *name = reader_process(r, ev->origin, ev->pid);

	return name ? name : "";
}

/* Both have the same events; from and to of the first. */
static void assert_same(struct reader *r, const struct past *p,
			struct reader *again, uint64_t from, uint64_t to)
{
	struct past_place at = { .block = 0 };
	const struct event *ev, *other;
	unsigned int count = 0;
	bool gap;

	while ((ev = past_next(p, &at, &gap))) {
		if (ev->time < from || ev->time > to)
			continue;
		assert_int_equal(reader_next(again, &other), 1);
		assert_int_equal(other->time, ev->time - from);
		assert_int_equal(other->sequence, ev->sequence);
		assert_int_equal(other->sector, ev->sector);
		assert_int_equal(other->pid, ev->pid);
		assert_int_equal(other->cpu, ev->cpu);
		assert_int_equal(other->pdu_len, ev->pdu_len);
		assert_memory_equal(other->payload + 8, ev->payload + 8, 16);
		/* the cgroup is in the order of who recorded it */
		for (int i = 0; i < 8; i++)
			assert_int_equal(other->payload[i], ev->swapped ?
					 ev->payload[7 - i] : ev->payload[i]);
		assert_string_equal(name_or_none(again, other),
				    name_or_none(r, ev));
		count++;
	}
	assert_int_equal(reader_next(again, &other), 0);
	assert_true(count > 0);
}

static void assert_same_day(struct reader *r, struct reader *again,
			    uint64_t from)
{
	struct timespec was, is;

	assert_int_equal(reader_wall(r, from, &was), 0);
	assert_int_equal(reader_wall(again, 0, &is), 0);
	assert_int_equal(was.tv_sec, is.tv_sec);
	assert_int_equal(was.tv_nsec, is.tv_nsec);
}

static void test_part(void **state)
{
	struct reader *r, *again;
	struct past_part e = { .from = 2 * MS, .to = 6 * MS };
	struct past *p;
	uint64_t events;
	char beside[64];

	(void)state;
	make_cpu("sda.blktrace.0", 0, V7, false, 5);
	make_cpu("sda.blktrace.1", 1, V7, true, 50);
	make_cpu("sda.blktrace.2", 2, V8, false, 500);
	r = open_trace("sda");
	e.past = p = read_all(r);
	e.reader = r;
	assert_int_equal(past_part_write(&e, "part", &events), 0);
	assert_int_equal(events, 3 * 5);
	again = open_trace("part");
	assert_same(r, p, again, 2 * MS, 6 * MS);
	assert_same_day(r, again, 2 * MS);

	/* what is there stays, and nothing beside it */
	assert_int_equal(past_part_write(&e, "part", &events), -ENOTEMPTY);
	snprintf(beside, sizeof(beside), "part.part-%d", getpid());
	assert_int_equal(access(beside, F_OK), -1);
	/* there is nothing of that time */
	e.from = e.to = 1000 * MS;
	assert_int_equal(past_part_write(&e, "none", &events), -ENODATA);
	assert_int_equal(access("none", F_OK), -1);
	e.from = 0;
	assert_int_equal(past_part_write(&e, "no/where", &events), -ENOENT);
	reader_close(again);
	reader_close(r);
	past_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_part, scratch_enter,
						scratch_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
