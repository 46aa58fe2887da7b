/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run's packed file: what is put survives a server that is killed at any
 * byte, and the next one goes on with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make.h"
#include "net.h"
#include "pack/frame.h"
#include "pack/packer.h"
#include "pack/unpacker.h"
#include "scratch.h"
#include "server/packed_run.h"
#include "server/senders.h"
#include "server/store.h"
#include "unpacked.h"

/* 2009-02-13 23:31:30 UTC */
enum { WHEN = 1234567890, RECORD = BLK_HEADER_7 };
#define DIR "store/192.0.2.1-2009-02-13-23:31:30"

static int nowhere(void *ctx, const struct pack_header *h, const uint8_t *block,
		   size_t len)
{
	(void)ctx, (void)h, (void)block, (void)len;
	return -EIO;
}

struct rig {
	struct store *store;
	struct store_dir *dir;
	struct packer *packer;
	struct unpacker *unpacker;
	struct packed_run *run;
	void *scratch;
};

static void begin(struct rig *r)
{
	const struct packed_run_options o = {
		.dir = r->dir, .packer = r->packer, .unpacker = r->unpacker,
	};

	assert_int_equal(packed_run_new(&r->run, &o), 0);
}

/* the server was killed, or with whole the machine was */
static void begin_again(struct rig *r, const char *name, bool suspect)
{
	packed_run_free(r->run);
	begin(r);
	assert_int_equal(packed_run_resume(r->run, name, suspect), 0);
}

static int enter_with(void **state, uint64_t max_bytes)
{
	const struct store_options o = { "store", max_bytes, 4 };
	struct rig *r = calloc(1, sizeof(*r));

	*state = r;
	if (!r || scratch_enter(&r->scratch) || store_new(&r->store, &o) ||
	    store_dir_new(r->store, "192.0.2.1", WHEN, &r->dir))
		return 1;
	r->packer = packer_new(&(struct packer_options){ .name = "",
							 .put = nowhere });
	r->unpacker = unpacker_new();
	begin(r);
	return 0;
}

static int enter(void **state)
{
	return enter_with(state, 0);
}

static int leave(void **state)
{
	struct rig *r = *state;

	packed_run_free(r->run);
	packer_free(r->packer);
	unpacker_free(r->unpacker);
	store_dir_free(r->dir);
	store_free(r->store);
	scratch_leave(&r->scratch);
	free(r);
	return 0;
}

/* --- what is stored ------------------------------------------------------- */

static struct bytes *records(uint32_t first, uint32_t n)
{
	struct bytes *b = bytes_new();

	for (uint32_t i = first; i < first + n; i++)
		add_simple(b, i);
	return b;
}

static void add(struct packed_member *m, uint32_t first, uint32_t n)
{
	struct bytes *b = records(first, n);

	assert_int_equal(packed_run_add(m, b->data, b->len, 0), 0);
	free(b);
}

/* the file's member has these bytes; whether the file has an index, and how many
 * members */
static void check_member(const char *file, const char *name,
			 const struct bytes *want, bool indexed, size_t count)
{
	struct pack_list l;
	struct bytes *b = unpack_member(file, name, &l);

	assert_non_null(b);
	assert_int_equal(l.indexed, indexed);
	assert_int_equal(l.count, count);
	assert_int_equal(b->len, want->len);
	assert_memory_equal(b->data, want->data, b->len);
	pack_list_free(&l);
	free(b);
}

static void check_records(const char *file, const char *name, uint32_t n,
			  bool indexed, size_t count)
{
	struct bytes *b = records(0, n);

	check_member(file, name, b, indexed, count);
	free(b);
}

/* --- tests ---------------------------------------------------------------- */

static void test_run(void **state)
{
	static const char card[] = "{\"a\": 1}";
	struct rig *r = *state;
	struct packed_member *zero = packed_run_member(r->run, "sda", 0);
	struct packed_member *one = packed_run_member(r->run, "sda", 1);
	struct packed_member *aside = packed_run_member(r->run, "sda",
							NET_CPU_CARD);
	struct bytes *b = bytes_new();

	assert_ptr_equal(packed_run_member(r->run, "sda", 0), zero);
	assert_int_equal(access(DIR "/sda.btz", F_OK), -1);
	assert_int_equal(packed_run_card(aside, card, 4), 0);
	add(zero, 0, 1000);
	assert_true(packed_run_waits(r->run));
	assert_int_equal(packed_run_length(zero), 0);
	assert_int_equal(packed_run_flush(r->run), 0);
	assert_false(packed_run_waits(r->run));
	assert_int_equal(packed_run_length(zero), 1000 * RECORD);
	add(zero, 1000, 500);
	assert_int_equal(packed_run_card(aside, card, sizeof(card)), 0);
	assert_int_equal(packed_run_put(one), 0);
	assert_int_equal(packed_run_end(r->run), 0);
	check_records(DIR "/sda.btz", "sda.blktrace.0", 1500, true, 3);
	check_records(DIR "/sda.btz", "sda.blktrace.1", 0, true, 3);
	add_bytes(b, card, sizeof(card));
	check_member(DIR "/sda.btz", "sda.blktrace.json", b, true, 3);
	free(b);
}

/* several devices have another name together */
static void test_devices(void **state)
{
	struct rig *r = *state;
	struct packed_member *a = packed_run_member(r->run, "sda", 0);

	packed_run_member(r->run, "sdab", 0);
	add(a, 0, 1);
	assert_int_equal(packed_run_end(r->run), 0);
	check_records(DIR "/blktrace.btz", "sda.blktrace.0", 1, true, 1);
}

/* Half a record waits for its rest, or is dropped. */
static void test_halves(void **state)
{
	struct rig *r = *state;
	struct packed_member *m = packed_run_member(r->run, "sda", 0);
	struct bytes *b = records(0, 3);

	assert_int_equal(packed_run_add(m, b->data, RECORD + 10, 10), 0);
	assert_int_equal(packed_run_flush(r->run), 0);
	assert_false(packed_run_waits(r->run));
	assert_int_equal(packed_run_length(m), RECORD);
	assert_int_equal(packed_run_add(m, b->data + RECORD + 10,
					2 * RECORD - 20, RECORD - 10), 0);
	packed_run_drop(m);
	packed_run_drop(m);
	assert_int_equal(packed_run_end(r->run), 0);
	check_records(DIR "/sda.btz", "sda.blktrace.0", 2, true, 1);
	free(b);
}

/* No more than the bound is gathered, whatever comes. */
static void test_gather(void **state)
{
	enum { EACH = 1000, TIMES = 200, NOISE = 100 };
	static uint8_t noise[PACKED_RUN_GATHER / NOISE];
	struct rig *r = *state;
	struct packed_member *m = packed_run_member(r->run, "sda", 0);
	uint64_t put = 0;

	for (uint32_t i = 0; i < TIMES; i++) {
		add(m, i * EACH, EACH);
		assert_true(packed_run_length(m) >= put);
		put = packed_run_length(m);
	}
	assert_true(TIMES * EACH * RECORD - put <= PACKED_RUN_GATHER);
	assert_int_equal(packed_run_end(r->run), 0);
	assert_int_equal(packed_run_length(m), TIMES * EACH * RECORD);
	/* one endless record */
	for (uint32_t i = 1; i <= NOISE; i++)
		assert_int_equal(packed_run_add(m, noise, sizeof(noise),
						i * sizeof(noise)), 0);
	assert_int_equal(packed_run_add(m, noise, sizeof(noise),
					sizeof(noise)), -ENOBUFS);
	assert_int_equal(packed_run_end(r->run), -ENOBUFS);
}

static off_t length_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

/* Killed while it wrote, at any byte: the whole blocks stay, and the index of
 * the next one has them all. */
static void test_killed(void **state)
{
	struct rig *r = *state;
	struct packed_member *m = packed_run_member(r->run, "sda", 0);
	uint32_t have = 0;

	for (int i = 0; i < 60; i++) {
		off_t before, after;

		if (i % 7 == 3)
			assert_int_equal(packed_run_end(r->run), 0);
		add(m, have, 10);
		assert_int_equal(packed_run_flush(r->run), 0);
		before = length_of(DIR "/sda.btz");
		have += 10;
		add(m, have, 10);
		assert_int_equal(packed_run_flush(r->run), 0);
		after = length_of(DIR "/sda.btz");
		assert_int_equal(truncate(DIR "/sda.btz", before +
					  (after - before) * i / 60), 0);
		begin_again(r, "sda.btz", i % 2);
		assert_int_equal(length_of(DIR "/sda.btz"), before);
		m = packed_run_member(r->run, "sda", 0);
		assert_int_equal(packed_run_length(m), have * RECORD);
	}
	assert_int_equal(packed_run_end(r->run), 0);
	check_records(DIR "/sda.btz", "sda.blktrace.0", have, true, 1);
}

/* Nothing new needs no other end; and what is known by the index is all. */
static void test_idle(void **state)
{
	struct rig *r = *state;
	struct packed_member *m = packed_run_member(r->run, "sda", 0);
	off_t length;

	add(m, 0, 10);
	assert_int_equal(packed_run_end(r->run), 0);
	length = length_of(DIR "/sda.btz");
	begin_again(r, "sda.btz", false);
	assert_int_equal(packed_run_end(r->run), 0);
	assert_int_equal(length_of(DIR "/sda.btz"), length);
	add(packed_run_member(r->run, "sda", 1), 0, 5);
	m = packed_run_member(r->run, "sda", 0);
	assert_int_equal(packed_run_length(m), 10 * RECORD);
	add(m, 10, 7);
	assert_int_equal(packed_run_end(r->run), 0);
	check_records(DIR "/sda.btz", "sda.blktrace.1", 5, true, 2);
	check_records(DIR "/sda.btz", "sda.blktrace.0", 17, true, 2);
}

/* After a loss of power, a block that was not written whole does not count. */
static void test_lost_power(void **state)
{
	struct rig *r = *state;
	struct packed_member *m = packed_run_member(r->run, "sda", 0);
	int fd;

	add(m, 0, 10);
	assert_int_equal(packed_run_flush(r->run), 0);
	add(m, 10, 1000);
	assert_int_equal(packed_run_flush(r->run), 0);
	fd = open(DIR "/sda.btz", O_RDWR);
	assert_int_equal(pwrite(fd, "\0\0\0\0\0\0\0\0", 8,
				length_of(DIR "/sda.btz") - 9), 8);
	close(fd);
	begin_again(r, "sda.btz", false);
	m = packed_run_member(r->run, "sda", 0);
	assert_int_equal(packed_run_length(m), 1010 * RECORD);
	begin_again(r, "sda.btz", true);
	m = packed_run_member(r->run, "sda", 0);
	assert_int_equal(packed_run_length(m), 10 * RECORD);
	add(m, 10, 5);
	assert_int_equal(packed_run_end(r->run), 0);
	check_records(DIR "/sda.btz", "sda.blktrace.0", 15, true, 1);
}

/* A block that does not fit is not begun, and no other comes after it. */
static int enter_small(void **state)
{
	return enter_with(state, 1000);
}

static void test_full(void **state)
{
	struct rig *r = *state;
	struct packed_member *m = packed_run_member(r->run, "sda", 0);
	off_t length;
	uint32_t i = 0;
	int err = 0;

	do {
		length = i ? length_of(DIR "/sda.btz") : 0;
		add(m, 10 * i++, 10);
		err = packed_run_flush(r->run);
	} while (!err);
	assert_int_equal(err, -EDQUOT);
	assert_int_equal(packed_run_error(r->run), -EDQUOT);
	assert_int_equal(length_of(DIR "/sda.btz"), length);
	assert_int_equal(packed_run_put(packed_run_member(r->run, "sda", 1)),
			 -EDQUOT);
	assert_int_equal(packed_run_end(r->run), -EDQUOT);
	check_records(DIR "/sda.btz", "sda.blktrace.0", 10 * (i - 1), false, 1);
}

static void test_not_built(void **state)
{
	const struct packed_run_options o = { .dir = NULL };
	struct packed_run *run;

	(void)state;
	assert_int_equal(packed_run_new(&run, &o), -EOPNOTSUPP);
}

int main(void)
{
	const struct CMUnitTest without[] = {
		cmocka_unit_test(test_not_built),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_run, enter, leave),
		cmocka_unit_test_setup_teardown(test_devices, enter, leave),
		cmocka_unit_test_setup_teardown(test_halves, enter, leave),
		cmocka_unit_test_setup_teardown(test_gather, enter, leave),
		cmocka_unit_test_setup_teardown(test_killed, enter, leave),
		cmocka_unit_test_setup_teardown(test_idle, enter, leave),
		cmocka_unit_test_setup_teardown(test_lost_power, enter, leave),
		cmocka_unit_test_setup_teardown(test_full, enter_small, leave),
	};

	return frame_built() ? cmocka_run_group_tests(tests, NULL, NULL) :
			       cmocka_run_group_tests(without, NULL, NULL);
}
