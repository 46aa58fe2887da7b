/* SPDX-License-Identifier: GPL-2.0-only */
/* The binary dump: records as they were shown, in the host's order. */
#include <errno.h>

#include "emit/dump.h"
#include "page.h"

/* ev, dumped as version (0: its own), is a record of that shape */
static void check(const struct event *ev, unsigned int version, int shape)
{
	const struct shape *s = shape_of(shape);
	uint8_t want[BLK_HEADER_MAX];
	struct page p;

	page_init(&p);
	make_header(s, false, ev, NULL, want);
	assert_int_equal(dump_event(&p.out, ev, version), 0);
	assert_int_equal(p.out.len, s->size + ev->pdu_len);
	assert_memory_equal(p.out.data, want, s->size);
	assert_memory_equal(p.out.data + s->size, ev->payload, ev->pdu_len);
	page_free(&p);
}

static struct event sample(unsigned int version)
{
	struct event ev = EVENT(.sequence = 7, .time = 5, .sector = 2048,
				.bytes = 4096, .pid = 100, .cpu = 3,
				.action = ACT(BLK_TA_ISSUE, CAT(WRITE)),
				.error = 9, .device = BLK_DEVICE(8, 0));

	ev.version = (uint8_t)version;
	return with_payload(ev, "the payload", 11);
}

/* each in its own version, those that are older than 7 as 7 */
static void test_own(void **state)
{
	struct event ev;

	(void)state;
	for (unsigned int version = 2; version <= 8; version++) {
		ev = sample(version);
		check(&ev, 0, version == 8 ? V8 : V7);
	}
}

/* in the version asked for; what came the other way round is turned */
static void test_asked(void **state)
{
	struct event ev = sample(7);

	(void)state;
	check(&ev, 8, V8);
	ev = sample(8);
	check(&ev, 7, V7);
	ev.swapped = true;
	check(&ev, 0, V8);
	ev.zone = 1;
	check(&ev, 8, V8);
}

/* version 7 cannot say everything that 8 can: then nothing is written */
static void test_no_room(void **state)
{
	struct event ev = sample(8);
	struct page p;

	(void)state;
	page_init(&p);
	ev.zone = 1;
	assert_int_equal(dump_event(&p.out, &ev, 7), -ERANGE);
	page_check(&p, "");
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
