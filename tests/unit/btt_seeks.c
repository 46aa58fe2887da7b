/* SPDX-License-Identifier: GPL-2.0-only */
/* Seeks: distances, and what is typical of them. */
#include "make.h"
#include "tools/btt/seeks.h"

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct seeks));
	return !*state;
}

static int tear_down(void **state)
{
	seeks_free(*state);
	free(*state);
	return 0;
}

/* requests that touch the last are no seek; back is from its start */
static void test_relative(void **state)
{
	struct seeks *s = *state;

	assert_int_equal(seeks_add(s, 100, 108, false, NULL), 100);
	assert_int_equal(seeks_add(s, 108, 116, false, NULL), 0);
	assert_int_equal(seeks_add(s, 104, 108, false, NULL), 0);
	assert_int_equal(seeks_add(s, 50, 60, false, NULL), -54);
	assert_int_equal(seeks_add(s, 40, 50, false, NULL), 0);
	assert_int_equal(seeks_add(s, 30, 70, false, NULL), -10);
	assert_int_equal(s->count, 6);
	assert_true(s->sum == 164);
}

static void test_absolute(void **state)
{
	struct seeks *s = *state;

	assert_int_equal(seeks_add(s, 100, 108, true, NULL), 100);
	assert_int_equal(seeks_add(s, 108, 116, true, NULL), 0);
	assert_int_equal(seeks_add(s, 108, 116, true, NULL), -8);
	assert_int_equal(seeks_add(s, 0, 8, true, NULL), -116);
}

/* so many requests of a distance: seeks to and fro, far from the start */
struct stretch {
	uint64_t distance;
	int times;
};

static void add_one(struct seeks *s, uint64_t distance, struct counting *c)
{
	s->start = s->end = 1 << 20;
	seeks_add(s, (1 << 20) + distance, (1 << 20) + distance, true, c);
}

static void add_times(struct seeks *s, uint64_t distance, int times)
{
	while (times--)
		add_one(s, distance, NULL);
}

/* no median at all, but what the original shows, of all up to so many */
static void check_median(struct seeks *s, const struct stretch *list,
			 int count, uint64_t median)
{
	for (int i = 0; i < count; i++)
		add_times(s, list[i].distance, list[i].times);
	seeks_end(s);
	assert_int_equal(s->median, median);
	seeks_free(s);
}

static void test_median(void **state)
{
	static const struct stretch list[] = {
		{ 70, 1 }, { 20, 1 }, { 20, 2 }, { 90, 1 }, { 90, 3 },
		{ 30, 1 }, { 40, 1 }, { 30, 7 },
	};
	struct seeks *s = *state;

	check_median(s, list, 0, 0);
	check_median(s, list, 1, 70);
	check_median(s, list, 2, 70);	/* half is 1: the one seen first */
	check_median(s, list, 3, 20);
	check_median(s, list, 4, 20);	/* the middle, the least, the largest */
	check_median(s, list, 5, 90);
	check_median(s, list, 7, 0);	/* of ten, none has been five times */
	check_median(s, list, 8, 30);	/* of 17, one has been eight times */
}

static void check_modes(struct seeks *s, uint32_t times, const uint64_t *want,
			uint32_t count)
{
	uint32_t mode = 0;

	seeks_end(s);
	assert_int_equal(s->modes.times, times);
	assert_int_equal(s->modes.count, count);
	for (uint32_t i = 0; i < count; i++) {
		mode = seeks_mode(s, mode);
		assert_int_equal(s->nodes[mode].key, want[i]);
	}
	assert_int_equal(seeks_mode(s, mode), 0);
}

static void add_ten(struct seeks *s)
{
	for (uint64_t d = 1; d <= 10; d++)
		add_times(s, d, 1);
}

/* listed as the tree is walked, children first */
static void test_modes(void **state)
{
	static const uint64_t all[] = { 1, 3, 2, 5, 7, 10, 9, 8, 6, 4 };
	static const uint64_t some[] = { 2, 9, 4 };
	struct seeks *s = *state;

	add_ten(s);
	check_modes(s, 1, all, 10);
	seeks_free(s);
	add_ten(s);
	add_times(s, 9, 1);
	add_times(s, 4, 1);
	add_times(s, 2, 1);
	check_modes(s, 2, some, 3);
	seeks_free(s);
	add_ten(s);
	add_times(s, 9, 1);
	check_modes(s, 2, &some[1], 1);
}

/* the same in the order of the distances, and which is listed before which */
static void test_modes_in_order(void **state)
{
	struct seeks *s = *state;
	uint32_t modes[11] = { 0 };

	add_ten(s);
	seeks_end(s);
	for (uint64_t d = 1; d <= 10; d++) {
		modes[d] = seeks_greater_mode(s, modes[d - 1]);
		assert_int_equal(s->nodes[modes[d]].key, d);
	}
	assert_int_equal(seeks_greater_mode(s, modes[10]), 0);
	assert_true(seeks_mode_before(s, modes[3], modes[2]));
	assert_false(seeks_mode_before(s, modes[5], modes[3]));
	assert_true(seeks_mode_before(s, modes[10], modes[4]));
}

/* --- beside a tree that grows with each request --------------------------- */

enum { MANY = 30000 };

struct grown {
	struct rb_node nodes[MANY + 1];
	uint32_t known, root;
};

static void grow(struct grown *g, uint64_t distance)
{
	uint32_t last = 0;
	uint32_t node = rb_search(g->nodes, g->root, distance, &last);

	if (!node) {
		node = ++g->known;
		g->nodes[node].key = distance;
		rb_insert(g->nodes, &g->root, node, last);
	}
	g->nodes[node].value++;
}

/* the same nodes, children first */
static void compare_trees(const struct seeks *s, const struct grown *g)
{
	uint32_t node = rb_deepest(s->nodes, s->root);
	uint32_t want = rb_deepest(g->nodes, g->root);

	assert_int_equal(s->known, g->known);
	for (; want; want = rb_upward(g->nodes, want)) {
		assert_int_equal(s->nodes[node].key, g->nodes[want].key);
		assert_int_equal(s->nodes[node].value, g->nodes[want].value);
		assert_int_equal(s->nodes[node].red, g->nodes[want].red);
		node = rb_upward(s->nodes, node);
	}
	assert_int_equal(node, 0);
}

/* so many requests of distances below bound, joined several times */
static void compare_random(struct seeks *s, int count, uint64_t bound,
			   struct counting *c)
{
	struct grown *g = calloc(1, sizeof(*g));
	uint64_t seed = bound;

	assert_non_null(g);
	/* two modes at least: else there is no tree */
	for (int i = 0; i < 2 * count; i++) {
		uint64_t distance = i < count ? bound + i % 2 : 0;

		seed = seed * 6364136223846793005 + 1442695040888963407;
		if (i >= count)
			distance = (seed >> 20) % bound;
		add_one(s, distance, c);
		grow(g, distance);
	}
	counting_end(c);
	seeks_end(s);
	compare_trees(s, g);
	seeks_free(s);
	free(g);
}

static void test_tree(void **state)
{
	compare_random(*state, 20, 5, NULL);
	compare_random(*state, 2000, 1 << 19, NULL);
	compare_random(*state, MANY / 2, 700, NULL);
	compare_random(*state, MANY / 2, 9000, NULL);
	compare_random(*state, MANY / 2, 1 << 19, NULL);
}

/* counted by a thread, in full parcels and in part of one */
static void test_counting(void **state)
{
	static const int counts[] = { 2, 30, 32, 34, 8192, MANY / 2 };
	struct counting *c;

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		assert_int_equal(counting_start(&c), 0);
		compare_random(*state, counts[i], 9000, c);
	}
	counting_end(NULL);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_relative), TEST(test_absolute), TEST(test_median),
		TEST(test_modes), TEST(test_modes_in_order), TEST(test_tree),
		TEST(test_counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
