/* SPDX-License-Identifier: GPL-2.0-only */
/* Kept events: copies that outlive their source, and can be moved. */
#include "make.h"
#include "record/kept.h"

/* payloads of all lengths around the bound, in a copy that has moved */
static void test_lengths(void **state)
{
	uint8_t bytes[2 * KEPT_NEAR];

	(void)state;
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		struct event in = EVENT(.sequence = 7, .cpu = 3), *out;
		struct kept first, moved;

		memset(bytes, 'a', sizeof(bytes));
		in = with_payload(in, bytes, len);
		assert_int_equal(event_keep(&first, &in), 0);
		memset(bytes, 'b', sizeof(bytes));
		moved = first;
		memset(&first, 0xff, sizeof(first));
		out = kept_event(&moved);
		assert_int_equal(out->sequence, 7);
		assert_int_equal(out->cpu, 3);
		assert_int_equal(out->pdu_len, len);
		for (size_t i = 0; i < len; i++)
			assert_int_equal(out->payload[i], 'a');
		assert_int_equal(kept_allocated(&moved),
				 len > KEPT_NEAR ? len : 0);
		kept_free(&moved);
		assert_int_equal(kept_allocated(&moved), 0);
		kept_free(&moved);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
