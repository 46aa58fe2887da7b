/* Lines held until they can be put in order. */
#include "make.h"
#include "tools/iotracer/hold.h"

static void put(struct hold *h, uint64_t time, uint32_t tid)
{
	struct bpf_line l = { .time = time, .tid = tid };

	assert_int_equal(hold_put(h, &l), 0);
}

static void taken(struct hold *h, uint64_t until, uint32_t tid)
{
	const struct bpf_line *l = hold_take(h, until);

	assert_non_null(l);
	assert_int_equal(l->tid, tid);
}

static void test_order(void **state)
{
	struct hold h = { 0 };

	(void)state;
	assert_null(hold_take(&h, UINT64_MAX));
	put(&h, 30, 1);
	put(&h, 10, 2);
	put(&h, 20, 3);
	put(&h, 10, 4);
	assert_null(hold_take(&h, 9));
	taken(&h, 10, 2);
	taken(&h, 10, 4);	/* ties as they came */
	assert_null(hold_take(&h, 19));
	put(&h, 5, 5);		/* late: at once */
	taken(&h, 20, 5);
	taken(&h, UINT64_MAX, 3);
	taken(&h, UINT64_MAX, 1);
	assert_null(hold_take(&h, UINT64_MAX));
	hold_free(&h);
}

/* places are used again, and there is a bound */
static void test_bound(void **state)
{
	struct hold h = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 3 * HOLD_LINES; i++) {
		put(&h, 1000 + i, i);
		if (i < HOLD_LINES)
			assert_null(hold_take(&h, 0));
		else
			taken(&h, 0, i - HOLD_LINES);
	}
	assert_int_equal(h.size, 2 * HOLD_LINES);
	for (uint32_t i = 2 * HOLD_LINES; i < 3 * HOLD_LINES; i++)
		taken(&h, UINT64_MAX, i);
	hold_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
