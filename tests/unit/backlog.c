/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocks that wait for a server, in memory and in a file, against a list. */
#include <errno.h>

#include "base/random.h"
#include "capture/to/backlog.h"
#include "make.h"
#include "rounds.h"

enum { MEMORY = 4096, FILE_SIZE = 8192, BLOCK_MAX = 500, LIST = 1 << 14 };

/* what there is to know of each block */
struct item {
	struct backlog_block block;
	bool sent, dropped, released;
};

struct rig {
	struct backlog *b;
	struct item *list;	/* in order, never removed */
	size_t count;
	size_t released;	/* the first ones */
	size_t sent;		/* the first ones, by this connection */
};

static void rig_open(struct rig *r)
{
	const struct backlog_options o = { MEMORY, "/tmp", FILE_SIZE };

	*r = (struct rig){ .list = calloc(LIST, sizeof(*r->list)) };
	assert_non_null(r->list);
	assert_int_equal(backlog_new(&r->b, &o), 0);
}

static void rig_close(struct rig *r)
{
	backlog_free(r->b);
	free(r->list);
}

/* the bytes of the n-th block */
static uint8_t byte_of(size_t n, size_t i)
{
	return (uint8_t)(n * 31 + i * 7);
}

static bool add(struct rig *r, uint32_t len)
{
	struct item *item = &r->list[r->count];
	uint8_t bytes[BLOCK_MAX];

	assert_true(r->count < LIST);
	item->block = (struct backlog_block){ .lane = 3, .len = len,
					      .offset = r->count,
					      .records = 1 };
	for (size_t i = 0; i < len; i++)
		bytes[i] = byte_of(r->count, i);
	r->count++;
	return backlog_add(r->b, &item->block, bytes);
}

static void lose_connection(struct rig *r)
{
	backlog_rewind(r->b);
	backlog_begin(r->b);
	for (size_t i = r->released; i < r->sent; i++)
		r->list[i].sent = false;
	r->sent = r->released;
}

/* the next one; blocks that were passed over have been dropped */
static bool send_one(struct rig *r)
{
	struct backlog_block block;
	uint8_t bytes[BLOCK_MAX];
	int got = backlog_peek(r->b, &block);

	if (got == -EIO && backlog_is_torn(r->b)) {
		lose_connection(r);
		return true;
	}
	assert_true(got >= 0);
	if (!got)
		return false;
	assert_true(block.offset >= r->sent && block.offset < r->count);
	for (; r->sent < block.offset; r->sent++)
		r->list[r->sent].dropped = true;
	assert_memory_equal(&block, &r->list[r->sent].block, sizeof(block));
	assert_int_equal(backlog_send(r->b, &block, bytes), 0);
	for (size_t i = 0; i < block.len; i++)
		assert_int_equal(bytes[i], byte_of(r->sent, i));
	r->list[r->sent++].sent = true;
	return true;
}

/* the server has the oldest of those that were sent */
static bool release_one(struct rig *r)
{
	struct backlog_block block;
	int got = backlog_release(r->b, &block);

	if (got == -EIO && backlog_is_torn(r->b)) {
		lose_connection(r);
		return true;
	}
	assert_true(got >= 0);
	if (!got)
		return false;
	while (!r->list[r->released].sent)
		r->released++;
	assert_int_equal(block.offset, r->released);
	r->list[r->released++].released = true;
	return true;
}

/* --- tests ---------------------------------------------------------------- */

static void test_order(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	assert_false(send_one(&r));
	assert_false(release_one(&r));
	for (uint32_t i = 0; i < 20; i++)
		assert_false(add(&r, 100 + i));
	while (send_one(&r))
		;
	for (int i = 0; i < 5; i++)
		assert_true(release_one(&r));
	lose_connection(&r);
	assert_false(release_one(&r));
	while (send_one(&r))
		;
	while (release_one(&r))
		;
	assert_int_equal(r.released, 20);
	assert_int_equal(backlog_waiting(r.b), 0);
	rig_close(&r);
}

/* more than there is room for: the newest stay, whole */
static void test_full(void **state)
{
	struct rig r;
	bool dropped = false;
	size_t first;

	(void)state;
	rig_open(&r);
	for (int i = 0; i < 200; i++)
		dropped |= add(&r, 300);
	assert_true(dropped);
	assert_true(backlog_waiting(r.b) <= MEMORY + FILE_SIZE);
	assert_true(backlog_waiting(r.b) >= FILE_SIZE);
	assert_true(send_one(&r));
	first = r.sent - 1;
	while (send_one(&r))
		;
	while (release_one(&r))
		;
	assert_int_equal(r.released, 200);
	/* some 24 bytes more each */
	assert_in_range(200 - first, FILE_SIZE / 324, 2 * FILE_SIZE / 324);
	rig_close(&r);
}

/* what was sent and dropped may still be acknowledged, or is lost */
static void test_dropped_in_flight(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	for (int i = 0; i < 10; i++)
		add(&r, 300);
	for (int i = 0; i < 8; i++)
		send_one(&r);
	for (int i = 0; i < 100; i++)
		add(&r, 300);
	for (int i = 0; i < 4; i++)
		assert_true(release_one(&r));
	assert_int_equal(r.released, 4);
	lose_connection(&r);
	while (send_one(&r))
		;
	assert_true(r.list[4].dropped && r.list[9].dropped);
	assert_false(r.list[109].dropped);
	rig_close(&r);
}

/* whether all that the server may have is still known */
static void test_torn(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	for (int i = 0; i < 10; i++)
		add(&r, 300);
	for (int i = 0; i < 8; i++)
		send_one(&r);
	backlog_rewind(r.b);
	assert_false(backlog_begin(r.b));
	/* of those that were sent, some are dropped before they are sent again */
	for (int i = 0; i < 60; i++)
		add(&r, 300);
	assert_true(backlog_is_torn(r.b));
	assert_true(backlog_begin(r.b));
	assert_false(backlog_is_torn(r.b));
	/* none of these was sent */
	for (int i = 0; i < 60; i++)
		add(&r, 300);
	assert_false(backlog_is_torn(r.b));
	rig_close(&r);
}

/* without its file it keeps what is in memory */
static void test_no_file(void **state)
{
	struct backlog_block block;
	struct rig r;

	(void)state;
	rig_open(&r);
	for (int i = 0; i < 30; i++)
		add(&r, 300);
	send_one(&r);
	backlog_give_up_file(r.b);
	/* which block would be acknowledged is not known */
	assert_int_equal(backlog_peek(r.b, &block), -EIO);
	assert_int_equal(backlog_release(r.b, &block), -EIO);
	lose_connection(&r);
	while (send_one(&r))
		;
	assert_int_equal(r.sent, 30);
	assert_true(r.list[0].dropped && !r.list[29].dropped);
	for (int i = 0; i < 100; i++)
		add(&r, 300);
	assert_true(backlog_waiting(r.b) <= MEMORY);
	rig_close(&r);
}

static void step(struct rig *r, struct random *random)
{
	uint32_t what = random_below(random, 100);

	if (what < 50)
		add(r, 1 + random_below(random, BLOCK_MAX));
	else if (what < 75)
		send_one(r);
	else if (what < 98)
		release_one(r);
	else
		lose_connection(r);
}

/* in any order, each block comes once after each loss, or was dropped */
static void test_random(void **state)
{
	struct random random;

	(void)state;
	for (int round = 0; round < rounds(50); round++) {
		struct rig r;

		random_init(&random, (uint64_t)round);
		rig_open(&r);
		for (int i = 0; i < 3000; i++)
			step(&r, &random);
		while (send_one(&r))
			;
		while (release_one(&r))
			;
		assert_int_equal(backlog_waiting(r.b), 0);
		for (size_t i = 0; i < r.count; i++)
			assert_true(r.list[i].released || r.list[i].dropped);
		rig_close(&r);
	}
}

static void test_bad_directory(void **state)
{
	const struct backlog_options o = { MEMORY, "/nonexistent", FILE_SIZE };
	const struct backlog_options large = { MEMORY, "/tmp",
					       UINT64_C(1) << 60 };
	struct backlog *b;

	(void)state;
	assert_int_equal(backlog_new(&b, &o), -ENOENT);
	assert_true(backlog_new(&b, &large) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_dropped_in_flight),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_bad_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
