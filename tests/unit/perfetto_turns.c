/* SPDX-License-Identifier: GPL-2.0-only */
/* Ios put back into the order in which they were born. */
#include "emit/perfetto/turns.h"

#include "make.h"

/* ids as they are handed out, "1 2 3 " */
struct order_seen {
	char text[256];
	size_t len;
};

static void take_all(struct turns *t, struct order_seen *seen)
{
	const struct turn *turn;

	while ((turn = turns_next(t)))
		seen->len += (size_t)snprintf(seen->text + seen->len,
					      sizeof(seen->text) - seen->len,
					      "%llu ",
					      (unsigned long long)turn->io.id);
}

static void come(struct turns *t, struct order_seen *seen, uint64_t id,
		 uint64_t parent)
{
	const struct io io = { .id = id, .parent = parent };

	turns_announce(t, id);
	take_all(t, seen);
	assert_non_null(turns_add(t, &io));
	take_all(t, seen);
}

static void leave_out(struct turns *t, struct order_seen *seen, uint64_t id)
{
	turns_announce(t, id);
	take_all(t, seen);
	turns_leave_out(t, id);
	take_all(t, seen);
}

static void test_order(void **state)
{
	struct order_seen seen = { .len = 0 };
	struct turns t;

	(void)state;
	assert_int_equal(turns_init(&t), 0);
	come(&t, &seen, 3, 0);
	come(&t, &seen, 2, 0);
	assert_string_equal(seen.text, "");
	come(&t, &seen, 1, 0);
	assert_string_equal(seen.text, "1 2 3 ");
	come(&t, &seen, 6, 0);
	leave_out(&t, &seen, 4);
	assert_string_equal(seen.text, "1 2 3 ");
	leave_out(&t, &seen, 5);
	assert_string_equal(seen.text, "1 2 3 6 ");
	/* 7 and 9 never come */
	come(&t, &seen, 10, 0);
	come(&t, &seen, 8, 0);
	turns_end(&t);
	take_all(&t, &seen);
	assert_string_equal(seen.text, "1 2 3 6 8 10 ");
	/* one slot was enough for most */
	assert_true(t.pool.used <= 3);
	turns_free(&t);
}

/* 1 comes when as many as there is room for have overtaken it, or one more */
static void test_late(void **state)
{
	(void)state;
	for (uint64_t more = 0; more < 2; more++) {
		struct order_seen seen = { .len = 0 };
		struct turns t;
		uint64_t last = TURNS_WINDOW + more;

		assert_int_equal(turns_init(&t), 0);
		come(&t, &seen, 2, 0);
		for (uint64_t id = 3; id <= last; id++)
			leave_out(&t, &seen, id);
		assert_string_equal(seen.text, more ? "2 " : "");
		come(&t, &seen, 1, 0);
		assert_string_equal(seen.text, more ? "2 1 " : "1 2 ");
		come(&t, &seen, last + 1, 0);
		assert_int_equal(t.count, 0);
		assert_int_equal(pool_count(&t.pool), 0);
		turns_free(&t);
	}
}

static void test_children(void **state)
{
	struct order_seen seen = { .len = 0 };
	const struct io parent = { .id = 1 };
	const struct turn *turn, *child;
	struct turns t;
	uint64_t sum = 0;

	(void)state;
	assert_int_equal(turns_init(&t), 0);
	come(&t, &seen, 4, 1);
	come(&t, &seen, 2, 1);
	come(&t, &seen, 3, 2);
	turns_announce(&t, 1);
	assert_null(turns_next(&t));
	assert_non_null(turns_add(&t, &parent));
	turn = turns_next(&t);
	assert_int_equal(turn->io.id, 1);
	assert_int_equal(turn->children, 2);
	for (child = turns_child(&t, turn->child); child;
	     child = turns_child(&t, child->sibling))
		sum += child->io.id;
	assert_int_equal(sum, 2 + 4);
	turn = turns_next(&t);
	assert_int_equal(turn->io.id, 2);
	child = turns_child(&t, turn->child);
	assert_int_equal(child->io.id, 3);
	assert_null(turns_child(&t, child->sibling));
	take_all(&t, &seen);
	assert_string_equal(seen.text, "3 4 ");
	/* whose parent is no more: nobody's */
	come(&t, &seen, 5, 1);
	assert_string_equal(seen.text, "3 4 5 ");
	turns_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
