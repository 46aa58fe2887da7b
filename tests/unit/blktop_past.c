/* SPDX-License-Identifier: GPL-2.0-only */
/* blktop's last events: which are kept, in which order, with what is behind
 * them. */
#include "make.h"
#include "tools/blktop/past.h"

static void add(struct past *r, uint64_t time, const char *payload,
		size_t len)
{
	struct event ev = with_payload(EVENT(.time = time), payload, len);

	past_add(r, &ev);
}

static void test_order(void **state)
{
	struct past *r = past_new(2);
	struct past_place p = { .block = 0 };
	const struct event *ev;
	bool gap;

	(void)state;
	assert_non_null(r);
	assert_null(past_next(r, &p, &gap));
	assert_int_equal(past_from(r), UINT64_MAX);
	past_gap(r, 3, 8 << 20, true);
	add(r, 5, "abc", 3);
	past_gap(r, 3, 8 << 20, false);
	add(r, 6, "", 0);
	assert_int_equal(past_from(r), 5);

	ev = past_next(r, &p, &gap);
	assert_true(gap);
	assert_int_equal(ev->bytes, 1);
	assert_int_equal(ev->origin, 3);
	assert_int_equal(ev->device, 8 << 20);
	ev = past_next(r, &p, &gap);
	assert_false(gap);
	assert_int_equal(ev->time, 5);
	assert_memory_equal(ev->payload, "abc", 3);
	ev = past_next(r, &p, &gap);
	assert_true(gap);
	assert_int_equal(ev->bytes, 0);
	ev = past_next(r, &p, &gap);
	assert_int_equal(ev->time, 6);
	assert_int_equal(ev->pdu_len, 0);
	assert_null(past_next(r, &p, &gap));
	/* and on, when there is more */
	add(r, 7, "", 0);
	assert_int_equal(past_next(r, &p, &gap)->time, 7);

	past_clear(r);
	assert_int_equal(past_from(r), UINT64_MAX);
	past_free(r);
}

/* Blocks are bounded, whatever payloads there are: the newest events stay, in
 * order, without a hole. */
static void test_bounds(void **state)
{
	static const char payload[UINT16_MAX];
	struct past *r = past_new(3);
	struct past_place p = { .block = 0 };
	const struct event *ev;
	uint64_t time = 0, next;
	size_t bytes = 0;
	bool gap;

	(void)state;
	assert_non_null(r);
	while (time < 2000) {
		add(r, time, payload, time * 7919 % sizeof(payload));
		time++;
		assert_true(past_from(r) < time);
	}
	assert_true(past_dropped(r));
	for (next = past_from(r); (ev = past_next(r, &p, &gap)); next++) {
		assert_int_equal(ev->time, next);
		assert_int_equal(ev->pdu_len, next * 7919 % sizeof(payload));
		bytes += sizeof(*ev) + ev->pdu_len;
	}
	assert_int_equal(next, 2000);
	assert_true(bytes <= 3 * PAST_BLOCK);
	/* what is given up is one block, and what did not fit at its end */
	assert_true(bytes > (2 * PAST_BLOCK - 3 * sizeof(payload)));
	past_free(r);
	past_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
