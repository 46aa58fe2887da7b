/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests under way: which an event reaches, and in which order. */
#include "make.h"
#include "tools/btt/requests.h"

struct rig {
	struct requests r;
	uint32_t root, other;	/* of two devices */
};

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct rig));
	return !*state;
}

static int tear_down(void **state)
{
	requests_free(&((struct rig *)*state)->r);
	free(*state);
	return 0;
}

static void open_at(struct rig *rig, uint64_t sector, uint32_t blocks)
{
	requests_open(&rig->r, &rig->root, sector, blocks)->queued = sector;
}

/* the sectors of those within, in the order of being found */
static void check_within(struct rig *rig, uint64_t sector, uint64_t end,
			 const char *want)
{
	struct requests *r = &rig->r;
	char text[256] = "";

	requests_within(r, &rig->root, sector, end);
	for (uint32_t i = 0; i < r->found_count; i++)
		sprintf(text + strlen(text), "%d ",
			(int)r->list[r->found[i]].sector);
	assert_string_equal(text, want);
}

static void close_within(struct rig *rig, uint64_t sector, uint64_t end)
{
	struct requests *r = &rig->r;

	requests_within(r, &rig->root, sector, end);
	for (uint32_t i = 0; i < r->found_count; i++)
		requests_close(r, &rig->root, r->found[i]);
}

/* by its first sector, on its device only, as long as it is under way */
static void test_find(void **state)
{
	struct rig *rig = *state;
	struct requests *r = &rig->r;

	assert_null(requests_find(r, &rig->root, 8));
	open_at(rig, 8, 8);
	assert_int_equal(requests_find(r, &rig->root, 8)->blocks, 8);
	assert_null(requests_find(r, &rig->root, 9));
	assert_null(requests_find(r, &rig->other, 8));
	/* one that is looked for in the same place */
	open_at(rig, 8 + 8 * REQUESTS_RECENT, 4);
	assert_int_equal(requests_find(r, &rig->root, 8)->blocks, 8);
	close_within(rig, 8, 16);
	assert_null(requests_find(r, &rig->root, 8));
}

/* times unset, whatever was there before */
static void test_replace(void **state)
{
	struct rig *rig = *state;
	struct request *it;

	open_at(rig, 8, 8);
	requests_find(&rig->r, &rig->root, 8)->issued = 5;
	open_at(rig, 8, 16);
	it = requests_find(&rig->r, &rig->root, 8);
	assert_int_equal(it->issued, NEVER);
	check_within(rig, 8, 16, "");
	check_within(rig, 8, 24, "8 ");
	close_within(rig, 8, 24);
	assert_int_equal(rig->root, 0);
}

/* only what lies in the range wholly; nodes before their branches */
static void test_within(void **state)
{
	struct rig *rig = *state;

	for (uint64_t i = 1; i <= 10; i++)
		open_at(rig, 10 * i, 10);
	check_within(rig, 0, 1000, "40 20 10 30 60 50 80 70 90 100 ");
	check_within(rig, 25, 65, "40 30 50 ");
	check_within(rig, 30, 40, "30 ");
	check_within(rig, 30, 39, "");
}

/* one that reaches beyond the end hides what is on its right */
static void test_hidden(void **state)
{
	struct rig *rig = *state;

	open_at(rig, 10, 100);
	open_at(rig, 20, 5);
	check_within(rig, 10, 60, "");
	check_within(rig, 5, 60, "");
	check_within(rig, 20, 60, "20 ");
	check_within(rig, 10, 110, "10 ");
	check_within(rig, 10, 200, "10 20 ");
}

static void test_oldest_issue(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(requests_oldest_issue(&rig->r), NEVER);
	for (uint64_t i = 1; i <= 3; i++) {
		open_at(rig, 10 * i, 10);
		requests_find(&rig->r, &rig->root, 10 * i)->issued = i;
	}
	assert_int_equal(requests_oldest_issue(&rig->r), 1);
	close_within(rig, 10, 20);
	assert_int_equal(requests_oldest_issue(&rig->r), 2);
}

/* numbers are used again: a long run needs no more than were open at once */
static void test_reuse(void **state)
{
	struct rig *rig = *state;
	uint64_t seed = 3;

	for (int i = 0; i < 20000; i++) {
		uint64_t sector = chance(&seed) % 64 * 8;

		if (requests_find(&rig->r, &rig->root, sector))
			close_within(rig, sector, sector + 8);
		else
			open_at(rig, sector, 8);
	}
	assert_true(rig->r.used <= 64);
}

/* in this order, with all that is recent, or without */
static void check_forgotten(struct rig *rig, uint64_t sector, uint64_t end)
{
	struct requests *r = &rig->r;
	uint32_t recent[REQUESTS_RECENT], found[256];
	uint32_t count;

	requests_within(r, &rig->root, sector, end);
	count = r->found_count;
	assert_true(count <= 256);
	if (count)
		memcpy(found, r->found, count * sizeof(*found));
	memcpy(recent, r->recent, sizeof(recent));
	memset(r->recent, 0, sizeof(r->recent));
	requests_within(r, &rig->root, sector, end);
	memcpy(r->recent, recent, sizeof(recent));
	assert_int_equal(r->found_count, count);
	if (count)
		assert_memory_equal(r->found, found, count * sizeof(*found));
}

/* A recent request is found without a descent, and hides what it would have hidden.
 * They overlap, leave and come again. */
static void test_recent(void **state)
{
	struct rig *rig = *state;
	uint64_t seed = 5;

	for (int i = 0; i < 20000; i++) {
		uint64_t sector = chance(&seed) % 200 * 8;
		uint64_t end = sector + chance(&seed) % 5 * 8;

		if (chance(&seed) % 3)
			open_at(rig, sector, (uint32_t)(end - sector));
		check_forgotten(rig, sector, end);
		check_forgotten(rig, sector, sector + 400);
		if (chance(&seed) % 2)
			close_within(rig, sector, end);
	}
	check_forgotten(rig, 8, 0);
	check_forgotten(rig, UINT64_MAX - 8, 8);
	assert_true(rig->root != 0);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_find), TEST(test_replace), TEST(test_within),
		TEST(test_hidden), TEST(test_oldest_issue), TEST(test_reuse),
		TEST(test_recent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
