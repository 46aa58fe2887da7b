/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink to memory: which records it keeps, who reads along, and what an
 * excerpt of it has.
 */
#include <errno.h>
#include <pthread.h>
#include <zlib.h>

#include "base/time.h"
#include "capture/sink.h"
#include "capture/to/chunk_reader.h"
#include "capture/to/chunks.h"
#include "capture/to/piece.h"
#include "capture/to/sink_ring.h"
#include "capture_reports.h"
#include "file/segments.h"
#include "pack/frame.h"
#include "pack/unpacker.h"
#include "scratch.h"

enum { CPUS = 4, SDA = 8 << 20, HEAD = BLK_HEADER_7 + 8 };

#define MS UINT64_C(1000000)
#define BEGIN (1000 * NS_PER_SECOND)

static uint64_t passed;		/* ns since a test began */

static struct notes_stamp now(void)
{
	return (struct notes_stamp){ BEGIN + passed, 1795154830, 0 };
}

struct kept {
	struct sink *sink;
	struct sink_lane lanes[CPUS];
	uint32_t numbers[CPUS];	/* of the last event */
	int files;		/* level of gzip of excerpts' files */
};

enum { BLOCKS = -1 };	/* in place of a level of gzip */

static void start_packed(struct kept *k, unsigned int cpus,
			 unsigned int factor, uint64_t time, int level)
{
	const struct sink_ring_options o = {
		.size = chunks_least(cpus) * factor, .time = time,
		.level = level == BLOCKS ? 0 : level, .pack = level == BLOCKS,
		.lanes = cpus, .now = now, .reporter = &keeper };

	passed = 0;
	*k = (struct kept){ .sink = NULL };
	assert_int_equal(sink_ring_new(&k->sink, &o), 0);
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		k->lanes[cpu] = (struct sink_lane){ .name = "sda", .cpu = cpu };
		assert_int_equal(k->sink->ops->open(k->sink, &k->lanes[cpu]),
				 0);
	}
}

/* the least pool for so many CPUs, or factor times that */
static void start(struct kept *k, unsigned int cpus, unsigned int factor,
		  uint64_t time)
{
	start_packed(k, cpus, factor, time, 0);
}

static void put_bytes_of(struct kept *k, uint32_t cpu, const void *bytes,
			 size_t len)
{
	assert_int_equal(k->sink->ops->write(k->sink, &k->lanes[cpu], bytes,
					     len), 0);
}

/* one event, numbered, of that time in ms */
static void put_at(struct kept *k, uint32_t cpu, uint64_t ms)
{
	uint8_t raw[BLK_HEADER_MAX];
	const struct event ev = EVENT(.time = BEGIN + ms * MS, .cpu = cpu,
				      .device = SDA,
				      .sequence = ++k->numbers[cpu],
				      .action = ACT(BLK_TA_QUEUE, CAT(QUEUE)));

	put_bytes_of(k, cpu, raw, record_encode(&ev, 7, raw));
}

static void put_name(struct kept *k, uint32_t cpu, uint32_t pid)
{
	uint8_t raw[BLK_HEADER_MAX + 16] = { 0 };
	const struct event ev = EVENT(.time = BEGIN, .cpu = cpu, .pid = pid,
				      .device = SDA, .pdu_len = 16,
				      .action = NOTE(BLK_TN_PROCESS));

	put_bytes_of(k, cpu, raw, record_encode(&ev, 7, raw) + 16);
}

static void flush(struct kept *k, unsigned int cpus, uint64_t ms)
{
	passed = ms * MS;
	for (unsigned int i = 0; i < cpus; i++)
		assert_int_equal(k->sink->ops->flush(k->sink, &k->lanes[i]),
				 0);
}

static void end(struct kept *k)
{
	k->sink->ops->free(k->sink);
	check_reports("");
}

/* --- excerpts ------------------------------------------------------------- */

struct content {
	uint8_t bytes[1 << 22];
	size_t len;
};

/* an excerpt's file, unpacked if it is packed, and as it is */
static struct content *file_of(uint32_t cpu)
{
	struct content *c = calloc(1, sizeof(*c));
	char path[64];
	gzFile f;

	assert_non_null(c);
	snprintf(path, sizeof(path), "cut/sda.blktrace.%u", cpu);
	f = gzopen(path, "r");
	if (!f)
		f = gzopen(strcat(path, ".gz"), "r");
	assert_non_null(f);
	c->len = (size_t)gzread(f, c->bytes, sizeof(c->bytes));
	assert_int_equal(gzclose(f), Z_OK);
	return c;
}

static struct content *packed_file_of(uint32_t cpu)
{
	struct content *c = calloc(1, sizeof(*c));
	char path[64];
	FILE *f;

	assert_non_null(c);
	snprintf(path, sizeof(path), "cut/sda.blktrace.%u.gz", cpu);
	f = fopen(path, "r");
	assert_non_null(f);
	c->len = fread(c->bytes, 1, sizeof(c->bytes), f);
	fclose(f);
	return c;
}

static void remove_files(void)
{
	char path[64];

	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path), "cut/sda.blktrace.%u.gz", cpu);
		unlink(path);
		*strrchr(path, '.') = '\0';
		unlink(path);
	}
}

/* a window in ms; whole, in ms from the beginning */
static uint64_t cut(struct kept *k, struct chunk_window *w)
{
	const struct sink_file_options o = { "cut", NULL, k->files, &keeper,
					     NULL };
	struct excerpt e = { .ring = k->sink, .window = w, .gzip = k->files,
			     .now = now() };

	remove_files();
	assert_int_equal(sink_file_new(&e.files, &o), 0);
	assert_int_equal(excerpt_write(&e), 0);
	e.files->ops->free(e.files);
	chunks_drop(sink_ring_chunks(k->sink), w);
	return (e.whole - BEGIN) / MS;
}

static struct chunk_window window_of(uint64_t from, uint64_t to)
{
	return (struct chunk_window){ .from = BEGIN + from * MS,
				      .to = BEGIN + to * MS };
}

/* what a file has behind its head: events from one number to another */
static void check_events(uint32_t cpu, uint64_t from, uint32_t first,
			 uint32_t last)
{
	struct content *c = file_of(cpu);
	const uint8_t *at = c->bytes;
	struct event ev = { .version = 0 };
	struct segment_head h;

	record_decode(record_layout(7, 0), false, at, &ev);
	assert_true(segment_head_of(&ev, &h));
	assert_int_equal(h.border, from);
	at += h.len;
	for (uint32_t n = first; n <= last; n++, at += BLK_HEADER_7)
		assert_int_equal(get32(FIELD(at, sequence)), n);
	assert_int_equal(at - c->bytes, c->len);
	free(c);
}

/* both ends are of the window, on all CPUs */
static void test_window(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(20, 30);

	(void)state;
	start(&k, 2, 1, 0);
	for (uint64_t ms = 10; ms < 40; ms++) {
		put_at(&k, 0, ms);
		if (ms % 2)
			put_at(&k, 1, ms);
	}
	k.sink->ops->touch(k.sink, "sda", 2);
	chunks_keep(sink_ring_chunks(k.sink), &w);
	assert_int_equal(cut(&k, &w), 20);
	check_events(0, w.from, 11, 21);
	check_events(1, w.from, 6, 10);
	assert_int_equal(w.from, BEGIN + 20 * MS);
	assert_int_equal(access("cut/sda.blktrace.2", F_OK), 0);
	end(&k);
}

/* names are in the head of the CPU that noted them; one has 64 bytes */
static void test_names(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(20, 30);
	struct content *c;

	(void)state;
	start(&k, 2, 1, 0);
	put_name(&k, 0, 7);
	put_name(&k, 0, 8);
	put_at(&k, 0, 25);
	put_at(&k, 1, 25);
	chunks_keep(sink_ring_chunks(k.sink), &w);
	cut(&k, &w);
	c = file_of(0);
	assert_int_equal(c->len, HEAD + 2 * 64 + BLK_HEADER_7);
	free(c);
	c = file_of(1);
	assert_int_equal(c->len, HEAD + BLK_HEADER_7);
	free(c);
	end(&k);
}

/* --- what goes ------------------------------------------------------------ */

/* a busy CPU does not push a slow one out: both reach equally far back */
static void test_fair(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(0, 1000000);
	struct chunks *c;

	(void)state;
	start(&k, 2, 4, 0);
	c = sink_ring_chunks(k.sink);
	for (uint64_t ms = 0; ms < 100000; ms++) {
		put_at(&k, 0, ms);
		if (ms % 1000 == 0)
			put_at(&k, 1, ms);
		if (ms % 250 == 0)
			flush(&k, 2, ms);
	}
	assert_true(atomic_load(&c->gone) > BEGIN);
	chunks_keep(c, &w);
	assert_int_equal(w.from, atomic_load(&c->gone) + 1);
	cut(&k, &w);
	check_events(0, w.from, (uint32_t)((w.from - BEGIN) / MS) + 2, 100000);
	check_events(1, w.from, (uint32_t)((w.from - BEGIN) / MS / 1000) + 2,
		     100);
	end(&k);
}

/* what a window waits for stays, though newer chunks go instead */
static void test_held(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(0, 300);
	uint64_t ms = 0;

	(void)state;
	start(&k, 2, 4, 0);
	for (; ms < 400; ms++)
		put_at(&k, ms % 2, ms);
	chunks_keep(sink_ring_chunks(k.sink), &w);
	for (; ms < 100000; ms++)
		put_at(&k, ms % 2, ms);
	assert_true(atomic_load(&sink_ring_chunks(k.sink)->gone) >
		    BEGIN + 1000 * MS);
	assert_int_equal(cut(&k, &w), 0);
	check_events(0, BEGIN, 1, 151);
	check_events(1, BEGIN, 1, 150);
	end(&k);
}

/* half of the pool goes on recording: the oldest goes, and that is known */
static void test_half(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(0, 1000000);
	uint64_t whole;

	(void)state;
	start(&k, 1, 4, 0);
	chunks_keep(sink_ring_chunks(k.sink), &w);
	for (uint64_t ms = 0; ms < 100000; ms++)
		put_at(&k, 0, ms);
	whole = cut(&k, &w);
	assert_true(whole > 1000);
	assert_true(whole < 100000);
	check_events(0, BEGIN, (uint32_t)whole + 2, 100000);
	end(&k);
}

/* with a limit of time older chunks go although there is room */
static void test_time(void **state)
{
	struct kept k;
	struct chunks *c;

	(void)state;
	start(&k, 1, 8, 2 * NS_PER_SECOND);
	c = sink_ring_chunks(k.sink);
	for (uint64_t ms = 0; ms < 5000; ms++)
		put_at(&k, 0, ms);
	assert_int_equal(atomic_load(&c->gone), 0);
	flush(&k, 1, 5000);
	assert_true(atomic_load(&c->gone) > BEGIN + 1500 * MS);
	assert_true(atomic_load(&c->gone) < BEGIN + 3000 * MS);
	end(&k);
}

static void test_too_small(void **state)
{
	struct sink *s;
	const struct sink_ring_options o = {
		.size = chunks_least(3) - 1, .lanes = 3, .now = now,
		.reporter = &keeper };

	(void)state;
	assert_int_equal(sink_ring_new(&s, &o), -EINVAL);
	check_reports("the ring needs 256 KiB for these devices on these"
		      " CPUs\n");
}

/* a record that is larger than any chunk is left out, those around it not */
static void test_too_large(void **state)
{
	static uint8_t raw[BLK_HEADER_7 + 60000];
	const struct event ev = EVENT(.time = BEGIN, .device = SDA,
				      .pdu_len = 60000, .sequence = 9,
				      .action = ACT(BLK_TA_DRV_DATA, 0));
	struct chunk_window w = window_of(0, 10);
	struct kept k;

	(void)state;
	start(&k, 1, 1, 0);
	put_at(&k, 0, 1);
	put_bytes_of(&k, 0, raw, record_encode(&ev, 7, raw) + 60000);
	put_at(&k, 0, 2);
	chunks_keep(sink_ring_chunks(k.sink), &w);
	cut(&k, &w);
	check_events(0, BEGIN, 1, 2);
	assert_int_equal(sink_ring_chunks(k.sink)->lanes[0]->left_out, 1);
	end(&k);
}

/* all before a look at the buffer has come when it is empty the next time */
static void test_drained(void **state)
{
	struct kept k;
	struct chunks *c;

	(void)state;
	start(&k, 2, 1, 0);
	c = sink_ring_chunks(k.sink);
	flush(&k, 2, 100);
	flush(&k, 1, 200);
	assert_int_equal(chunks_drained(c), 0);
	flush(&k, 2, 300);
	assert_int_equal(chunks_drained(c), BEGIN + 90 * MS);
	for (int i = 0; i < 2; i++)
		k.sink->ops->close(k.sink, &k.lanes[i], 0);
	assert_true(chunks_drained(c) == UINT64_MAX);
	end(&k);
}

/* --- reading along -------------------------------------------------------- */

/* Takes all there is; events that came in their order. */
static uint32_t take_all(struct chunk_reader *r, uint32_t *number)
{
	const uint8_t *records;
	uint32_t count = 0;
	size_t len;

	while ((len = chunk_reader_look(r, &records))) {
		for (size_t at = 0; at < len; at += BLK_HEADER_7, count++) {
			uint32_t n = get32(FIELD(records + at, sequence));

			if (n != *number + 1 && !r->skipped)
				fail_msg("%u behind %u", n, *number);
			r->skipped = false;
			*number = n;
		}
		chunk_reader_take(r, len);
	}
	return count;
}

/* a reader that is overtaken goes on with what is there, and knows */
static void test_overtaken(void **state)
{
	struct kept k;
	struct chunk_reader r = { 0 };
	const uint8_t *records;
	uint32_t number = 0;

	(void)state;
	start(&k, 1, 2, 0);
	r.chunks = sink_ring_chunks(k.sink);
	r.lane = r.chunks->lanes[0];
	for (uint64_t ms = 0; ms < 1000; ms++)
		put_at(&k, 0, ms);
	assert_int_equal(take_all(&r, &number), 1000);
	for (uint64_t ms = 1000; ms < 20000; ms++)
		put_at(&k, 0, ms);
	/* the chunk that it was in, then the gap */
	chunk_reader_take(&r, chunk_reader_look(&r, &records));
	assert_false(r.skipped);
	assert_true(chunk_reader_look(&r, &records) > 0);
	assert_true(r.skipped);
	assert_true(r.skipped_from < BEGIN + 2000 * MS);
	assert_true(r.skipped_to > BEGIN + 10000 * MS);
	number = get32(FIELD(records, sequence));
	assert_int_equal(r.skipped_to, BEGIN + (number - 2) * MS);
	number--;
	take_all(&r, &number);
	assert_int_equal(number, 20000);
	chunk_reader_end(&r);
	end(&k);
}

/* --- packed --------------------------------------------------------------- */

/* A packer, in this thread. */
static unsigned int pack_as(struct chunks *c, int level)
{
	static uint8_t piece[CHUNK_MAX];
	unsigned int count = 0;
	struct chunk *k;
	struct piece_packer *p = piece_packer_new(level == BLOCKS ? 0 : level);

	assert_non_null(p);
	for (unsigned int i = 0; i < c->lane_count; i++)
		while ((k = chunks_to_pack(c, c->lanes[i]))) {
			chunks_packed(c, c->lanes[i], k, piece,
				      piece_pack(p, k->bytes, k->used, k->last,
						 piece, c->each));
			count++;
		}
	piece_packer_free(p);
	return count;
}

static unsigned int pack_all(struct chunks *c)
{
	return pack_as(c, 1);
}

struct along {			/* who reads two CPUs */
	struct chunk_reader r[2];
	uint32_t numbers[2];
	int level;		/* of what is packed meanwhile */
};

static struct along along(struct kept *k)
{
	struct chunks *c = sink_ring_chunks(k->sink);

	return (struct along){ .level = 1, .r = {
		{ .chunks = c, .lane = c->lanes[0], .along = true },
		{ .chunks = c, .lane = c->lanes[1], .along = true } } };
}

/* an event each ms, on two CPUs in turn, read and packed meanwhile */
static void fill_packed(struct kept *k, struct along *a, uint64_t from,
			uint64_t to)
{
	for (uint64_t ms = from; ms < to; ms++) {
		put_at(k, ms % 2, ms);
		if (ms % 500)
			continue;
		take_all(&a->r[0], &a->numbers[0]);
		take_all(&a->r[1], &a->numbers[1]);
		pack_as(sink_ring_chunks(k->sink), a->level);
	}
}

static void end_packed(struct kept *k, struct along *a)
{
	chunk_reader_end(&a->r[0]);
	chunk_reader_end(&a->r[1]);
	end(k);
}

/* of 8,184 events that there is room for it keeps four times as many, in either
 * byte order; and what is cut out of them is right, also when the oldest have
 * gone */
static void test_packed(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(20000, 21000);
	struct along a;
	struct chunks *c;
	uint64_t gone;

	(void)state;
	start(&k, 2, 2, 0);
	a = along(&k);
	c = sink_ring_chunks(k.sink);
	fill_packed(&k, &a, 0, 34000);
	assert_int_equal(atomic_load(&c->gone), 0);
	for (k.files = 0; k.files < 2; k.files++) {
		w = window_of(20000, 21000);
		chunks_keep(c, &w);
		assert_int_equal(cut(&k, &w), 20000);
		check_events(0, w.from, 10001, 10501);
		check_events(1, w.from, 10001, 10500);
	}
	fill_packed(&k, &a, 34000, 400000);
	gone = (atomic_load(&c->gone) - BEGIN) / MS;
	assert_in_range(gone, 1, 400000 - 34000);
	for (k.files = 0; k.files < 2; k.files++) {
		w = window_of(0, 1000000);
		chunks_keep(c, &w);
		assert_int_equal(cut(&k, &w), gone);
		check_events(0, w.from, (uint32_t)(gone + 1) / 2 + 1, 200000);
		check_events(1, w.from, (uint32_t)(gone + 2) / 2 + (gone % 2),
			     200000);
	}
	end_packed(&k, &a);
}

/* as blocks it keeps ten times as many */
static void test_blocks(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(20000, 21000);
	struct along a;
	struct chunks *c;

	(void)state;
	if (!frame_built())
		skip();
	start(&k, 2, 2, 0);
	a = along(&k);
	a.level = BLOCKS;
	c = sink_ring_chunks(k.sink);
	fill_packed(&k, &a, 0, 80000);
	assert_int_equal(atomic_load(&c->gone), 0);
	chunks_keep(c, &w);
	assert_int_equal(cut(&k, &w), 20000);
	check_events(0, w.from, 10001, 10501);
	check_events(1, w.from, 10001, 10500);
	end_packed(&k, &a);
}

/* How many pieces of a lane's chunk are in the file as they are. */
static unsigned int count_copied(const struct chunk *k,
				 const struct content *file)
{
	unsigned int count = 0;
	struct piece p = { .end = 0 };

	while (p.end < k->used) {
		assert_int_equal(piece_at(k->bytes, k->used, p.end, &p), 0);
		count += !!memmem(file->bytes, file->len, p.member, p.len);
	}
	return count;
}

/* packed files have pieces as they are, but for two that are cut: of 5,001
 * events 13 or 14 whole ones of 341 each */
static void test_copied(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(20000, 30000);
	struct along a;
	struct chunk_lane *l;
	struct content *file;
	unsigned int count = 0;

	(void)state;
	start(&k, 2, 2, 0);
	a = along(&k);
	l = a.r[0].lane;
	fill_packed(&k, &a, 0, 40000);
	chunks_keep(a.r[0].chunks, &w);
	k.files = 9;
	cut(&k, &w);
	check_events(0, w.from, 10001, 15001);
	file = packed_file_of(0);
	for (struct chunk *c = l->oldest; c && c->packed; c = c->newer)
		count += count_copied(c, file);
	assert_in_range(count, 13, 14);
	free(file);
	end_packed(&k, &a);
}

/* what nobody has read is not packed, nor is what somebody reads */
static void test_packed_later(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(0, 1000000);
	struct along a;
	struct chunk_reader other;
	const uint8_t *records;
	uint32_t number = 0;

	(void)state;
	start(&k, 2, 2, 0);
	a = along(&k);
	other = (struct chunk_reader){ .chunks = a.r[0].chunks,
				       .lane = a.r[0].lane };
	for (uint64_t ms = 0; ms < 4000; ms++)
		put_at(&k, ms % 2, ms);
	assert_int_equal(pack_all(other.chunks), 0);
	take_all(&a.r[1], &a.numbers[1]);
	assert_int_equal(pack_all(other.chunks), 5);
	assert_true(chunk_reader_look(&other, &records) > 0);
	take_all(&a.r[0], &a.numbers[0]);
	assert_int_equal(pack_all(other.chunks), 0);
	/* as one goes on, what is behind it is packed */
	for (uint32_t n = 5; take_all(&other, &number) && n; n = 0)
		assert_int_equal(pack_all(other.chunks), 5);
	assert_int_equal(number, 2000);
	chunk_reader_end(&other);
	/* nothing is added to pieces that somebody reads */
	other = (struct chunk_reader){ .chunks = a.r[0].chunks,
				       .lane = a.r[0].lane };
	assert_true(chunk_reader_look(&other, &records) > 0);
	fill_packed(&k, &a, 4000, 6000);
	number = 0;
	assert_int_equal(take_all(&other, &number), 3000);
	chunk_reader_end(&other);
	chunks_keep(a.r[0].chunks, &w);
	cut(&k, &w);
	check_events(0, BEGIN, 1, 3000);
	check_events(1, BEGIN, 1, 3000);
	end_packed(&k, &a);
}

/* what does not get smaller stays as it is, among pieces */
static void test_stays(void **state)
{
	struct kept k;
	struct chunk_window w = window_of(0, 1000000);
	struct along a;
	struct chunks *c;
	struct chunk *second;

	(void)state;
	start(&k, 2, 2, 0);
	a = along(&k);
	c = a.r[0].chunks;
	fill_packed(&k, &a, 0, 1001);
	for (uint64_t ms = 1001; ms < 4000; ms++)
		put_at(&k, ms % 2, ms);
	take_all(&a.r[0], &a.numbers[0]);
	second = chunks_to_pack(c, a.r[0].lane);
	assert_int_equal(second->serial, 2);
	chunks_packed(c, a.r[0].lane, second, NULL, 0);
	assert_int_equal(pack_all(c), 3);
	assert_false(second->packed);
	for (k.files = 0; k.files < 2; k.files++) {
		w = window_of(0, 1000000);
		chunks_keep(c, &w);
		cut(&k, &w);
		check_events(0, BEGIN, 1, 2000);
		check_events(1, BEGIN, 1, 2000);
	}
	end_packed(&k, &a);
}

/* of blocks, too, what is cut off or more than there is room for is refused */
static void test_piece_of_blocks(void **state)
{
	struct piece_packer *packer;
	struct bytes *b;
	struct unpacker *u = NULL;
	struct piece p;
	static uint8_t room[65536], back[65536];
	size_t len, got;

	(void)state;
	if (!frame_built())
		skip();
	packer = piece_packer_new(0);
	b = bytes_new();
	assert_non_null(packer);
	for (uint32_t i = 0; i < 1000; i++)
		add_simple(b, i);
	assert_int_equal(piece_pack(packer, b->data, b->len, 7, room, 90), 0);
	len = piece_pack(packer, b->data, b->len, 7, room, sizeof(room));
	assert_in_range(len, 100, b->len / 10);
	assert_int_equal(piece_at(room, len, 0, &p), 0);
	assert_int_equal(p.end, len);
	assert_int_equal(piece_unpack(&p, &u, back, b->len, &got), 0);
	assert_int_equal(got, b->len);
	assert_memory_equal(back, b->data, got);
	assert_int_equal(piece_unpack(&p, &u, back, b->len - 1, &got), -EINVAL);
	p.len--;
	assert_int_equal(piece_unpack(&p, &u, back, b->len, &got), -EINVAL);
	unpacker_free(u);
	piece_packer_free(packer);
	free(b);
}

static void test_piece(void **state)
{
	uint8_t text[1000] = "pieces are not believed blindly", back[1000];
	uint8_t room[1000];
	size_t len, got = 0;
	struct piece p = { .end = 0 };
	struct piece_packer *packer = piece_packer_new(1);
	struct unpacker *none = NULL;

	(void)state;
	assert_non_null(packer);
	assert_int_equal(piece_pack(packer, text, sizeof(text), 7, room, 30),
			 0);
	len = piece_pack(packer, text, sizeof(text), 7, room, sizeof(room));
	assert_in_range(len, 20, 100);
	assert_int_equal(piece_at(room, len, 0, &p), 0);
	assert_int_equal(p.end, len);
	assert_int_equal(p.newest, 7);
	assert_int_equal(piece_unpack(&p, &none, back, sizeof(back), &got), 0);
	assert_int_equal(got, sizeof(text));
	assert_memory_equal(back, text, sizeof(text));
	assert_int_equal(piece_unpack(&p, &none, back, 999, &got), -EINVAL);
	p.len--;
	assert_int_equal(piece_unpack(&p, &none, back, sizeof(back), &got),
			 -EINVAL);
	assert_int_equal(piece_at(room, len - 1, 0, &p), -EINVAL);
	assert_int_equal(piece_at(room, 15, 0, &p), -EINVAL);
	assert_int_equal(piece_at(room, len, len, &p), -EINVAL);
	assert_int_equal(piece_at(room, len, len + 1, &p), -EINVAL);
	piece_packer_free(packer);
}

/* --- threads -------------------------------------------------------------- */

enum { EVENTS = 200000, BATCH = 20 };

struct player {
	pthread_t thread;
	struct kept *k;
	uint32_t cpu;
	int failed;
};

static void *play(void *arg)
{
	struct player *p = arg;
	struct sink *s = p->k->sink;
	struct sink_lane *l = &p->k->lanes[p->cpu];
	uint8_t raw[BATCH * BLK_HEADER_7];

	for (uint32_t i = 0; i < EVENTS && !p->failed; i += BATCH) {
		for (uint32_t n = 0; n < BATCH; n++) {
			struct event ev = EVENT(.time = BEGIN + i + n + 1,
				.cpu = p->cpu, .sequence = i + n + 1,
				.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)));

			record_encode(&ev, 7, raw + n * BLK_HEADER_7);
		}
		p->failed = s->ops->write(s, l, raw, sizeof(raw));
		if (!p->failed && i % 1000 == 0)
			p->failed = s->ops->flush(s, l);
	}
	s->ops->close(s, l, 0);
	return NULL;
}

/* whether all have closed; what they have is then all there is */
static bool read_all(struct chunk_reader *r, uint32_t *numbers)
{
	bool over = chunks_drained(r->chunks) == UINT64_MAX;

	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		take_all(&r[cpu], &numbers[cpu]);
	return over;
}

/* threads write, one reads along, windows come and go: every reader sees all
 * that is there, in its order */
static void run_threads(int level)
{
	struct kept k;
	struct player p[CPUS];
	struct chunk_reader r[CPUS];
	uint32_t numbers[CPUS] = { 0 };

	start_packed(&k, CPUS, 2, 0, level);
	k.files = level == BLOCKS ? 0 : level;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		p[cpu] = (struct player){ .k = &k, .cpu = cpu };
		r[cpu] = (struct chunk_reader){
			.chunks = sink_ring_chunks(k.sink),
			.lane = k.lanes[cpu].out, .along = true };
	}
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		assert_int_equal(pthread_create(&p[cpu].thread, NULL, play,
						&p[cpu]), 0);
	while (!read_all(r, numbers)) {
		struct chunk_window w = { .from = BEGIN, .to = UINT64_MAX - 1 };

		chunks_keep(sink_ring_chunks(k.sink), &w);
		cut(&k, &w);
	}
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		pthread_join(p[cpu].thread, NULL);
		assert_int_equal(p[cpu].failed, 0);
		assert_int_equal(numbers[cpu], EVENTS);
		chunk_reader_end(&r[cpu]);
	}
	end(&k);
}

static void test_threads(void **state)
{
	(void)state;
	run_threads(0);
}

static void test_threads_packed(void **state)
{
	(void)state;
	run_threads(1);
}

static void test_threads_blocks(void **state)
{
	(void)state;
	if (!frame_built())
		skip();
	run_threads(BLOCKS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_window),
		IN_SCRATCH(test_names),
		IN_SCRATCH(test_fair),
		IN_SCRATCH(test_held),
		IN_SCRATCH(test_half),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_too_small),
		IN_SCRATCH(test_too_large),
		cmocka_unit_test(test_drained),
		cmocka_unit_test(test_overtaken),
		IN_SCRATCH(test_packed),
		IN_SCRATCH(test_copied),
		IN_SCRATCH(test_packed_later),
		IN_SCRATCH(test_stays),
		cmocka_unit_test(test_piece),
		IN_SCRATCH(test_threads),
		IN_SCRATCH(test_threads_packed),
		IN_SCRATCH(test_blocks),
		cmocka_unit_test(test_piece_of_blocks),
		IN_SCRATCH(test_threads_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
