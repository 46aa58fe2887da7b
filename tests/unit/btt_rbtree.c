/* SPDX-License-Identifier: GPL-2.0-only */
/* Red-black trees: the textbook's shapes, and their rules in the long run. */
#include "make.h"
#include "tools/btt/rbtree.h"

enum { COUNT = 600 };

struct rig {
	struct rb_node nodes[COUNT + 1];
	uint32_t root, used;
};

static uint32_t add(struct rig *r, uint64_t key)
{
	uint32_t last = RB_NONE;

	assert_int_equal(rb_search(r->nodes, r->root, key, &last), RB_NONE);
	r->nodes[++r->used].key = key;
	r->nodes[r->used].value = r->used;
	rb_insert(r->nodes, &r->root, r->used, last);
	return r->used;
}

static void take_out(struct rig *r, uint64_t key)
{
	uint32_t last, node = rb_search(r->nodes, r->root, key, &last);

	assert_int_not_equal(node, RB_NONE);
	rb_remove(r->nodes, &r->root, node);
}

/* "38(19r(12,31),41)": keys, r for red, what hangs below in brackets */
static void write_shape(const struct rig *r, uint32_t node, char *text,
			size_t size)
{
	const struct rb_node *n = &r->nodes[node];
	size_t len;

	if (!node)
		return;
	len = strlen(text);
	snprintf(text + len, size - len, "%llu%s",
		 (unsigned long long)n->key, n->red ? "r" : "");
	if (!n->child[RB_LEFT] && !n->child[RB_RIGHT])
		return;
	strcat(text, "(");
	write_shape(r, n->child[RB_LEFT], text, size);
	strcat(text, ",");
	write_shape(r, n->child[RB_RIGHT], text, size);
	strcat(text, ")");
}

static void check_shape(const struct rig *r, const char *shape)
{
	char text[256] = "";

	write_shape(r, r->root, text, sizeof(text));
	assert_string_equal(text, shape);
}

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct rig));
	return !*state;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

/* the book's exercise 13.3-2, after each step */
static void test_insert(void **state)
{
	static const struct { uint64_t key; const char *shape; } steps[] = {
		{ 41, "41" },
		{ 38, "41(38r,)" },
		{ 31, "38(31r,41r)" },
		{ 12, "38(31(12r,),41)" },
		{ 19, "38(19(12r,31r),41)" },
		{ 8, "38(19r(12(8r,),31),41)" },
	};
	struct rig *r = *state;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		add(r, steps[i].key);
		check_shape(r, steps[i].shape);
	}
}

/* and 13.4-3: out again, the least first */
static void test_remove(void **state)
{
	static const uint64_t keys[] = { 41, 38, 31, 12, 19, 8 };
	static const struct { uint64_t key; const char *shape; } steps[] = {
		{ 8, "38(19r(12,31),41)" },
		{ 12, "38(19(,31r),41)" },
		{ 19, "38(31,41)" },
		{ 31, "38(,41r)" },
		{ 38, "41" },
		{ 41, "" },
	};
	struct rig *r = *state;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		add(r, keys[i]);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		take_out(r, steps[i].key);
		check_shape(r, steps[i].shape);
	}
}

/* with two children the next in order takes the place, near or far */
static void test_remove_inside(void **state)
{
	struct rig *r = *state;

	for (uint64_t key = 1; key <= 10; key++)
		add(r, key * 10);
	check_shape(r, "40(20(10,30),60(50,80r(70,90(,100r))))");
	take_out(r, 40);
	check_shape(r, "50(20(10,30),80(60(,70r),90(,100r)))");
	take_out(r, 50);
	check_shape(r, "60(20(10,30),80(70,90(,100r)))");
}

/* the number of blacks on the way down, the same on all ways */
static int check_rules(const struct rig *r, uint32_t node, uint64_t low,
		       uint64_t high)
{
	const struct rb_node *n = &r->nodes[node];
	int left, right;

	if (!node)
		return 1;
	assert_true(low <= n->key && n->key < high);
	for (int side = 0; side < 2; side++) {
		if (!n->child[side])
			continue;
		assert_int_equal(r->nodes[n->child[side]].parent, node);
		assert_false(n->red && r->nodes[n->child[side]].red);
	}
	left = check_rules(r, n->child[RB_LEFT], low, n->key);
	right = check_rules(r, n->child[RB_RIGHT], n->key + 1, high);
	assert_int_equal(left, right);
	return left + !n->red;
}

/* hundreds of keys in and out by chance: the rules hold after each step */
static void test_rules(void **state)
{
	struct rig *r = *state;
	bool in[COUNT] = { false };
	uint64_t seed = 5;

	for (int i = 0; i < COUNT; i++)
		in[i] = add(r, (uint64_t)i * 7919 % COUNT) != RB_NONE;
	for (int step = 0; step < 4 * COUNT; step++) {
		uint32_t key = chance(&seed) % COUNT, last = RB_NONE, node;

		node = rb_search(r->nodes, r->root, key, &last);
		assert_int_equal(node != RB_NONE, in[key]);
		if (node) {
			rb_remove(r->nodes, &r->root, node);
		} else {
			/* its old number is free again */
			for (node = 1; r->nodes[node].key != key;)
				node++;
			rb_insert(r->nodes, &r->root, node, last);
		}
		in[key] = !in[key];
		assert_false(r->nodes[r->root].red);
		assert_int_equal(r->nodes[RB_NONE].parent, RB_NONE);
		check_rules(r, r->root, 0, COUNT);
	}
}

/* in order, and children first */
static void test_walks(void **state)
{
	struct rig *r = *state;
	char text[256] = "";

	assert_int_equal(rb_first(r->nodes, r->root), RB_NONE);
	assert_int_equal(rb_deepest(r->nodes, r->root), RB_NONE);
	for (uint64_t key = 1; key <= 10; key++)
		add(r, key);
	for (uint32_t n = rb_first(r->nodes, r->root); n;
	     n = rb_next(r->nodes, n))
		sprintf(text + strlen(text), "%d ", (int)r->nodes[n].key);
	assert_string_equal(text, "1 2 3 4 5 6 7 8 9 10 ");
	text[0] = '\0';
	for (uint32_t n = rb_deepest(r->nodes, r->root); n;
	     n = rb_upward(r->nodes, n))
		sprintf(text + strlen(text), "%d ", (int)r->nodes[n].key);
	assert_string_equal(text, "1 3 2 5 7 10 9 8 6 4 ");
}

static void test_is_below(void **state)
{
	struct rig *r = *state;
	uint32_t node[11];

	for (uint64_t key = 1; key <= 10; key++)
		node[key] = add(r, key);
	/* 4(2(1,3),6(5,8(7,9(,10)))) */
	assert_true(rb_is_below(r->nodes, node[10], node[8]));
	assert_true(rb_is_below(r->nodes, node[1], node[4]));
	assert_false(rb_is_below(r->nodes, node[5], node[8]));
	assert_false(rb_is_below(r->nodes, node[4], node[10]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_insert, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_remove, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_remove_inside, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_rules, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_walks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_is_below, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
