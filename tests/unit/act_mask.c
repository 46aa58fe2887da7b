/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of categories, as users write them. */
#include <ctype.h>

#include "act_mask.h"
#include "make.h"

static const char *const known[] = {
	"READ", "WRITE", "FLUSH", "SYNC", "QUEUE", "REQUEUE", "ISSUE",
	"COMPLETE", "FS", "PC", "NOTIFY", "AHEAD", "META", "DISCARD",
	"DRV_DATA", "FUA", "ZONE_APPEND", "ZONE_RESET", "ZONE_RESET_ALL",
	"ZONE_FINISH", "ZONE_OPEN", "ZONE_CLOSE", "WRITE_ZEROES",
};

enum { KNOWN = sizeof(known) / sizeof(*known) };

/* the bit of every name is its place in the kernel's list */
static void test_bits(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < KNOWN; i++)
		assert_int_equal(act_mask_bit(known[i]), 1u << i);
}

/* numbers lead back to the names, and to nothing behind the last */
static void test_names(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < KNOWN; i++)
		assert_string_equal(act_mask_name(i), known[i]);
	assert_null(act_mask_name(KNOWN));
	assert_null(act_mask_name(UINT32_MAX));
}

/* the prefix may be there, and the case is nobody's business */
static void test_spelling(void **state)
{
	char text[64];

	(void)state;
	for (unsigned int i = 0; i < KNOWN; i++) {
		snprintf(text, sizeof(text), "blk_TC_%s", known[i]);
		for (size_t k = 0; text[k]; k++)
			if (k % 2)
				text[k] = (char)tolower(text[k]);
		assert_int_equal(act_mask_bit(text), 1u << i);
		assert_int_equal(act_mask_bit(text + 7), 1u << i);
	}
}

/* what is not a whole name is unknown, as is the name FLUSH once had */
static void test_unknown(void **state)
{
	static const char *const wrong[] = {
		"", "BLK_TC_", "BLK_TC_BLK_TC_READ", "REA", "READS", " READ",
		"READ ", "BARRIER", "ZONE", "BLK_TA_QUEUE", "1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(act_mask_bit(wrong[i]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_spelling),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
