/* SPDX-License-Identifier: GPL-2.0-only */
/* Live order: payloads are kept as long as the events they belong to. */
#include "file/source.h"
#include "make.h"
#include "run/device.h"
#include "run/reorder.h"

/* a run of live order over bytes in memory */
struct rig {
	struct reorder *live;
	struct devices devices;
	struct diary diary;
};

static void rig_memory(struct rig *r, const struct bytes *in)
{
	struct reorder_options o = { .name = "memory" };
	struct source *src = NULL;

	r->devices = (struct devices){ 0 };
	diary_init(&r->diary);
	assert_int_equal(source_memory(&src, in->data, in->len), 0);
	r->live = reorder_new(src, &r->devices, &o, &r->diary.hooks);
	assert_non_null(r->live);
}

static void rig_free(struct rig *r)
{
	reorder_free(r->live);
	devices_free(&r->devices);
}

/* payloads of any length are kept with their events */
static void test_payloads(void **state)
{
	struct bytes *in = bytes_new();
	static uint8_t load[60000];
	struct event sent = EVENT(.action = NOTE(BLK_TN_MESSAGE)), *ev;
	struct rig r;

	(void)state;
	for (uint32_t n = 8; n > 0; n--) {
		memset(load, (int)n, sizeof(load));
		sent = with_payload(sent, load, n % 2 ? 20 + n : 59990 + n);
		sent.time = n;
		add_record(in, &sent);
	}
	rig_memory(&r, in);
	for (uint32_t n = 1; n <= 8; n++) {
		assert_int_equal(reorder_next(r.live, &ev), 1);
		memset(load, (int)n, sizeof(load));
		assert_int_equal(ev->pdu_len, n % 2 ? 20 + n : 59990 + n);
		assert_memory_equal(ev->payload, load, ev->pdu_len);
	}
	rig_free(&r);
	free(in);
}

/* what is still held, long payloads too, is freed with the run */
static void test_unread(void **state)
{
	struct bytes *in = bytes_new();
	struct event sent = EVENT(.action = NOTE(BLK_TN_MESSAGE)), *ev;
	struct rig r;

	(void)state;
	for (sent.time = 1; sent.time <= 9; sent.time++) {
		sent = with_payload(sent, "longer than a slot has room", 27);
		add_record(in, &sent);
	}
	rig_memory(&r, in);
	assert_int_equal(reorder_next(r.live, &ev), 1);
	rig_free(&r);
	reorder_free(NULL);
	free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_payloads),
		cmocka_unit_test(test_unread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
