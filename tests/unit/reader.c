/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader: events of one machine and of two, with their names, the time of
 * day, and what is missing.
 */
#include <errno.h>

#include "run/device.h"
#include "run/reader.h"
#include "scratch.h"

#define MS 1000000u
#define SECOND 1000000000u

/* process pid is called name */
static void add_name(struct bytes *b, uint32_t pid, const char *name)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = pid);

	ev = with_payload(ev, name, strlen(name));
	add_record(b, &ev);
}

/* at that time of the machine's clock it was this second of the day */
static void add_clock(struct bytes *b, uint64_t time, uint32_t sec)
{
	uint32_t wall[2] = { sec, 0 };
	struct event ev = EVENT(.action = NOTE(BLK_TN_TIMESTAMP), .time = time);

	ev = with_payload(ev, wall, sizeof(wall));
	add_record(b, &ev);
}

static void add_queue(struct bytes *b, uint32_t number, uint64_t time,
		      uint32_t pid)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)),
				.sequence = number, .time = time, .pid = pid,
				.device = BLK_DEVICE(8, 0), .bytes = 4096);

	add_record(b, &ev);
}

/*
 * A machine's trace: process 7 of that name queues twice, 2 s apart, the first
 * at that time of its clock, when it is second 1000 + late of the day.
 */
static void make_trace(const char *path, const char *name, uint64_t time,
		       uint32_t late)
{
	struct bytes *b = bytes_new();

	add_clock(b, time, 1000 + late);
	add_name(b, 7, name);
	add_queue(b, 1, time, 7);
	add_queue(b, 2, time + 2ull * SECOND, 7);
	put_bytes(path, b->data, b->len);
	free(b);
}

static struct reader *open_reader(struct window window)
{
	const struct reader_options o = { .window = window };
	struct reader *r;

	assert_int_equal(reader_open(&r, &o), 0);
	return r;
}

/* All events, as "name device ms\n". */
static void check_events(struct reader *r, const char *want)
{
	const struct event *ev;
	char got[512] = "", device[64];
	size_t len = 0;
	int err;

	while ((err = reader_next(r, &ev)) == 1) {
		const char *name = reader_process(r, ev->origin, ev->pid);

		device_text(ev->lane->device, device, sizeof(device));
		len += (size_t)snprintf(got + len, sizeof(got) - len,
					"%s %s %llu\n", name ? name : "-",
					device,
					(unsigned long long)ev->time / MS);
	}
	assert_int_equal(err, 0);
	assert_string_equal(got, want);
}

static void test_one(void **state)
{
	struct reader *r = open_reader(WINDOW_ALL);
	struct timespec ts;

	(void)state;
	make_trace("sda.blktrace.0", "fio", 50ull * SECOND, 0);
	assert_int_equal(reader_wall(r, 0, &ts), -ENODATA);
	assert_int_equal(reader_add(r, "sda"), 0);
	assert_int_equal(reader_add(r, "nope"), -ENOENT);
	assert_string_equal(reader_why(r), "nope");
	check_events(r, "fio sda 0\nfio sda 2000\n");
	assert_int_equal(reader_wall(r, 1500 * MS, &ts), 0);
	assert_int_equal(ts.tv_sec, 1001);
	assert_int_equal(ts.tv_nsec, SECOND / 2);
	reader_close(r);
}

/*
 * Machines that were started at different times, with a process of the same
 * number and a disk of the same: apart, and in the order of the time of day.
 */
static void test_hosts(void **state)
{
	struct reader *r = open_reader(WINDOW_ALL);
	struct timespec ts;

	(void)state;
	make_trace("db1/sda.blktrace.0", "fio", 5000ull * SECOND, 1);
	make_trace("db2/sda.blktrace.0", "mysqld", 50ull * SECOND, 0);
	assert_int_equal(reader_add(r, "db1"), 0);
	assert_int_equal(reader_add(r, "db2"), 0);
	check_events(r, "mysqld db2/sda 0\nfio db1/sda 1000\n"
			"mysqld db2/sda 2000\nfio db1/sda 3000\n");
	assert_int_equal(reader_wall(r, 0, &ts), 0);
	assert_int_equal(ts.tv_sec, 1000);
	assert_string_equal(reader_process(r, 0, 7), "fio");
	assert_string_equal(reader_process(r, 1, 7), "mysqld");
	assert_null(reader_process(r, 1, 8));
	reader_close(r);
}

/* what has been reported, a line each */
static char reported[512];

static void on_remark(void *ctx, const char *text)
{
	(void)ctx;
	strcat(strcat(reported, text), "\n");
}

static void on_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	(void)ctx;
	(void)origin;
	(void)device;
	strcat(reported, begins ? "(" : ")\n");
}

/*
 * Times that no clock can have had are left out, as something missing: of a
 * file that is years later than the other, and before the first event.  A bit
 * before it is a late event.
 */
static void test_times(void **state)
{
	const struct reader_options o = { .window = WINDOW_ALL,
					  .remark = on_remark, .gap = on_gap };
	const uint64_t day = 24ull * 3600 * SECOND;
	struct bytes *b = bytes_new();
	struct reader *r;
	struct loss loss;

	(void)state;
	add_queue(b, 1, 9 * day, 0);
	add_queue(b, 2, 8 * day, 0);
	add_queue(b, 3, 6 * day, 0);
	add_queue(b, 4, 9 * day + SECOND, 0);
	put_bytes("sda.blktrace.0", b->data, b->len);
	b->len = 0;
	add_queue(b, 1, UINT64_MAX, 0);
	add_queue(b, 1, 1ull << 60, 0);
	add_queue(b, 2, (1ull << 60) + 1, 0);
	put_bytes("sdb.blktrace.0", b->data, b->len);
	free(b);
	assert_int_equal(reader_open(&r, &o), 0);
	assert_int_equal(reader_add(r, "sda"), 0);
	assert_int_equal(reader_add(r, "sdb"), 0);
	check_events(r, "- sda 0\n- sda 0\n- sda 1000\n");
	assert_string_equal(reported,
			    "()\nsda: events with impossible times are left out:"
			    " years from the trace's first event\n()\n()\n");
	reader_loss(r, READER_ALL, &loss);
	assert_int_equal(loss.missing, 3);
	assert_int_equal(loss.holes, 2);
	reader_loss(r, 0, &loss);
	assert_int_equal(loss.missing, 1);
	assert_false(reader_whole(r, 1));
	reader_close(r);
}

static void read_all(struct reader *r)
{
	const struct event *ev;

	while (reader_next(r, &ev) == 1)
		;
}

/* Two events on CPU 0, 2 s apart, and one on CPU 1 with bytes of another. */
static void make_cut_trace(size_t more)
{
	struct bytes *b = bytes_new();
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)),
				.sequence = 1, .time = 51ull * SECOND,
				.cpu = 1);

	make_trace("sda.blktrace.0", "fio", 50ull * SECOND, 0);
	add_record(b, &ev);
	add_record(b, &ev);
	put_bytes("sda.blktrace.1", b->data, BLK_HEADER_7 + more);
	free(b);
}

static struct reach reach_of_sda(void)
{
	struct reader *r = open_reader(WINDOW_ALL);
	struct reach reach;

	assert_int_equal(reader_add(r, "sda"), 0);
	read_all(r);
	reader_reach(r, READER_ALL, &reach);
	reader_close(r);
	return reach;
}

/* A CPU's file may end long before the others': only a cut one is reported. */
static void test_cut(void **state)
{
	struct reach reach;

	(void)state;
	make_cut_trace(0);
	reach = reach_of_sda();
	assert_int_equal(reach.cpus, 0);
	assert_true(reach.time == UINT64_MAX);
	make_cut_trace(20);
	reach = reach_of_sda();
	assert_int_equal(reach.cpus, 1);
	assert_int_equal(reach.cpu, 1);
	assert_int_equal(reach.time, SECOND);
	assert_int_equal(reach.before, SECOND);
	assert_false(reach.sealed);
	assert_false(reach.proven);
}

/* A card knows how much there was, and when the capture ended. */
static void test_card_end(void **state)
{
	static const char card[] = "{\"schema\":1,\"clock\":{\"end\":"
		"{\"monotonic_ns\":57000000000}},\"end\":{\"cpus\":["
		"{\"cpu\":0,\"events\":4},{\"cpu\":1,\"events\":2},"
		"{\"cpu\":2,\"events\":0},{\"cpu\":3,\"events\":7}]}}";
	struct reader *r = open_reader(WINDOW_ALL);
	struct reach reach;
	uint64_t end;

	(void)state;
	make_cut_trace(0);
	put_bytes("sda.blktrace.json", card, sizeof(card) - 1);
	assert_int_equal(reader_add(r, "sda"), 0);
	assert_false(reader_end(r, READER_ALL, &end));
	read_all(r);
	assert_true(reader_end(r, READER_ALL, &end));
	assert_int_equal(end, 7ull * SECOND);
	reader_reach(r, 0, &reach);
	assert_int_equal(reach.cpus, 2);
	assert_int_equal(reach.missing, 1);
	assert_int_equal(reach.cpu, 3);
	assert_int_equal(reach.time, 0);
	assert_int_equal(reach.before, 7ull * SECOND);
	assert_true(reach.proven);
	assert_int_equal(reader_newest(r, 0, 0), 2ull * SECOND);
	assert_int_equal(reader_newest(r, 0, 1), SECOND);
	assert_true(reader_newest(r, 0, 2) == UINT64_MAX);
	reader_close(r);
}

/* --- seals ---------------------------------------------------------------- */

struct sealing {		/* a CPU's stream while it is made */
	struct bytes *b;
	uint32_t cpu, number;
	uint32_t streams;	/* that its seals know of */
	struct checksum sum;
};

static void add_sealed(struct sealing *s, uint64_t time)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)),
				.sequence = ++s->number, .time = time,
				.sector = 8, .cpu = s->cpu);

	checksum_add(&s->sum, &ev, BLK_HEADER_7);
	add_record(s->b, &ev);
}

static void add_seal(struct sealing *s, uint32_t kind, uint64_t time,
		     uint64_t end)
{
	const struct blk_seal seal = { .kind = kind, .streams = s->streams,
				       .records = s->number,
				       .checksum = s->sum.sum, .end = end };
	struct event ev = EVENT(.action = NOTE(BLK_TN_SEAL), .time = time,
				.cpu = s->cpu);

	ev = with_payload(ev, &seal, sizeof(seal));
	add_record(s->b, &ev);
	s->sum = (struct checksum){ 0 };
}

/* Three events in 3 s, each sealed, and the end at 60 s of the clock. */
static struct sealing sealed_stream(uint32_t cpu)
{
	struct sealing s = { .b = bytes_new(), .cpu = cpu, .streams = 2 };

	add_seal(&s, BLK_SEAL_OPEN, 50ull * SECOND, 0);
	for (uint64_t i = 1; i < 4; i++) {
		add_sealed(&s, (50 + i) * SECOND);
		add_seal(&s, BLK_SEAL_ON, (50 + i) * SECOND + 9, 0);
	}
	add_seal(&s, BLK_SEAL_END, 60ull * SECOND, 60ull * SECOND);
	return s;
}

static void put_stream(struct sealing *s, size_t len)
{
	char path[32];

	snprintf(path, sizeof(path), "sda.blktrace.%u", s->cpu);
	put_bytes(path, s->b->data, len);
	free(s->b);
}

enum { SEAL_BYTES = BLK_HEADER_7 + sizeof(struct blk_seal),
       PAIR_BYTES = BLK_HEADER_7 + SEAL_BYTES };

/* CPU 1 has lost bytes at its end. */
static struct reader *read_sealed(size_t lost, struct reach *reach)
{
	struct sealing s = sealed_stream(0);
	struct reader *r = open_reader(WINDOW_ALL);

	put_stream(&s, s.b->len);
	s = sealed_stream(1);
	put_stream(&s, s.b->len - lost);
	assert_int_equal(reader_add(r, "sda"), 0);
	read_all(r);
	reader_reach(r, READER_ALL, reach);
	return r;
}

static void test_sealed(void **state)
{
	struct reach reach;
	struct reader *r = read_sealed(0, &reach);
	struct loss loss;
	uint64_t end;

	(void)state;
	assert_true(reader_end(r, READER_ALL, &end));
	assert_int_equal(end, 9ull * SECOND);
	assert_true(reach.sealed);
	assert_true(reach.proven);
	assert_false(reach.killed);
	assert_int_equal(reach.cpus, 0);
	assert_true(reach.time == UINT64_MAX);
	reader_loss(r, READER_ALL, &loss);
	assert_int_equal(loss.damages, 0);
	reader_close(r);
}

/* cut between two records: only seals tell */
static void test_sealed_cut(void **state)
{
	struct reach reach;
	struct reader *r = read_sealed(SEAL_BYTES + PAIR_BYTES, &reach);

	(void)state;
	assert_int_equal(reach.cpus, 1);
	assert_int_equal(reach.cpu, 1);
	assert_int_equal(reach.time, SECOND + 9);
	assert_int_equal(reach.before, 8ull * SECOND - 9);
	assert_false(reach.killed);
	reader_close(r);
}

/* a capture that was killed: no CPU's end is sealed */
static void test_killed(void **state)
{
	struct sealing s = sealed_stream(0);
	struct reader *r = open_reader(WINDOW_ALL);
	struct reach reach;

	(void)state;
	put_stream(&s, s.b->len - SEAL_BYTES);
	s = sealed_stream(1);
	put_stream(&s, s.b->len - SEAL_BYTES);
	assert_int_equal(reader_add(r, "sda"), 0);
	read_all(r);
	reader_reach(r, 0, &reach);
	assert_true(reach.killed);
	assert_int_equal(reach.cpus, 2);
	assert_int_equal(reach.time, 2ull * SECOND + 9);
	reader_close(r);
}

/* the file of a CPU is not there: the others know of it */
static void test_missing_cpu(void **state)
{
	struct sealing s = sealed_stream(0);
	struct reader *r = open_reader(WINDOW_ALL);
	struct reach reach;

	(void)state;
	put_stream(&s, s.b->len);
	assert_int_equal(reader_add(r, "sda"), 0);
	read_all(r);
	reader_reach(r, 0, &reach);
	assert_int_equal(reach.missing, 1);
	assert_int_equal(reach.time, 0);
	assert_int_equal(reach.cpu, READER_NO_CPU);
	reader_close(r);
}

/* a seal that names more CPUs than a machine can have is not believed, and
 * takes no time for each of them */
static void test_wild_seal(void **state)
{
	struct sealing s = sealed_stream(0);
	struct reader *r = open_reader(WINDOW_ALL);
	struct reach reach;

	(void)state;
	s.streams = UINT32_MAX;
	add_seal(&s, BLK_SEAL_END, 60ull * SECOND, UINT64_MAX);
	put_stream(&s, s.b->len);
	assert_int_equal(reader_add(r, "sda"), 0);
	read_all(r);
	for (int i = 0; i < 1000; i++)
		reader_reach(r, READER_ALL, &reach);
	assert_int_equal(reach.missing, 0);
	assert_true(reader_whole(r, READER_ALL));
	reader_close(r);
}

/* nor is one whose time is no capture's end: the last event is */
static void test_far_seal(void **state)
{
	struct sealing s = sealed_stream(0);
	struct reader *r = open_reader(WINDOW_ALL);
	uint64_t end;

	(void)state;
	s.streams = 1;
	add_seal(&s, BLK_SEAL_END, UINT64_MAX, 0);
	put_stream(&s, s.b->len);
	assert_int_equal(reader_add(r, "sda"), 0);
	read_all(r);
	assert_false(reader_end(r, READER_ALL, &end));
	reader_close(r);
}

/* Whether CPU 0 with a byte changed, or bytes taken out, is damaged. */
static uint64_t damages_of(size_t change, size_t out)
{
	struct sealing s = sealed_stream(0);
	struct reader *r = open_reader(WINDOW_ALL);
	struct loss loss;

	if (out)
		memmove(s.b->data + change, s.b->data + change + out,
			s.b->len - change - out);
	else
		s.b->data[change] ^= 1;
	put_stream(&s, s.b->len - out);
	assert_int_equal(reader_add(r, "sda"), 0);
	read_all(r);
	reader_loss(r, READER_ALL, &loss);
	reader_close(r);
	return loss.damages;
}

/* a sector that has changed, and an event that is not there */
static void test_broken_seal(void **state)
{
	const size_t event = SEAL_BYTES + PAIR_BYTES;

	(void)state;
	assert_int_equal(damages_of(event + 16, 0), 1);
	assert_int_equal(damages_of(event, BLK_HEADER_7), 1);
	/* its seal is not there either: the next one tells */
	assert_int_equal(damages_of(event, PAIR_BYTES), 1);
}

/* two dumps: their events begin at 0, their notes do not */
static void test_dumps(void **state)
{
	struct reader *r = open_reader(WINDOW_ALL);
	struct bytes *b = bytes_new();

	(void)state;
	for (uint32_t n = 0; n < 2; n++) {
		b->len = 0;
		add_clock(b, 77ull * SECOND, 1000 - n);
		add_name(b, 7, n ? "b" : "a");
		add_queue(b, 1, 0, 7);
		put_bytes(n ? "two" : "one", b->data, b->len);
	}
	free(b);
	assert_int_equal(reader_add(r, "one"), 0);
	assert_int_equal(reader_add(r, "two"), 0);
	check_events(r, "b two/8,0 0\na one/8,0 1000\n");
	reader_close(r);
}

/* process 7, first seen at that time of the machine's clock */
static void add_name_at(struct bytes *b, uint64_t time)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_PROCESS), .pid = 7,
				.time = time);

	ev = with_payload(ev, "fio", 3);
	add_record(b, &ev);
}

/* the second of the day at which a dump of these records begins */
static time_t dump_begins(const struct bytes *b)
{
	struct reader *r = open_reader(WINDOW_ALL);
	const struct event *ev;
	struct timespec ts;

	put_bytes("dump", b->data, b->len);
	assert_int_equal(reader_add(r, "dump"), 0);
	while (reader_next(r, &ev) == 1)
		assert_true(ev->time <= SECOND);
	assert_int_equal(reader_wall(r, 0, &ts), 0);
	reader_close(r);
	return ts.tv_sec;
}

/* A dump's first event is as late as its process was first seen; a note behind
 * the first event is no worse than one before. */
static void test_dump_clock(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	add_clock(b, 77ull * SECOND, 1000);
	add_name_at(b, 79ull * SECOND);
	add_name_at(b, 90ull * SECOND);
	add_queue(b, 1, 0, 7);
	assert_int_equal(dump_begins(b), 1002);
	for (uint32_t n = 2; n < 2000; n++)
		add_queue(b, n, SECOND, 7);
	add_clock(b, 77ull * SECOND, 1000);
	add_queue(b, 2000, SECOND, 7);
	assert_int_equal(dump_begins(b), 1002);
	b->len = 0;
	for (uint32_t n = 1; n < 2000; n++)
		add_queue(b, n, 0, 7);
	add_clock(b, 77ull * SECOND, 1000);
	assert_int_equal(dump_begins(b), 1000);
	free(b);
}

/* without a time stamp in one, both keep the clock that they have */
static void test_no_clock(void **state)
{
	struct reader *r = open_reader(WINDOW_ALL);
	struct bytes *b = bytes_new();

	(void)state;
	make_trace("db1/sda.blktrace.0", "fio", 5 * (uint64_t)SECOND, 1);
	add_queue(b, 1, 4 * (uint64_t)SECOND, 7);
	put_bytes("db2/sda.blktrace.0", b->data, b->len);
	free(b);
	assert_int_equal(reader_add(r, "db1"), 0);
	assert_int_equal(reader_add(r, "db2"), 0);
	check_events(r, "- db2/sda 0\nfio db1/sda 1000\nfio db1/sda 3000\n");
	reader_close(r);
}

/* what lies outside of the window is not handed out, but followed */
static void test_window(void **state)
{
	struct reader *r = open_reader((struct window){ 1 * MS, SECOND });
	struct bytes *b = bytes_new();
	struct loss loss;

	(void)state;
	for (uint32_t n = 0; n < 4; n++)
		add_queue(b, n + 1 + n / 2, n * 500ull * MS, 7);
	put_bytes("sda.blktrace.0", b->data, b->len);
	free(b);
	assert_int_equal(reader_add(r, "sda"), 0);
	check_events(r, "- sda 500\n- sda 1000\n");
	reader_loss(r, READER_ALL, &loss);
	assert_int_equal(loss.holes, 1);
	assert_int_equal(loss.missing, 1);
	reader_close(r);
}

/* --- gaps ----------------------------------------------------------------- */

/* what a reader tells and hands out, in order */
struct diary_of_gaps {
	char text[512];
	size_t len;
};

static void write_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	struct diary_of_gaps *d = ctx;

	d->len += (size_t)snprintf(d->text + d->len, sizeof(d->text) - d->len,
				   " %u:%u,%u%c", origin, BLK_MAJOR(device),
				   BLK_MINOR(device), begins ? '<' : '>');
}

/* an event of process pid, which is a letter */
static void add_of_cpu(struct bytes *b, char pid, uint32_t cpu,
		       uint32_t number, uint64_t ms)
{
	struct event ev = EVENT(.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)),
				.sequence = number, .time = ms * MS,
				.pid = (uint32_t)pid, .cpu = cpu,
				.device = BLK_DEVICE(8, cpu));

	add_record(b, &ev);
}

/* a message, whose number means nothing */
static void add_message(struct bytes *b, char pid, uint32_t cpu, uint64_t ms)
{
	struct event ev = EVENT(.action = NOTE(BLK_TN_MESSAGE), .cpu = cpu,
				.sequence = 77, .time = ms * MS,
				.pid = (uint32_t)pid);

	ev = with_payload(ev, "hello", 5);
	add_record(b, &ev);
}

static struct reader *open_for_gaps(const char *name, struct window window,
				    struct diary_of_gaps *d)
{
	const struct reader_options o = { .window = window, .gap = write_gap,
					  .ctx = d };
	struct reader *r;

	assert_int_equal(reader_open(&r, &o), 0);
	assert_int_equal(reader_add(r, name), 0);
	return r;
}

/* One more event, by its letter; as reader_next(). */
static int write_event(struct reader *r, struct diary_of_gaps *d)
{
	const struct event *ev;
	int got = reader_next(r, &ev);

	if (got == 1)
		d->len += (size_t)snprintf(d->text + d->len,
					   sizeof(d->text) - d->len, " %c",
					   (char)ev->pid);
	return got;
}

/* All events and gaps of what name means, as they come. */
static void check_gaps_in(const char *name, struct window window,
			  const char *want)
{
	struct diary_of_gaps d = { .len = 0 };
	struct reader *r = open_for_gaps(name, window, &d);
	int got;

	while ((got = write_event(r, &d)) == 1)
		;
	assert_int_equal(got, 0);
	assert_string_equal(d.text, want);
	reader_close(r);
}

static void check_gaps(const char *name, const char *want)
{
	check_gaps_in(name, WINDOW_ALL, want);
}

/* standard input becomes a pipe; returns the end to write into */
static int pipe_into_stdin(void)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
	close(ends[0]);
	return ends[1];
}

static void flush(struct bytes *b, int into)
{
	assert_int_equal(write(into, b->data, b->len), b->len);
	b->len = 0;
}

static void put_cpu(struct bytes *b, uint32_t cpu)
{
	char path[] = "sda.blktrace.?";

	path[sizeof(path) - 2] = (char)('0' + cpu);
	put_bytes(path, b->data, b->len);
	b->len = 0;
}

/* a number too high and one too low: in both cases something is missing */
static void test_gap(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	add_of_cpu(b, 'a', 0, 5, 0);
	add_of_cpu(b, 'b', 0, 6, 1);
	add_of_cpu(b, 'c', 0, 9, 2);
	add_of_cpu(b, 'd', 0, 10, 3);
	add_of_cpu(b, 'e', 0, 3, 4);
	put_cpu(b, 0);
	check_gaps("sda", " a b 0:8,0< 0:8,0> c d 0:8,0< 0:8,0> e");
	free(b);
}

/* it begins behind the last event before it, whatever other CPUs do then */
static void test_gap_ahead(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	add_of_cpu(b, 'a', 0, 0, 0);
	add_of_cpu(b, 'f', 0, 2, 9);
	add_of_cpu(b, 'g', 0, 3, 10);
	put_cpu(b, 0);
	add_of_cpu(b, 'b', 1, 7, 1);
	add_of_cpu(b, 'c', 1, 8, 2);
	put_cpu(b, 1);
	add_of_cpu(b, 'd', 2, 1, 3);
	add_of_cpu(b, 'e', 2, 5, 4);
	put_cpu(b, 2);
	check_gaps("sda",
		   " a 0:8,0< b c d 0:8,2< 0:8,2> e 0:8,0> f g");
	free(b);
}

/* messages stand between, and are neither an end of a gap nor a beginning */
static void test_gap_message(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	add_message(b, 'm', 0, 0);
	add_of_cpu(b, 'a', 0, 1, 1);
	add_message(b, 'n', 0, 3);
	add_of_cpu(b, 'd', 0, 2, 4);
	add_of_cpu(b, 'e', 0, 4, 9);
	put_cpu(b, 0);
	add_of_cpu(b, 'b', 1, 1, 2);
	add_message(b, 'o', 1, 5);
	add_of_cpu(b, 'g', 1, 3, 11);
	put_cpu(b, 1);
	check_gaps("sda",
		   " m a b n d 0:8,0< o 0:8,1< 0:8,0> e 0:8,1> g");
	free(b);
}

/* what is before the window and behind it is not shown, but looked at */
static void test_gap_window(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	add_of_cpu(b, 'a', 0, 1, 0);
	add_of_cpu(b, 'd', 0, 3, 20);
	put_cpu(b, 0);
	add_of_cpu(b, 'b', 1, 1, 5);
	add_of_cpu(b, 'c', 1, 2, 10);
	put_cpu(b, 1);
	check_gaps_in("sda", (struct window){ 10 * MS, 30 * MS },
		      " 0:8,0< c 0:8,0> d");
	free(b);
}

/* a pipe tells as well, a file of one's own making (-d) does not */
static void test_gap_pipe(void **state)
{
	struct bytes *b = bytes_new();
	int into;

	(void)state;
	add_of_cpu(b, 'a', 0, 0, 0);
	add_of_cpu(b, 'c', 0, 3, 2);
	add_of_cpu(b, 'b', 1, 1, 1);
	put_bytes("dump", b->data, b->len);
	check_gaps("dump", " a b c");
	into = pipe_into_stdin();
	flush(b, into);
	close(into);
	check_gaps("-", " a 0:8,0< b 0:8,0> c");
	free(b);
}

/* what was taken for missing comes late: the gap ends there */
static void test_gap_late(void **state)
{
	struct diary_of_gaps d = { .len = 0 };
	struct bytes *b = bytes_new();
	int into = pipe_into_stdin();
	struct reader *r;

	(void)state;
	r = open_for_gaps("-", WINDOW_ALL, &d);
	add_of_cpu(b, 'a', 0, 1, 0);
	add_of_cpu(b, 'd', 0, 3, 200);
	add_of_cpu(b, 'b', 1, 1, 1);
	add_of_cpu(b, 'e', 1, 2, 600);
	flush(b, into);
	assert_int_equal(write_event(r, &d), 1);
	assert_int_equal(write_event(r, &d), 1);
	add_of_cpu(b, 'c', 0, 2, 50);
	flush(b, into);
	close(into);
	while (write_event(r, &d) == 1)
		;
	assert_string_equal(d.text, " a 0:8,0< b 0:8,0> c d e");
	reader_close(r);
	free(b);
}

/* --- damage --------------------------------------------------------------- */

static void count_damage(void *ctx, const struct damage *d)
{
	(void)d;
	++*(int *)ctx;
}

/* what is damaged is read as far as that goes, and counted */
static void test_damage(void **state)
{
	int told = 0;
	const struct reader_options o = { .window = WINDOW_ALL,
					  .damage = count_damage,
					  .ctx = &told };
	struct bytes *b = bytes_new();
	struct reader *r;
	struct loss loss;

	(void)state;
	add_queue(b, 1, 5, 7);
	add_bytes(b, "rubbish", 7);
	put_bytes("sda.blktrace.0", b->data, b->len);
	put("text", "no trace at all");
	free(b);
	assert_int_equal(reader_open(&r, &o), 0);
	assert_int_equal(reader_add(r, "sda"), 0);
	check_events(r, "- sda 0\n");
	reader_loss(r, READER_ALL, &loss);
	assert_int_equal(loss.damages, 1);
	assert_int_equal(told, 1);
	reader_loss(r, 0, &loss);
	assert_int_equal(loss.missing, 0);
	reader_close(r);
}

/* a name that is a file but no trace is reported with the first event */
static void test_no_trace(void **state)
{
	struct reader *r = open_reader(WINDOW_ALL);
	const struct event *ev;

	(void)state;
	put("text", "no trace at all");
	assert_int_equal(reader_add(r, "text"), 0);
	assert_int_equal(reader_next(r, &ev), -ENODATA);
	assert_string_equal(reader_why(r), "text");
	reader_close(r);
	reader_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_one), IN_SCRATCH(test_times),
		IN_SCRATCH(test_hosts),
		IN_SCRATCH(test_cut), IN_SCRATCH(test_card_end),
		IN_SCRATCH(test_sealed), IN_SCRATCH(test_sealed_cut),
		IN_SCRATCH(test_killed), IN_SCRATCH(test_missing_cpu),
		IN_SCRATCH(test_broken_seal), IN_SCRATCH(test_wild_seal),
		IN_SCRATCH(test_far_seal),
		IN_SCRATCH(test_dumps), IN_SCRATCH(test_dump_clock),
		IN_SCRATCH(test_no_clock),
		IN_SCRATCH(test_window), IN_SCRATCH(test_damage),
		IN_SCRATCH(test_gap), IN_SCRATCH(test_gap_ahead),
		IN_SCRATCH(test_gap_message), IN_SCRATCH(test_gap_window),
		IN_SCRATCH(test_gap_pipe), IN_SCRATCH(test_gap_late),
		IN_SCRATCH(test_no_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
