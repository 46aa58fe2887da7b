/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records out of a CPU's ring: numbers, names, errors and order.  The ring is
 * a make-believe one here; what the kernel puts into it: tests/live.
 */
#include <errno.h>

#include "bpf/layout.h"
#include "bpf/ring.h"
#include "capture/from/bpf_cpu.h"
#include "capture/tap.h"
#include "make.h"

enum { CPU = 3, SDA = 8 << 20, SDB = 8 << 20 | 16, FOREIGN = 9 << 20 };

/* --- the make-believe ring --------------------------------------------- */

struct bpf_ring {
	struct bpf_record list[2048];
	unsigned int count;
	size_t cut;		/* bytes that each lacks at its end */
};

static struct bpf_ring ring;

int bpf_ring_open(struct bpf_ring **r, struct bpf *b, uint32_t cpu,
		  size_t bytes)
{
	(void)b;
	(void)bytes;
	assert_int_equal(cpu, CPU);
	memset(&ring, 0, sizeof(ring));
	*r = &ring;
	return 0;
}

int bpf_ring_fd(const struct bpf_ring *r)
{
	(void)r;
	return 77;
}

int bpf_ring_drain(struct bpf_ring *r, bpf_ring_take *take, void *ctx)
{
	int taken = 0, err = 0;

	for (; !err && taken < (int)r->count; taken++)
		err = take(ctx, &r->list[taken], sizeof(*r->list) - r->cut);
	r->count = 0;
	return err ? err : taken;
}

void bpf_ring_close(struct bpf_ring *r)
{
	assert_ptr_equal(r, &ring);
}

size_t bpf_ring_size(unsigned int cpus)
{
	return cpus;
}

/* --- records in and out ------------------------------------------------ */

static struct bpf_record *put(uint64_t time, uint32_t device, uint32_t pid)
{
	struct bpf_record *r = &ring.list[ring.count++];

	*r = (struct bpf_record){
		.magic = BLK_MAGIC | 7, .time = time, .sector = time * 8,
		.action = ACT(BLK_TA_QUEUE, CAT(QUEUE)), .pid = pid,
		.device = device, .cpu = CPU, .comm = "dd",
	};
	return r;
}

/* what was delivered: all of it, a device behind the other */
struct got {
	uint8_t bytes[4][1 << 18];
	size_t len[4];
	unsigned int events[4];
};

static int deliver(void *ctx, unsigned int device, const void *records,
		   size_t len, const struct tap_sums *sums)
{
	struct got *g = ctx;

	memcpy(g->bytes[device] + g->len[device], records, len);
	g->len[device] += len;
	g->events[device] += sums->records;
	return 0;
}

/* the n-th record of a device, and its payload */
static struct event event_at(const struct got *g, unsigned int device,
			     unsigned int n)
{
	const uint8_t *p = g->bytes[device];
	struct event ev;

	for (;;) {
		assert_in_range(p - g->bytes[device], 0, g->len[device] - 1);
		memcpy(&ev, p, BLK_HEADER_7);
		ev.payload = p + BLK_HEADER_7;
		if (!n--)
			return ev;
		p = ev.payload + ev.pdu_len;
	}
}

static struct tap *open_tap(bool all_to_first, bool stamps)
{
	static const uint32_t devices[] = { SDA, SDB };
	const struct bpf_cpu_plan plan = {
		.cpu = CPU, .ring = 65536, .devices = devices, .count = 2,
		.all_to_first = all_to_first, .stamps = stamps,
	};
	struct tap *t = NULL;

	assert_int_equal(bpf_cpu_open(&t, &plan), 0);
	return t;
}

static struct got *drain(struct tap *t)
{
	struct got *g = calloc(1, sizeof(*g));

	assert_non_null(g);
	assert_int_equal(t->ops->drain(t, deliver, g), 1);
	return g;
}

/* --- the tests --------------------------------------------------------- */

static void test_numbers(void **state)
{
	struct tap *t = open_tap(false, false);
	struct pollfd fd;
	struct got *g;

	(void)state;
	assert_int_equal(t->ops->drain(t, deliver, NULL), 0);
	assert_int_equal(t->ops->fds(t, &fd, 1), 1);
	assert_int_equal(fd.fd, 77);
	put(1, SDA, 5);
	put(2, SDB, 5);
	put(3, FOREIGN, 5);
	put(4, SDA, 5);
	g = drain(t);
	/* each device has the name first, then its own numbers from 1 */
	assert_int_equal(g->events[0], 3);
	assert_int_equal(g->events[1], 2);
	assert_int_equal(event_at(g, 0, 0).action, NOTE(BLK_TN_PROCESS));
	assert_string_equal((const char *)event_at(g, 0, 0).payload, "dd");
	assert_int_equal(event_at(g, 0, 0).sequence, 0);
	assert_int_equal(event_at(g, 0, 1).sequence, 1);
	assert_int_equal(event_at(g, 0, 2).sequence, 2);
	assert_int_equal(event_at(g, 1, 1).sequence, 1);
	assert_int_equal(event_at(g, 1, 1).device, SDB);
	free(g);
	/* a name is told once */
	put(5, SDA, 5);
	g = drain(t);
	assert_int_equal(g->events[0], 1);
	assert_int_equal(event_at(g, 0, 0).sequence, 3);
	free(g);
	t->ops->close(t);
}

/* what an interrupt has put in front of a record that had been begun */
static void test_order(void **state)
{
	struct tap *t = open_tap(false, false);
	struct got *g;

	(void)state;
	put(10, SDA, 1);
	put(30, SDA, 1);
	put(20, SDA, 1);
	put(40, SDA, 1);
	g = drain(t);
	for (unsigned int i = 1; i <= 4; i++) {
		assert_int_equal(event_at(g, 0, i).time, 10 * i);
		assert_int_equal(event_at(g, 0, i).sequence, i);
	}
	free(g);
	t->ops->close(t);
}

static void test_many(void **state)
{
	struct tap *t = open_tap(false, false);
	struct got *g;

	(void)state;
	for (uint32_t i = 0; i < 2000; i++)
		put(i + 1, SDA, i % 700)->pdu_len = 16;
	g = drain(t);
	assert_int_equal(g->events[0], 2000 + 700);
	assert_int_equal(event_at(g, 0, 2699).sequence, 2000);
	assert_int_equal(g->len[0], 2000 * (48 + 16) + 700 * (48 + 16));
	free(g);
	t->ops->close(t);
}

static void test_errors(void **state)
{
	struct tap *t = open_tap(false, false);
	struct got *g;

	(void)state;
	put(1, SDA, 1);
	put(2, SDA, 1)->error = 7;
	put(3, SDA, 1)->error = 10;
	put(4, SDA, 1)->error = 999;
	put(5, SDA, 1)->pdu_len = 17;	/* more than there is room for */
	g = drain(t);
	assert_int_equal(g->events[0], 5);
	assert_int_equal((int16_t)event_at(g, 0, 1).error, 0);
	assert_int_equal((int16_t)event_at(g, 0, 2).error, -ENODATA);
	assert_int_equal((int16_t)event_at(g, 0, 3).error, -EIO);
	assert_int_equal((int16_t)event_at(g, 0, 4).error, -EIO);
	free(g);
	ring.cut = 1;
	put(6, SDA, 1);
	assert_int_equal(t->ops->drain(t, deliver, NULL), -EBADMSG);
	t->ops->close(t);
}

static void test_all_to_first(void **state)
{
	struct tap *t = open_tap(true, true);
	struct got *g;

	(void)state;
	put(1, FOREIGN, 1);
	put(2, SDA, 1);
	g = drain(t);
	assert_int_equal(event_at(g, 0, 0).action, NOTE(BLK_TN_TIMESTAMP));
	assert_int_equal(event_at(g, 1, 0).action, NOTE(BLK_TN_TIMESTAMP));
	assert_int_equal(event_at(g, 0, 0).pdu_len, 8);
	assert_int_equal(event_at(g, 0, 2).device, FOREIGN);
	assert_int_equal(event_at(g, 0, 2).sequence, 1);
	assert_int_equal(event_at(g, 0, 3).sequence, 2);
	free(g);
	t->ops->close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_all_to_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
