/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to segments: fed with the same records as one that is not rotated,
 * it leaves the same bytes; and how many segments, called what.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/time.h"
#include "capture/sink.h"
#include "capture/to/sink_rotate.h"
#include "capture_reports.h"
#include "file/files.h"
#include "file/segments.h"
#include "file/source.h"
#include "rounds.h"
#include "scratch.h"

enum { CPUS = 4, SDA = 8 << 20, BATCH_MAX = 6 };

#define MS UINT64_C(1000000)
#define BEGIN (1000 * NS_PER_SECOND)	/* the clock when a test begins */

static uint64_t passed;		/* ns since the test began */

/* the clock; 2026-11-20 06:07:10.5 when the test begins */
static struct notes_stamp now(void)
{
	uint64_t ns = 900 * MS + passed;

	return (struct notes_stamp){ BEGIN + passed,
				     1795154830 + (uint32_t)(ns /
							     NS_PER_SECOND),
				     (uint32_t)(ns % NS_PER_SECOND) };
}

static struct sink *rotated(uint64_t size, uint64_t time, unsigned int keep,
			    int level)
{
	const struct sink_rotate_options o = {
		.files = { "segments", NULL, level, &keeper, NULL },
		.size = size,
		.time = time,
		.keep = keep,
		.now = now,
	};
	struct sink *s;

	passed = 0;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	assert_int_equal(sink_rotate_new(&s, &o), 0);
	return s;
}

static struct sink *whole(void)
{
	const struct sink_file_options o = { "whole", NULL, 0, &keeper, NULL };
	struct sink *s;

	assert_int_equal(sink_file_new(&s, &o), 0);
	return s;
}

/* --- records ------------------------------------------------------------- */

/* two sinks that get the same, a lane of each for every CPU */
struct twins {
	struct sink *sinks[2];
	struct sink_lane lanes[2][CPUS];
	uint32_t random;
	uint64_t time;
};

static uint32_t draw(struct twins *t, uint32_t below)
{
	t->random = t->random * 1664525 + 1013904223;
	return (t->random >> 8) % below;
}

static void start(struct twins *t, struct sink *a, struct sink *b,
		  uint32_t seed)
{
	*t = (struct twins){ .sinks = { a, b }, .random = seed,
			     .time = BEGIN };
	for (int i = 0; i < 2; i++)
		for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
			struct sink_lane *l = &t->lanes[i][cpu];

			*l = (struct sink_lane){ .name = "sda", .cpu = cpu };
			assert_int_equal(t->sinks[i]->ops->open(t->sinks[i],
								l), 0);
		}
}

static void put_both(struct twins *t, uint32_t cpu, const void *bytes,
		     size_t len)
{
	for (int i = 0; i < 2; i++)
		assert_int_equal(t->sinks[i]->ops->write(t->sinks[i],
				 &t->lanes[i][cpu], bytes, len), 0);
}

/* every CPU's buffer has been found empty */
static void flush_both(struct twins *t)
{
	passed = t->time - BEGIN;
	for (int i = 0; i < 2; i++)
		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			assert_int_equal(t->sinks[i]->ops->flush(t->sinks[i],
					 &t->lanes[i][cpu]), 0);
}

static void end(struct twins *t)
{
	for (int i = 0; i < 2; i++) {
		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			assert_int_equal(t->sinks[i]->ops->close(t->sinks[i],
					 &t->lanes[i][cpu], 0), 0);
		t->sinks[i]->ops->free(t->sinks[i]);
	}
}

/* one record in some version behind others; bytes of it */
static size_t add(uint8_t *to, struct event ev, unsigned int version)
{
	size_t head = record_encode(&ev, version, to);

	memcpy(to + head, ev.payload, ev.pdu_len);
	return head + ev.pdu_len;
}

static struct event name_of(uint32_t cpu, uint32_t pid, uint64_t time,
			    const char name[16])
{
	return with_payload(EVENT(.time = time, .action = NOTE(BLK_TN_PROCESS),
				  .pid = pid, .device = SDA, .cpu = cpu),
			    name, 16);
}

static size_t add_stamp(uint8_t *to, unsigned int version)
{
	const uint32_t wall[] = { 1795154830, 500000000 };

	return add(to, with_payload(EVENT(.time = BEGIN, .device = SDA,
				    .action = NOTE(BLK_TN_TIMESTAMP)),
				    wall, sizeof(wall)), version);
}

/* an event, now and then with the name of its process before it */
static size_t add_event(struct twins *t, uint32_t cpu, uint8_t *to,
			unsigned int version)
{
	static const char names[4][16] = { "fio", "bash", "dd", "kworker/0:1" };
	uint32_t pid = draw(t, 50);
	size_t len = 0;

	t->time += draw(t, 4) * 10 * MS;
	if (!draw(t, 10))
		len = add(to, name_of(cpu, pid, t->time, names[draw(t, 4)]),
			  version);
	return len + add(to + len,
			 with_payload(EVENT(.time = t->time, .device = SDA,
				.cpu = cpu, .pid = pid,
				.action = ACT(BLK_TA_QUEUE, CAT(QUEUE))),
				"payload", draw(t, 8)), version);
}

/* So many batches on CPUs by chance, the last of which never has one. */
static void feed(struct twins *t, int batches, unsigned int version)
{
	uint8_t bytes[BATCH_MAX * 200];

	put_both(t, 0, bytes, add_stamp(bytes, version));
	for (int i = 0; i < batches; i++) {
		uint32_t cpu = draw(t, CPUS - 1), n = 1 + draw(t, BATCH_MAX);
		size_t len = 0;

		while (n--)
			len += add_event(t, cpu, bytes + len, version);
		put_both(t, cpu, bytes, len);
		if (!draw(t, 10))
			flush_both(t);
	}
}

/* --- what has been written ----------------------------------------------- */

struct content {
	uint8_t *p;
	size_t len;
};

static struct content read_entry(const struct file_entry *e)
{
	enum { ROOM = 1 << 22 };
	struct content b = { malloc(ROOM), 0 };
	struct source *s;
	ssize_t n;

	assert_non_null(b.p);
	assert_int_equal(files_open(e, &s), 0);
	while ((n = source_read(s, b.p + b.len, ROOM - b.len)) > 0)
		b.len += (size_t)n;
	assert_int_equal(n, 0);
	source_close(s);
	return b;
}

/* all CPUs' files, joined, are those of the sink that was not rotated */
static void check_same(void)
{
	struct files parts, files;

	assert_int_equal(files_find(&parts, "segments", "sda"), 0);
	assert_int_equal(files_find(&files, "whole", "sda"), 0);
	assert_int_equal(parts.count, CPUS);
	assert_int_equal(files.count, CPUS);
	for (size_t i = 0; i < CPUS; i++) {
		struct content a = read_entry(&parts.list[i]);
		struct content b = read_entry(&files.list[i]);

		assert_int_equal(parts.list[i].cpu, files.list[i].cpu);
		assert_int_equal(a.len, b.len);
		assert_memory_equal(a.p, b.p, a.len);
		free(a.p);
		free(b.p);
	}
	files_free(&parts);
	files_free(&files);
}

static size_t count_segments(unsigned int *first, unsigned int *last)
{
	struct segments s;
	size_t count;

	assert_int_equal(segments_find(&s, "segments"), 0);
	count = s.count;
	*first = s.list[0].number;
	*last = s.list[count - 1].number;
	for (size_t i = 0; i < count; i++)
		assert_null(strstr(s.list[i].path, SEGMENT_PARTIAL));
	segments_free(&s);
	return count;
}

static void compare(uint32_t seed, uint64_t size, uint64_t time, int level,
		    unsigned int version)
{
	unsigned int first, last;
	struct twins t;

	start(&t, rotated(size, time, 0, level), whole(), seed);
	feed(&t, 600, version);
	end(&t);
	assert_true(count_segments(&first, &last) > 2);
	check_same();
	check_reports("");
}

static void test_size(void **state)
{
	(void)state;
	compare(1, 10000, 0, 0, 7);
}

static void test_time(void **state)
{
	(void)state;
	compare(2, 0, 3 * NS_PER_SECOND, 0, 7);
}

static void test_both_packed(void **state)
{
	(void)state;
	compare(3, 4000, 5 * NS_PER_SECOND, 6, 7);
}

static void test_version_8(void **state)
{
	(void)state;
	compare(4, 8000, 0, 0, 8);
}

/* 20 other captures, each in a directory of its own */
static void test_many(void **state)
{
	char dir[16];

	(void)state;
	for (uint32_t seed = 100; seed < 100 + (uint32_t)rounds(20); seed++) {
		snprintf(dir, sizeof(dir), "%u", seed);
		assert_int_equal(mkdir(dir, 0755) || chdir(dir), 0);
		compare(seed, 2000 + 500 * (seed % 10), 0, seed % 3 == 0, 7);
		assert_int_equal(chdir(".."), 0);
	}
}

/* --- borders ------------------------------------------------------------- */

/* the event's record on a CPU, by itself */
static void put_event(struct sink *s, struct sink_lane *l, uint64_t time)
{
	uint8_t raw[BLK_HEADER_MAX];
	size_t len = add(raw, EVENT(.time = time, .cpu = l->cpu, .device = SDA,
				    .action = ACT(BLK_TA_QUEUE, CAT(QUEUE))),
			 7);

	assert_int_equal(s->ops->write(s, l, raw, len), 0);
}

static size_t size_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (size_t)st.st_size;
}

#define FIRST "segments/0001-2026-11-20-06:07:10"
#define SECOND "segments/0002-2026-11-20-06:07:11"
#define AT_ONCE "segments/0002-2026-11-20-06:07:10"

/*
 * The border is behind the newest event of all CPUs, and each cuts there; one
 * without events has a file all the same.  A head has 56 bytes.
 */
static void test_border(void **state)
{
	struct sink *s = rotated(1, 0, 0, 0);
	struct sink_lane l[2] = { { .name = "sda", .cpu = 0 },
				  { .name = "sda", .cpu = 1 } };

	(void)state;
	assert_int_equal(s->ops->open(s, &l[0]), 0);
	assert_int_equal(s->ops->open(s, &l[1]), 0);
	assert_int_equal(s->ops->touch(s, "sda", 2), 0);
	put_event(s, &l[0], BEGIN + 500 * MS);
	put_event(s, &l[1], BEGIN + 300 * MS);
	put_event(s, &l[1], BEGIN + 500 * MS);
	assert_int_equal(access(SECOND ".partial", F_OK), -1);
	put_event(s, &l[0], BEGIN + 500 * MS + 1);
	assert_int_equal(access(FIRST ".partial", F_OK), 0);
	assert_int_equal(access(SECOND ".partial", F_OK), 0);
	assert_int_equal(s->ops->close(s, &l[0], 0), 0);
	assert_int_equal(s->ops->close(s, &l[1], 0), 0);
	s->ops->free(s);
	assert_int_equal(size_of(FIRST "/sda.blktrace.0"), BLK_HEADER_7);
	assert_int_equal(size_of(FIRST "/sda.blktrace.1"), 2 * BLK_HEADER_7);
	assert_int_equal(size_of(FIRST "/sda.blktrace.2"), 0);
	assert_int_equal(size_of(SECOND "/sda.blktrace.0"), 56 + BLK_HEADER_7);
	assert_int_equal(size_of(SECOND "/sda.blktrace.1"), 56);
	assert_int_equal(size_of(SECOND "/sda.blktrace.2"), 0);
	check_reports("");
}

static struct sink_lane *open_lane(struct sink *s, struct sink_lane *l)
{
	*l = (struct sink_lane){ .name = "sda" };
	assert_int_equal(s->ops->open(s, l), 0);
	return l;
}

/* events of some milliseconds, that many in each */
static void put_events(struct sink *s, struct sink_lane *l, uint64_t from,
		       uint64_t to, unsigned int each)
{
	for (uint64_t ms = from; ms < to; ms++)
		for (unsigned int i = 0; i < each; i++)
			put_event(s, l, BEGIN + ms * MS);
}

/* bytes of a segment's records; 0: there is no such segment */
static size_t segment_size(unsigned int number)
{
	char path[PATH_MAX];
	struct segments s;
	size_t size = 0;

	assert_int_equal(segments_find(&s, "segments"), 0);
	for (size_t i = 0; i < s.count; i++) {
		if (s.list[i].number != number)
			continue;
		snprintf(path, sizeof(path), "%s/sda.blktrace.0",
			 s.list[i].path);
		size = size_of(path);
	}
	segments_free(&s);
	return size;
}

/* Segments have what they should have, however fast it comes: in each second
 * 240 KB, 480 KB and 720 KB. */
static void test_bound(void **state)
{
	enum { SIZE = 144000, MORE = SIZE / 100, MS_OF_ALL = 2500 };
	struct sink_lane l;
	char dir[16];

	(void)state;
	for (unsigned int each = 5; each <= 15; each += 5) {
		struct sink *s;
		unsigned int whole;

		snprintf(dir, sizeof(dir), "%u", each);
		assert_int_equal(mkdir(dir, 0755) || chdir(dir), 0);
		s = rotated(SIZE, 0, 0, 0);
		put_events(s, open_lane(s, &l), 0, MS_OF_ALL, each);
		assert_int_equal(s->ops->close(s, &l, 0), 0);
		s->ops->free(s);
		whole = MS_OF_ALL * each * BLK_HEADER_7 / (SIZE + MORE);
		for (unsigned int i = 1; i <= whole; i++)
			assert_in_range(segment_size(i), SIZE, SIZE + MORE);
		assert_int_equal(chdir(".."), 0);
	}
}

/* Ten times as much from one moment to the next; and then next to nothing. */
static void test_gust(void **state)
{
	enum { SIZE = 480000 };
	struct sink *s = rotated(SIZE, 0, 0, 0);
	struct sink_lane l;

	(void)state;
	put_events(s, open_lane(s, &l), 0, 1000, 2);
	put_events(s, &l, 1000, 2500, 20);
	put_events(s, &l, 2500, 9000, 1);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	s->ops->free(s);
	for (unsigned int i = 1; i <= 3; i++)
		assert_in_range(segment_size(i), SIZE, SIZE + SIZE / 100);
}

/* what could not be written is seen in the name, of all segments from there */
static void test_cut(void **state)
{
	struct rlimit before, small;
	struct sink *s;
	struct sink_lane l = { .name = "sda" };
	uint8_t raw[BLK_HEADER_MAX];
	size_t len = add(raw, EVENT(.time = BEGIN + 2000 * MS, .device = SDA,
				    .action = ACT(BLK_TA_QUEUE, CAT(QUEUE))),
			 7);

	(void)state;
	s = rotated(1 << 20, 0, 0, 0);
	assert_int_equal(s->ops->open(s, &l), 0);
	put_event(s, &l, BEGIN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ BLK_HEADER_7 + 10, before.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(s->ops->write(s, &l, raw, len), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	s->ops->close(s, &l, 0);
	s->ops->free(s);
	assert_int_equal(size_of(FIRST ".partial/sda.blktrace.0"),
			 BLK_HEADER_7);
	assert_int_equal(access(FIRST, F_OK), -1);
	check_reports("cannot write " FIRST ".partial/sda.blktrace.0: File too"
		      " large\n" FIRST ".partial was cut: it keeps its name,"
		      " and can be read\n");
}

/* a border that nobody has come to makes no segment */
static void test_none_came(void **state)
{
	struct sink *s = rotated(1, 0, 0, 0);
	struct sink_lane l = { .name = "sda" };
	unsigned int first, last;

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	put_event(s, &l, BEGIN + 100 * MS);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	s->ops->free(s);
	assert_int_equal(count_segments(&first, &last), 1);
	assert_int_equal(size_of(FIRST "/sda.blktrace.0"), BLK_HEADER_7);
}

/* the names that a CPU has noted are in the head of its own file, the last */
static void test_names(void **state)
{
	struct sink *s = rotated(1, 0, 0, 0);
	struct sink_lane l[2] = { { .name = "sda", .cpu = 0 },
				  { .name = "sda", .cpu = 1 } };
	const char one[16] = "one", two[16] = "two", other[16] = "other";
	uint8_t raw[400];
	size_t len = add_stamp(raw, 7);

	(void)state;
	len += add(raw + len, name_of(0, 7, BEGIN, one), 7);
	len += add(raw + len, name_of(0, 8, BEGIN, two), 7);
	assert_int_equal(s->ops->open(s, &l[0]), 0);
	assert_int_equal(s->ops->open(s, &l[1]), 0);
	assert_int_equal(s->ops->write(s, &l[0], raw, len), 0);
	len = add(raw, name_of(1, 8, BEGIN, other), 7);
	assert_int_equal(s->ops->write(s, &l[1], raw, len), 0);
	put_event(s, &l[0], BEGIN + 2000 * MS);
	put_event(s, &l[1], BEGIN + 2000 * MS);
	assert_int_equal(s->ops->close(s, &l[0], 0), 0);
	assert_int_equal(s->ops->close(s, &l[1], 0), 0);
	s->ops->free(s);
	assert_int_equal(size_of(AT_ONCE "/sda.blktrace.0"),
			 56 + 64 + BLK_HEADER_7);
	assert_int_equal(size_of(AT_ONCE "/sda.blktrace.1"),
			 56 + 64 + BLK_HEADER_7);
}

/* of 1,000 segments and more the last three are left */
static void test_keep(void **state)
{
	struct sink *s = rotated(1, 0, 3, 0);
	struct sink_lane l = { .name = "sda" };
	unsigned int first, last;

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	for (uint64_t i = 0; i < 1000; i++)
		put_event(s, &l, BEGIN + i * 600 * MS);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	s->ops->free(s);
	assert_int_equal(count_segments(&first, &last), 3);
	assert_int_equal(last, 1000);
	assert_int_equal(first, 998);
	check_reports("");
}

/* a directory with segments is another trace's */
static void test_refused(void **state)
{
	const struct sink_rotate_options o = {
		.files = { "segments", NULL, 0, &keeper, NULL },
		.size = 1, .now = now };
	struct sink *s = rotated(1, 0, 0, 0);

	(void)state;
	s->ops->free(s);
	assert_int_equal(sink_rotate_new(&s, &o), -EEXIST);
	check_reports("segments has segments of another trace (" FIRST "): put"
		      " this one elsewhere with -D\n");
}

/* a segment goes with all its files, hidden ones of readers among them */
static void test_hidden(void **state)
{
	struct sink *s = rotated(1, 0, 2, 0);
	struct sink_lane l = { .name = "sda" };

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	put(FIRST ".partial/.sda.blktrace.0.positions", "x");
	for (uint64_t i = 0; i < 4; i++)
		put_event(s, &l, BEGIN + i * 600 * MS);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	s->ops->free(s);
	assert_int_equal(access(FIRST, F_OK), -1);
	check_reports("");
}

/* what is not ours in a segment stays, and that is reported */
static void test_foreign(void **state)
{
	struct sink *s = rotated(1, 0, 2, 0);
	struct sink_lane l = { .name = "sda" };

	(void)state;
	assert_int_equal(s->ops->open(s, &l), 0);
	put(FIRST ".partial/folder/file", "kept");
	for (uint64_t i = 0; i < 4; i++)
		put_event(s, &l, BEGIN + i * 600 * MS);
	assert_int_equal(s->ops->close(s, &l, 0), 0);
	s->ops->free(s);
	check_text(FIRST "/folder/file", "kept");
	check_reports("cannot remove " FIRST ": Directory not empty\n");
}

/* --- threads -------------------------------------------------------------- */

enum { EVENTS = 80000, EVERY = 5, AT_A_TIME = 200 };

struct player {
	pthread_t thread;
	struct sink *sink;
	struct sink_lane lane;
	int failed;
};

/* the events of one CPU, some ms behind each other */
static void *play(void *arg)
{
	struct player *p = arg;
	uint8_t raw[AT_A_TIME * (BLK_HEADER_MAX + 16)];
	size_t len = 0;

	for (uint64_t i = 0; i < EVENTS && !p->failed; i++) {
		uint64_t time = BEGIN + i * EVERY * MS;
		struct event ev = EVENT(.time = time, .cpu = p->lane.cpu,
					.action = ACT(BLK_TA_QUEUE,
						      CAT(QUEUE)));

		len += add(raw + len, i % 100 ? ev :
			   name_of(p->lane.cpu, (uint32_t)i, time,
				   "name\0\0\0\0\0\0\0\0\0\0\0"), 7);
		if ((i + 1) % AT_A_TIME)
			continue;
		p->failed = p->sink->ops->write(p->sink, &p->lane, raw, len);
		len = 0;
		if (!p->failed && i / AT_A_TIME % 10 == 0)
			p->failed = p->sink->ops->flush(p->sink, &p->lane);
	}
	if (!p->failed)
		p->failed = p->sink->ops->close(p->sink, &p->lane, 0);
	return NULL;
}

struct span {			/* of events, ns */
	uint64_t first, last;
};

/* the events of one file, which has no heads of version 8 */
static void widen(struct span *s, const char *path)
{
	struct source *source;
	uint8_t raw[BLK_HEADER_7 + 16];

	assert_int_equal(source_open(&source, path), 0);
	while (source_read(source, raw, BLK_HEADER_7) == BLK_HEADER_7) {
		uint64_t time = get64(FIELD(raw, time));
		uint32_t action = get32(FIELD(raw, action));
		uint16_t len = get16(FIELD(raw, pdu_len));

		assert_true(len <= 16);
		assert_int_equal(source_read(source, raw, len), len);
		if (action & BLK_TC_ACT(BLK_TC_NOTIFY))
			continue;
		s->first = time < s->first ? time : s->first;
		s->last = time > s->last ? time : s->last;
	}
	source_close(source);
}

/* the events of a segment, on all CPUs, are later than those before it */
static void check_apart(void)
{
	struct segments s;
	uint64_t before = 0;
	char path[PATH_MAX];

	assert_int_equal(segments_find(&s, "segments"), 0);
	for (size_t i = 0; i < s.count; i++) {
		struct span span = { UINT64_MAX, before };

		for (int cpu = 0; cpu < CPUS; cpu++) {
			snprintf(path, sizeof(path), "%s/sda.blktrace.%d",
				 s.list[i].path, cpu);
			widen(&span, path);
		}
		assert_true(span.first > before);
		before = span.last;
	}
	segments_free(&s);
}

/* Threads that run as they like: no record is missing, each is there once, and
 * all cut at the same time. */
static void test_threads(void **state)
{
	const size_t names = EVENTS / 100, all = EVENTS * BLK_HEADER_7 +
						 names * 16;
	struct player p[CPUS];
	struct sink *s = rotated(50000, 0, 0, 0);
	unsigned int first, last;
	struct files f;

	(void)state;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		p[cpu] = (struct player){ .sink = s, .lane = {
				.name = "sda", .cpu = cpu } };
		assert_int_equal(s->ops->open(s, &p[cpu].lane), 0);
	}
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		assert_int_equal(pthread_create(&p[cpu].thread, NULL, play,
						&p[cpu]), 0);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		pthread_join(p[cpu].thread, NULL);
		assert_int_equal(p[cpu].failed, 0);
	}
	s->ops->free(s);
	assert_true(count_segments(&first, &last) > 1);
	assert_int_equal(files_find(&f, "segments", "sda"), 0);
	assert_int_equal(f.count, CPUS);
	for (size_t i = 0; i < f.count; i++) {
		struct content c = read_entry(&f.list[i]);

		assert_int_equal(c.len, all);
		free(c.p);
	}
	files_free(&f);
	check_apart();
	check_reports("");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_size),	   IN_SCRATCH(test_time),
		IN_SCRATCH(test_both_packed), IN_SCRATCH(test_version_8),
		IN_SCRATCH(test_many),	   IN_SCRATCH(test_border),
		IN_SCRATCH(test_bound),    IN_SCRATCH(test_gust),
		IN_SCRATCH(test_cut),
		IN_SCRATCH(test_none_came), IN_SCRATCH(test_names),
		IN_SCRATCH(test_keep),	   IN_SCRATCH(test_refused),
		IN_SCRATCH(test_foreign),  IN_SCRATCH(test_hidden),
		IN_SCRATCH(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
