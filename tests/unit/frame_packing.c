/* SPDX-License-Identifier: GPL-2.0-only */
/* What a client packs is what a server unpacks, if it is packed at all. */
#include "make.h"

#include "capture/to/frame_packing.h"
#include "net.h"
#include "pack/frame.h"
#include "pack/unpacker.h"
#include "server/packed_frame.h"

/* the packed bytes; 0: it stays plain */
static size_t pack(struct frame_packing *p, const struct bytes *b)
{
	struct unpacker *u = unpacker_new();
	uint8_t *packed = malloc(b->len + 1), *out = malloc(b->len + 1);
	const char *why = "";
	size_t n = frame_packing_pack(p, b->data, b->len, packed);

	assert_true(n < b->len);
	if (n) {
		assert_true(b->len / FRAME_PACKED_RATIO <= n);
		assert_int_equal(packed_frame_read(u, packed, n, out, b->len,
						   &why), 0);
		assert_memory_equal(out, b->data, b->len);
	}
	unpacker_free(u);
	free(packed);
	free(out);
	return n;
}

static void test_blocks(void **state)
{
	struct frame_packing *p = frame_packing_new();
	struct bytes *b = bytes_new();
	uint64_t seed = 7;

	(void)state;
	for (uint32_t n = 1; n < 6000; n += 1 + n / 3) {
		b->len = 0;
		for (uint32_t i = 0; i < n; i++)
			add_record(b, &EVENT(.sequence = i,
					     .time = i * 1000 + chance(&seed),
					     .sector = chance(&seed) % 65536,
					     .pid = chance(&seed) % 9));
		if (n > 100)
			assert_true(pack(p, b) < b->len / 3);
		else
			pack(p, b);
	}
	frame_packing_free(p);
	free(b);
}

/* a single record, what no packer makes shorter, and what becomes so short that
 * a server would refuse it */
static void test_plain(void **state)
{
	struct frame_packing *p = frame_packing_new();
	struct bytes *b = bytes_new();
	uint64_t seed = 7;

	(void)state;
	add_simple(b, 1);
	assert_int_equal(pack(p, b), 0);
	for (uint32_t i = 0; i < 100000; i++)
		add_bytes(b, &(uint8_t){ (uint8_t)(chance(&seed) >> 8) }, 1);
	assert_int_equal(pack(p, b), 0);
	b->len = 0;
	add_zeros(b, 1 << 18);
	assert_int_equal(pack(p, b), 0);
	frame_packing_free(p);
	free(b);
}

static void test_not_built(void **state)
{
	(void)state;
	assert_null(frame_packing_new());
}

int main(void)
{
	const struct CMUnitTest without[] = {
		cmocka_unit_test(test_not_built),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks), cmocka_unit_test(test_plain),
	};

	return frame_built() ? cmocka_run_group_tests(tests, NULL, NULL) :
			       cmocka_run_group_tests(without, NULL, NULL);
}
