/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting records whose bytes come in pieces of any size. */
#include "make.h"
#include "server/walk.h"

/* walks bytes, step at a time */
static struct walk walk(const struct bytes *b, size_t step)
{
	struct walk w = { .events = 0 };

	for (size_t at = 0; at < b->len; at += step)
		walk_add(&w, b->data + at,
			   b->len - at < step ? b->len - at : step);
	return w;
}

static void check(const struct bytes *b, uint64_t events, uint64_t whole,
		  bool lost)
{
	static const size_t steps[] = { 1, 2, 3, 5, 47, 48, 49, 64, 1000,
					1 << 20 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct walk w = walk(b, steps[i]);

		assert_int_equal(w.events, events);
		assert_int_equal(w.whole, whole);
		assert_int_equal(w.bytes, b->len);
		assert_int_equal(w.lost, lost);
		assert_int_equal(walk_tail(&w), lost ? 0 : b->len - whole);
	}
}

/* both versions, both byte orders, with payloads and without */
static void add_all_kinds(struct bytes *b)
{
	static const char payload[300];
	struct event ev = EVENT(.sequence = 1);

	for (int swapped = 0; swapped < 2; swapped++)
		for (size_t len = 0; len <= sizeof(payload); len += 100) {
			ev = with_payload(ev, payload, len);
			add_shaped(b, V7, swapped, &ev, NULL);
			add_shaped(b, V8, swapped, &ev, NULL);
		}
}

static void test_pieces(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	check(b, 0, 0, false);
	add_all_kinds(b);
	check(b, 16, b->len, false);
	free(b);
}

/* wherever it is cut, only whole records count */
static void test_cuts(void **state)
{
	struct event ev = with_payload(EVENT(.sequence = 1), "payload", 7);
	struct bytes *b = bytes_new();
	size_t whole;

	(void)state;
	add_record(b, &ev);
	whole = b->len;
	add_record(b, &ev);
	for (b->len--; b->len > whole; b->len--)
		check(b, 1, whole, false);
	for (; b->len > 0; b->len--)
		check(b, b->len == whole, b->len == whole ? whole : 0, false);
	free(b);
}

/* what is no trace is neither counted nor cut */
static void test_foreign(void **state)
{
	struct bytes *b = bytes_new();

	(void)state;
	add_simple(b, 1);
	add_zeros(b, 100);
	add_simple(b, 2);
	check(b, 1, 48, true);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
