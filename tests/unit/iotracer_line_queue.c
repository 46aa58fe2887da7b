/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines held until they can be put in order. */
#include "make.h"
#include "tools/iotracer/line.h"

static void put(struct line_queue *q, uint64_t time, uint32_t tid)
{
	struct bpf_line l = { .time = time, .tid = tid };

	assert_int_equal(line_queue_add(q, &l), 0);
}

static void taken(struct line_queue *q, uint64_t until, uint32_t tid)
{
	const struct bpf_line *l = line_queue_next(q, until);

	assert_non_null(l);
	assert_int_equal(l->tid, tid);
}

static void test_order(void **state)
{
	struct line_queue q;

	(void)state;
	line_queue_init(&q);
	assert_null(line_queue_next(&q, UINT64_MAX));
	put(&q, 30, 1);
	put(&q, 10, 2);
	put(&q, 20, 3);
	put(&q, 10, 4);
	assert_null(line_queue_next(&q, 9));
	taken(&q, 10, 2);
	taken(&q, 10, 4);	/* ties as they came */
	assert_null(line_queue_next(&q, 19));
	put(&q, 5, 5);		/* late: at once */
	taken(&q, 20, 5);
	taken(&q, UINT64_MAX, 3);
	taken(&q, UINT64_MAX, 1);
	assert_null(line_queue_next(&q, UINT64_MAX));
	line_queue_free(&q);
}

/* slots are used again, and there is a bound */
static void test_bound(void **state)
{
	struct line_queue q;

	(void)state;
	line_queue_init(&q);
	for (uint32_t i = 0; i < 3 * LINE_QUEUE_MAX; i++) {
		put(&q, 1000 + i, i);
		if (i < LINE_QUEUE_MAX)
			assert_null(line_queue_next(&q, 0));
		else
			taken(&q, 0, i - LINE_QUEUE_MAX);
	}
	assert_int_equal(q.lines.slots.used, LINE_QUEUE_MAX + 1);
	for (uint32_t i = 2 * LINE_QUEUE_MAX; i < 3 * LINE_QUEUE_MAX; i++)
		taken(&q, UINT64_MAX, i);
	line_queue_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
