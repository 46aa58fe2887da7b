/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of pack/frame's stream: bytes in pieces, out into any room. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pack/frame.h"

enum { LONG = 300000, PACKED = 400000 };

struct bytes_of {
	uint8_t plain[LONG];
	uint8_t packed[PACKED];
	size_t len;
};

/* two frames, one of which is much larger unpacked */
static struct bytes_of *make(void)
{
	struct bytes_of *b = calloc(1, sizeof(*b));
	struct frame_packer *f = frame_packer_new();
	const struct iovec parts[2] = { { b->plain, 1000 },
					{ b->plain + 1000, LONG - 1000 } };

	assert_true(b && f);
	for (size_t i = 0; i < LONG; i++)
		b->plain[i] = (uint8_t)(i * i >> 9);
	for (int i = 0; i < 2; i++) {
		ssize_t n = frame_pack(f, &parts[i], 1, b->packed + b->len,
				       PACKED - b->len);

		assert_true(n > 0);
		b->len += (size_t)n;
	}
	frame_packer_free(f);
	return b;
}

static void check(size_t piece, size_t room)
{
	struct bytes_of *b = make();
	struct frame_stream *f = frame_stream_new();
	uint8_t *out = malloc(LONG + room);
	size_t have = 0;

	assert_true(f && out);
	for (size_t at = 0; at < b->len; at += piece) {
		size_t len = piece < b->len - at ? piece : b->len - at;
		const uint8_t *p = b->packed + at;
		ssize_t n;

		do {
			n = frame_stream_unpack(f, &p, &len, out + have, room);
			assert_true(n >= 0 && (size_t)n <= room);
			have += (size_t)n;
			assert_true(have <= LONG);
		} while (n);
		assert_int_equal(len, 0);
	}
	assert_int_equal(have, LONG);
	assert_memory_equal(out, b->plain, LONG);
	free(out);
	frame_stream_free(f);
	free(b);
}

static void test_pieces(void **state)
{
	static const size_t pieces[] = { 1, 7, 4096, PACKED };
	static const size_t rooms[] = { 1, 100, 65536, LONG };

	(void)state;
	for (int i = 0; i < 4; i++)
		for (int k = i ? 0 : 1; k < 4; k++)
			check(pieces[i], rooms[k]);
}

static void test_damage(void **state)
{
	struct bytes_of *b = make();
	struct frame_stream *f = frame_stream_new();
	const uint8_t *p = b->packed + 5;
	size_t len = b->len - 5;
	uint8_t out[100];

	(void)state;
	assert_int_equal(frame_stream_unpack(f, &p, &len, out, sizeof(out)),
			 -EBADMSG);
	frame_stream_free(f);
	frame_stream_free(NULL);
	free(b);
}

/* a frame whose window is 2 GiB */
static void test_window(void **state)
{
	static const uint8_t huge[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3,
					0x01, 0x00, 0x00 };
	struct frame_stream *f = frame_stream_new();
	const uint8_t *p = huge;
	size_t len = sizeof(huge);
	uint8_t out[100];

	(void)state;
	assert_int_equal(frame_stream_unpack(f, &p, &len, out, sizeof(out)),
			 -EBADMSG);
	frame_stream_free(f);
}

static void test_left_out(void **state)
{
	(void)state;
	assert_null(frame_stream_new());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_window),
	};
	const struct CMUnitTest without[] = {
		cmocka_unit_test(test_left_out),
	};

	return frame_built() ? cmocka_run_group_tests(tests, NULL, NULL) :
			       cmocka_run_group_tests(without, NULL, NULL);
}
