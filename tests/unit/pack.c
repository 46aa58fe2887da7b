/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packed bytes come back the same, whatever they are and however they are cut
 * into calls; a packed file without its end lists what is there; and damage is
 * found.
 *
 * SEED=N makes other bytes; ROUNDS, 300 by default, is how many files.
 */
#include "make.h"

#include <errno.h>
#include <unistd.h>

#include "pack/format.h"
#include "pack/frame.h"
#include "pack/index.h"
#include "pack/list.h"
#include "pack/packer.h"
#include "pack/unpacker.h"

/* --- packed files, in memory and on disk ----------------------------------- */

struct packed {
	uint8_t *bytes;
	size_t len, size;
	struct pack_index *index;	/* or NULL */
	uint64_t borders[4096];	/* ends of blocks */
	size_t count;
};

static void packed_free(struct packed *to)
{
	free(to->bytes);
	to->bytes = NULL;
}

static int append(void *ctx, const uint8_t *block, size_t len, uint64_t *at)
{
	struct packed *to = ctx;

	if (to->len + len > to->size) {
		to->size = 2 * (to->len + len);
		to->bytes = realloc(to->bytes, to->size);
		assert_non_null(to->bytes);
	}
	memcpy(to->bytes + to->len, block, len);
	*at = to->len;
	to->len += len;
	assert_true(to->count < 4096);
	to->borders[to->count++] = to->len;
	return 0;
}

static int put(void *ctx, const struct pack_header *h, const uint8_t *block,
	       size_t len)
{
	struct packed *to = ctx;
	uint64_t at;

	append(to, block, len, &at);
	return to->index ? pack_index_add(to->index, h, at) : 0;
}

static struct packer *packer_to(struct packed *to, const char *name,
				uint32_t stream)
{
	struct packer *p = packer_new(&(struct packer_options){
			.name = name, .stream = stream, .put = put,
			.ctx = to });

	assert_non_null(p);
	return p;
}

/* All bytes, in pieces of up to most. */
static void pack_bytes(struct packer *p, const struct bytes *b, size_t most,
		       uint64_t *state)
{
	uint64_t before = packer_taken(p);
	size_t at = 0, offered = 0;

	while (at < b->len) {
		ssize_t n;

		offered += 1 + chance(state) % most;
		if (at + offered > b->len)
			offered = b->len - at;
		n = packer_add(p, b->data + at, offered,
			       at + offered == b->len);
		assert_true(n >= 0 && (size_t)n <= offered);
		at += (size_t)n;
		offered -= (size_t)n;
	}
	assert_int_equal(packer_end(p), 0);
	assert_true(packer_taken(p) - before == b->len);
}

/* --- records -------------------------------------------------------------- */

static struct event random_event(uint64_t *state, struct event *last)
{
	static const uint8_t payload[600];
	uint32_t kind = chance(state) % 16;
	struct event ev = *last;

	ev.sequence += kind == 3 ? chance(state) % 400 : 1;
	ev.time += kind == 4 ? (uint64_t)chance(state) << 20 :
		   kind == 5 ? -(uint64_t)chance(state) : chance(state) % 5000;
	if (kind < 3)
		ev.sector = (uint64_t)chance(state) << (chance(state) % 32);
	ev.bytes = 512 * (chance(state) % 4);
	ev.pid = chance(state) % 5;
	ev.device = 8 << 20 | chance(state) % 2;
	ev.cpu = chance(state) % 3;
	ev.action = ACT(1 + chance(state) % 12, CAT(WRITE));
	if (kind == 6)
		ev.action = NOTE(chance(state) % 3);
	*last = ev;
	return with_payload(ev, payload, kind == 7 ? chance(state) % 600 :
				 kind == 6 ? 16 : 0);
}

/* Records of all layouts and orders, with damage now and then. */
static void make_file(struct bytes *b, uint64_t *state, unsigned int records)
{
	struct event last = EVENT(.time = chance(state));
	int shape = (int)(chance(state) % SHAPES);
	bool swapped = chance(state) % 4 == 0;

	b->len = 0;
	for (unsigned int i = 0; i < records; i++) {
		struct event ev = random_event(state, &last);

		if (chance(state) % 200 == 0)
			shape = (int)(chance(state) % SHAPES);
		add_shaped(b, shape, swapped, &ev, "some name");
		if (chance(state) % 300 == 0)
			add_zeros(b, chance(state) % 300);
		if (chance(state) % 300 == 0 && b->len > 100)
			b->data[b->len - chance(state) % 90] ^= 4;
	}
	if (records && chance(state) % 2)
		b->len -= chance(state) % 20;
}

static void make_noise(struct bytes *b, uint64_t *state, size_t len)
{
	static const uint8_t magic[] = { 7, 't', 'a', 'e' };

	for (b->len = 0; b->len < len; b->len++)
		b->data[b->len] = chance(state) % 8 ?
			(uint8_t)chance(state) : magic[b->len % 4];
}

/* --- back ----------------------------------------------------------------- */

/* Unpacks all blocks in pieces; they must be *want. */
static void assert_unpacks(const struct packed *from, const struct bytes *want,
			   uint64_t *state)
{
	struct unpacker *u = unpacker_new();
	uint8_t buf[9000];
	size_t at = 0, done = 0;

	while (at < from->len) {
		struct pack_header h;
		const char *why;
		int head = pack_header_get(&h, from->bytes + at,
					   from->len - at, &why);
		ssize_t n;

		assert_true(head > 0);
		assert_true(h.at == done);
		assert_int_equal(unpacker_begin(u, &h, from->bytes + at + head),
				 0);
		while ((n = unpacker_read(u, buf, 1 + chance(state) %
						  sizeof(buf))) > 0) {
			assert_true(done + (size_t)n <= want->len);
			assert_memory_equal(buf, want->data + done, (size_t)n);
			done += (size_t)n;
		}
		assert_int_equal(n, 0);
		assert_true(h.at + h.len == done);
		at += pack_block_size(&h);
	}
	assert_true(done == want->len);
	unpacker_free(u);
}

static void round_trip(const struct bytes *b, uint64_t *state)
{
	static const size_t pieces[] = { 10, 1000, 1 << 20 };
	struct packed to = { .bytes = NULL };
	struct packer *p = packer_to(&to, "sda.blktrace.0", 0);

	pack_bytes(p, b, pieces[chance(state) % 3], state);
	packer_free(p);
	assert_unpacks(&to, b, state);
	packed_free(&to);
}

static uint64_t seed(void)
{
	const char *text = getenv("SEED");

	return text ? strtoull(text, NULL, 10) : 1;
}

static unsigned int rounds(void)
{
	const char *text = getenv("ROUNDS");

	return text ? (unsigned int)strtoul(text, NULL, 10) : 300;
}

static void test_round_trip(void **unused)
{
	struct bytes *b = bytes_new();
	uint64_t state = seed();

	(void)unused;
	for (unsigned int i = 0; i < rounds(); i++) {
		if (i % 10)
			make_file(b, &state, chance(&state) % 2000);
		else
			make_noise(b, &state, chance(&state) % 400000);
		round_trip(b, &state);
	}
	free(b);
}

/* --- a block's border, its notes and its header ----------------------------- */

/* Blocks end at multiples of PACK_EVENTS, whatever was flushed before. */
static void test_borders(void **unused)
{
	struct packed to = { .bytes = NULL };
	struct packer *p = packer_to(&to, "x", 0);
	uint8_t raw[BLK_HEADER_MAX];
	uint64_t number = 0;
	struct pack_header h;
	const char *why;

	(void)unused;
	for (uint32_t i = 0; i < 3 * PACK_EVENTS; i++) {
		make_header(shape_of(V7), false,
			    &EVENT(.time = i, .sequence = i, .cpu = 3), NULL,
			    raw);
		assert_int_equal(packer_add(p, raw, BLK_HEADER_7, true),
				 BLK_HEADER_7);
		if (i % 7000 == 0)
			assert_int_equal(packer_flush(p), 0);
	}
	assert_false(packer_waits(p));
	for (size_t i = 0; i < to.count; i++) {
		uint64_t at = i ? to.borders[i - 1] : 0;

		assert_true(pack_header_get(&h, to.bytes + at, to.len - at,
					    &why) > 0);
		assert_true(h.number == number && h.least == number);
		assert_int_equal(h.cpu, 3);
		assert_int_equal(h.flags, BYTE_ORDER == BIG_ENDIAN ?
				 PACK_PLAIN | PACK_BIG_ENDIAN : PACK_PLAIN);
		assert_true(number / PACK_EVENTS ==
			    (number + h.events - 1) / PACK_EVENTS);
		number += h.events;
	}
	assert_true(number == 3 * PACK_EVENTS);
	packer_free(p);
	packed_free(&to);
}

/* A note comes alone, with where it was. */
static void test_notes(void **unused)
{
	struct bytes *b = bytes_new();
	struct packed to = { .bytes = NULL };
	struct packer *p = packer_to(&to, "x", 0);
	struct unpacker *u = unpacker_new();
	struct unpacked_note n;
	struct pack_header h;
	const char *why;
	uint64_t state = 1;
	int head;

	(void)unused;
	for (uint32_t i = 0; i < 700; i++)
		add_simple(b, i);
	add_record(b, &(struct event){
			.magic = BLK_MAGIC | 7, .pid = 9,
			.action = NOTE(BLK_TN_PROCESS), .pdu_len = 4,
			.payload = (const uint8_t *)"name" });
	add_simple(b, 700);
	pack_bytes(p, b, 1 << 20, &state);
	head = pack_header_get(&h, to.bytes, to.len, &why);
	assert_true(head > 0);
	assert_int_equal(h.notes, 1);
	assert_int_equal(unpacker_notes(u, &h, to.bytes + head), 0);
	assert_int_equal(unpacker_note(u, &n), 1);
	assert_int_equal(n.events, 700);
	assert_int_equal(n.at, 700 * BLK_HEADER_7);
	assert_true(n.after == 511);	/* of the first batch */
	assert_int_equal(n.len, BLK_HEADER_7 + 4);
	assert_memory_equal(n.bytes + BLK_HEADER_7, "name", 4);
	assert_int_equal(unpacker_note(u, &n), 0);
	unpacker_free(u);
	packer_free(p);
	packed_free(&to);
	free(b);
}

/* One of two files' packers takes some records, in turns. */
static void add_turn(struct packer *p, const char *name, uint32_t first)
{
	struct bytes *b = bytes_new();

	for (uint32_t i = 0; i < 300; i++)
		add_simple(b, first + i);
	add_record(b, &(struct event){
			.magic = BLK_MAGIC | 7, .time = first,
			.action = NOTE(BLK_TN_PROCESS),
			.pdu_len = (uint16_t)strlen(name),
			.payload = (const uint8_t *)name });
	assert_int_equal(packer_add(p, b->data, b->len, false), b->len);
	assert_int_equal(packer_flush(p), 0);
	free(b);
}

/* One packer that turns makes the same blocks as two. */
static void test_turn(void **unused)
{
	struct packed to = { .bytes = NULL }, want = { .bytes = NULL };
	const struct packer_options o[] = {
		{ .name = "a", .stream = 0, .put = put, .ctx = &to },
		{ .name = "file", .stream = 1, .put = put, .ctx = &to },
	};
	struct packer *one = packer_new(&o[0]);
	struct packer *two[] = { packer_to(&want, "a", 0),
				 packer_to(&want, "file", 1) };
	struct packer_past past[2] = { { .taken = 0 } };

	(void)unused;
	for (uint32_t i = 0; i < 20; i++) {
		int which = i % 3 == 0;

		packer_turn(one, &o[which], &past[which]);
		add_turn(one, o[which].name, 300 * i);
		past[which] = packer_past(one);
		add_turn(two[which], o[which].name, 300 * i);
	}
	assert_true(past[1].known && past[1].number == 7 * 300);
	assert_int_equal(to.len, want.len);
	assert_memory_equal(to.bytes, want.bytes, want.len);
	packer_free(one);
	packer_free(two[0]);
	packer_free(two[1]);
	packed_free(&to);
	packed_free(&want);
}

/* Whether the first block can be unpacked; if so, its bytes must be *want's. */
static bool unpacks(struct unpacker *u, const struct packed *from,
		    const struct bytes *want)
{
	static uint8_t got[1 << 17];
	struct pack_header h;
	const char *why;
	int head = pack_header_get(&h, from->bytes, from->len, &why);
	size_t done = 0;
	ssize_t n;

	if (head <= 0 || unpacker_begin(u, &h, from->bytes + head))
		return false;
	while ((n = unpacker_read(u, got + done, sizeof(got) - done)) > 0)
		done += (size_t)n;
	assert_int_equal(n, 0);
	assert_memory_equal(got, want->data, done);
	return true;
}

/* A change of a bit is noticed, or has no effect: zstd ignores a few. */
static void test_damage(void **unused)
{
	struct bytes *b = bytes_new();
	struct packed to = { .bytes = NULL };
	struct packer *p = packer_to(&to, "sda.blktrace.0", 0);
	struct unpacker *u = unpacker_new();
	unsigned int ignored = 0;
	uint64_t state = 2;

	(void)unused;
	make_file(b, &state, 400);
	pack_bytes(p, b, 1 << 20, &state);
	for (size_t i = 0; i < to.borders[0] * 8; i++) {
		to.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		ignored += unpacks(u, &to, b);
		to.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	assert_true(unpacks(u, &to, b));
	assert_true(ignored * 100 < to.borders[0] * 8);
	unpacker_free(u);
	packer_free(p);
	packed_free(&to);
	free(b);
}

/* --- lists ---------------------------------------------------------------- */

/* Two files in turn, with an index. */
static void pack_two(struct packed *to, struct pack_index *x,
		     const struct bytes *a, const struct bytes *b)
{
	struct packer *p, *q;
	uint64_t state = 3;

	*x = (struct pack_index){ .put = append, .ctx = to };
	assert_int_equal(pack_index_begin(x), 0);
	to->index = x;
	p = packer_to(to, "d/sda.blktrace.0", 0);
	q = packer_to(to, "d/sda.blktrace.1", 1);
	for (int i = 0; i < 2; i++) {
		pack_bytes(p, a, 1 << 20, &state);
		pack_bytes(q, b, 1 << 20, &state);
	}
	packer_free(p);
	packer_free(q);
	assert_int_equal(pack_index_end(x), 0);
	pack_index_free(x);
}

/* The packed bytes up to len as a file, which is closed by the caller. */
static int file_of(const struct packed *from, size_t len)
{
	char path[] = "/tmp/pack-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_true(write(fd, from->bytes, len) == (ssize_t)len);
	return fd;
}

static size_t places(const struct pack_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++)
		n += l->members[i].count;
	return n;
}

static void test_list(void **unused)
{
	struct bytes *a = bytes_new(), *b = bytes_new();
	struct packed to = { .bytes = NULL };
	struct pack_index x;
	struct pack_list l;
	uint64_t state = 4;
	int fd;

	(void)unused;
	make_file(a, &state, 900);
	make_file(b, &state, 700);
	pack_two(&to, &x, a, b);
	fd = file_of(&to, to.len);
	assert_int_equal(pack_list_read(&l, fd, NULL), 0);
	assert_true(l.indexed);
	assert_int_equal(l.count, 2);
	assert_string_equal(l.members[1].name, "d/sda.blktrace.1");
	assert_null(pack_list_find(&l, "sda"));
	assert_int_equal(places(&l), to.count - 2);
	assert_int_equal(l.damage_count, 0);
	pack_list_free(&l);
	assert_int_equal(pack_list_read(&l, fd, "d/sda.blktrace.1"), 0);
	assert_int_equal(l.members[0].count, 0);
	pack_list_free(&l);
	close(fd);
	packed_free(&to);
	free(a);
	free(b);
}

/* Cut anywhere, all blocks before are listed, and the rest is reported. */
static void test_cut(void **unused)
{
	struct bytes *a = bytes_new(), *b = bytes_new();
	struct packed to = { .bytes = NULL };
	struct pack_index x;
	uint64_t state = 5;
	size_t whole = 0;

	(void)unused;
	make_file(a, &state, 300);
	make_file(b, &state, 200);
	pack_two(&to, &x, a, b);
	for (size_t len = PACK_MAGIC_LEN; len < to.len; len += 1 + len % 7) {
		int fd = file_of(&to, len);
		struct pack_list l;

		while (to.borders[whole] <= len)
			whole++;
		assert_int_equal(pack_list_read(&l, fd, NULL), 0);
		assert_false(l.indexed);
		assert_int_equal(places(&l), whole < to.count - 2 ?
				 whole : to.count - 2);
		assert_true(l.damage_count > 0);
		assert_true(l.end == (whole ? to.borders[whole - 1] : 0));
		pack_list_free(&l);
		close(fd);
	}
	packed_free(&to);
	free(a);
	free(b);
}

static void test_not_built(void **unused)
{
	(void)unused;
	assert_null(packer_new(&(struct packer_options){ .name = "x" }));
	assert_null(unpacker_new());
}

int main(void)
{
	const struct CMUnitTest without[] = {
		cmocka_unit_test(test_not_built),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_borders), cmocka_unit_test(test_notes),
		cmocka_unit_test(test_turn),
		cmocka_unit_test(test_damage), cmocka_unit_test(test_list),
		cmocka_unit_test(test_cut),
	};

	if (!frame_built())
		return cmocka_run_group_tests(without, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
