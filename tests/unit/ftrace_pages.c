/* SPDX-License-Identifier: GPL-2.0-only */
/* Events out of the ring buffer's pages, on a make-believe tracefs. */
#include <errno.h>

#include "recorded_page.h"
#include "ring_page.h"
#include "tapped.h"

#define RAW "per_cpu/cpu0/trace_pipe_raw"
#define STATS "per_cpu/cpu0/stats"

static int pages_enter(void **state)
{
	int err = tracefs_enter(state);

	put_texts(".");
	put(RAW, "");
	return err;
}

#define IN_PAGES(f) \
	cmocka_unit_test_setup_teardown(f, pages_enter, scratch_leave)

/* --- pages --------------------------------------------------------------- */

/* as the blk tracer leaves it: its first 16 bytes are the entry's, and noise */
static void page_shaped(struct ring_page *p, int shape, const struct event *ev)
{
	const struct shape *s = shape_of(shape);
	uint8_t raw[BLK_HEADER_MAX + 256];

	make_header(s, false, ev, NULL, raw);
	memset(raw, 0xa5, 16);
	store(raw, BLK_TYPE, 2, false);
	memcpy(raw + s->size, ev->payload, ev->pdu_len);
	page_entry(p, 1, raw, s->size + (size_t)ev->pdu_len);
}

static void page_event(struct ring_page *p, uint32_t device, uint32_t pid)
{
	page_shaped(p, V7, &EVENT(.device = device, .pid = pid,
				  .action = ACT(BLK_TA_QUEUE, CAT(WRITE))));
}

static void run_page(struct run *r, const struct ring_page *p,
		     const char *story)
{
	add_bytes(r->bytes, p->bytes, sizeof(p->bytes));
	check_run(r, story);
}

/* --- what comes out ------------------------------------------------------ */

/* apart by device, numbered by device, named by device; over several pages */
static void test_split(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	page_start(&p, 5);
	page_event(&p, DISK, 12);
	page_event(&p, PART, 7);
	page_event(&p, FOREIGN, 12);
	page_event(&p, DISK, 7);
	page_event(&p, DISK, 12);
	run_page(&r, &p, " a12:dd a1 a7:a name a2 a3 b7:a name b1");
	page_start(&p, 9);
	page_event(&p, PART, 7);
	page_event(&p, PART, 12);
	add_bytes(r.bytes, p.bytes, sizeof(p.bytes));
	run_page(&r, &p, " b2 b12:dd b3 b4 b5");
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	run_end(&r);
}

/* payloads of all lengths keep theirs; messages have no number */
static void test_payload(void **state)
{
	struct event ev = EVENT(.device = DISK, .pid = 12,
				.action = NOTE(BLK_TN_MESSAGE));
	char text[64] = "0123456789";
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	page_start(&p, 5);
	for (size_t len = 0; len <= 9; len++) {
		ev = with_payload(ev, text, len);
		page_shaped(&p, V7, &ev);
	}
	ev = with_payload(ev, text, sizeof(text));
	ev.action = ACT(BLK_TA_QUEUE, CAT(WRITE));
	page_shaped(&p, V7, &ev);
	run_page(&r, &p, " a! a! a! a! a! a! a! a! a! a! a12:dd a1");
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	run_end(&r);
}

/* a hole for what was lost, with the device that speaks next */
static void test_lost(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	page_start(&p, 5);
	page_event(&p, FOREIGN, 12);
	page_event(&p, PART, 12);
	page_event(&p, DISK, 12);
	page_lost(&p, 6);
	run_page(&r, &p, " a12:dd a1 b12:dd b7");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 0);
	assert_int_equal(ftrace_lost(r.ftrace, 1), 6);
	run_end(&r);
}

/*
 * Where a page had no room for the number the counters have it, and more than
 * that if they have gone on: in the end it is theirs.
 */
static void test_lost_some(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	put(STATS, "overrun: 10\n");
	page_start(&p, 5);
	page_event(&p, DISK, 12);
	page_lost(&p, 4);
	run_page(&r, &p, " a12:dd a5");
	/* 5 before this page, and one since */
	page_lost(&p, 0);
	run_page(&r, &p, " a12");
	put(STATS, "overrun: 13\n");
	page_lost(&p, 4);
	run_page(&r, &p, " a16");
	page_lost(&p, 4);
	run_page(&r, &p, " a17");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 13);
	run_end(&r);
}

/* kernels without counters leave it at one event, as it was not none */
static void test_lost_unknown(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	assert_int_equal(remove(STATS), 0);
	page_start(&p, 5);
	page_event(&p, DISK, 12);
	page_lost(&p, 0);
	run_page(&r, &p, " a12:dd a2");
	run_end(&r);
}

/* later kernels' records become version 7's, but for what that has not */
static void test_version_8(void **state)
{
	struct event ev = EVENT(.device = PART, .pid = 7, .sector = 123,
				.action = ACT(BLK_TA_QUEUE, CAT(WRITE)));
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	page_start(&p, 5);
	page_shaped(&p, V8, &ev);
	ev.zone = 2;
	page_shaped(&p, V8, &ev);
	ev.zone = 0;
	ev = with_payload(ev, "payload", 7);
	page_shaped(&p, V8, &ev);
	ev.device = FOREIGN;
	page_shaped(&p, V8, &ev);
	run_page(&r, &p, " b7:a name b1 b2");
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	run_end(&r);
}

/* others' entries are passed over; the tracer's that are no records, counted */
static void test_others(void **state)
{
	uint8_t other[64] = { 0 };
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	page_start(&p, 5);
	store(other, MARKER_TYPE, 2, false);
	page_entry(&p, 1, other, sizeof(other));
	page_entry(&p, 1, other, 4);
	store(other, 200, 2, false);
	page_entry(&p, 1, other, sizeof(other));
	store(other, 256, 2, false);
	page_entry(&p, 1, other, sizeof(other));
	page_event(&p, DISK, 12);
	run_page(&r, &p, " a12:dd a1");
	assert_int_equal(ftrace_skipped(r.ftrace), 0);
	page_shaped(&p, V7, &EVENT(.device = DISK, .cpu = 3));
	store(other, BLK_TYPE, 2, false);
	page_entry(&p, 1, other, 60);
	run_page(&r, &p, " a2");
	assert_int_equal(ftrace_skipped(r.ftrace), 48 + 60);
	run_end(&r);
}

/* a page that ends early, and one that is none: the next one counts again */
static void test_damage(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	page_start(&p, 5);
	page_event(&p, DISK, 12);
	page_pair(&p, 28, 1, 0);
	run_page(&r, &p, " a12:dd a1");
	assert_int_equal(ftrace_skipped(r.ftrace), 8);
	p.len = PAGE;
	page_commit(&p, 0);
	run_page(&r, &p, "");
	assert_int_equal(ftrace_skipped(r.ftrace), 8 + PAGE);
	page_start(&p, 5);
	page_event(&p, DISK, 12);
	run_page(&r, &p, " a2");
	run_end(&r);
}

/* more than is delivered at once */
static void test_many(void **state)
{
	char story[2048] = " a12:dd";
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, false);
	page_start(&p, 5);
	page_event(&p, DISK, 12);
	for (int i = 1; i <= 100; i++) {
		add_bytes(r.bytes, p.bytes, sizeof(p.bytes));
		sprintf(story + strlen(story), " a%d", i);
	}
	check_run(&r, story);
	run_end(&r);
}

/* one CPU tells when tracing began, and nothing before that */
static void test_stamp(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	run_start(&r, RAW, true);
	page_start(&p, 5);
	page_event(&p, DISK, 12);
	run_page(&r, &p, "");
	assert_int_equal(ftrace_start(r.ftrace), 0);
	check_run(&r, " a@ a12:dd a1 b@");
	run_page(&r, &p, " a2");
	run_end(&r);
}

/* --- what is missing ------------------------------------------------------ */

static void put_stats(unsigned int refused, unsigned int read)
{
	char text[128];

	snprintf(text, sizeof(text), "entries: 1\noverrun: 0\ncommit overrun:"
		 " %u\nbytes: 9\ndropped events: 0\nread events: %u\n",
		 refused, read);
	put(STATS, text);
}

/* two events of DISK were read and numbered, all counters agree, and it ends */
static void audit_start(struct run *r, struct ring_page *p)
{
	run_start(r, RAW, true);
	assert_int_equal(ftrace_start(r->ftrace), 0);
	page_start(p, 5);
	page_event(p, DISK, 12);
	page_event(p, DISK, 12);
	put_stats(0, 2);
	run_page(r, p, " a@ a12:dd a1 a2 b@");
	page_start(p, 9);
	page_event(p, DISK, 12);
}

/* the kernel's count of events read is compared with ours */
static void test_audit_read(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	audit_start(&r, &p);
	assert_int_equal(ftrace_stop(r.ftrace), 0);
	check_run(&r, "");
	put_stats(0, 7);
	check_run(&r, " a! a!");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 5);
	assert_int_equal(ftrace_lost(r.ftrace, 1), 0);
	put_stats(0, 8);
	run_page(&r, &p, " a8");
	/* cleared: counted from the beginning again */
	put_stats(0, 1);
	run_page(&r, &p, " a9");
	put_stats(0, 3);
	run_page(&r, &p, " a10 a! a!");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 6);
	run_end(&r);
}

/* so are events that found no room, once */
static void test_audit_refused(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	audit_start(&r, &p);
	assert_int_equal(ftrace_stop(r.ftrace), 0);
	put_stats(4, 2);
	check_run(&r, " a! a!");
	check_run(&r, "");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 4);
	run_end(&r);
}

/* what was off at the end is in the trace of each device */
static void test_audit_off(void **state)
{
	struct ring_page p;
	struct run r;

	(void)state;
	audit_start(&r, &p);
	put("tracing_on", "0");
	assert_int_equal(ftrace_stop(r.ftrace), 0);
	check_run(&r, " a! a! b! b!");
	assert_int_equal(ftrace_lost(r.ftrace, 0), 1);
	assert_int_equal(ftrace_lost(r.ftrace, 1), 1);
	run_end(&r);
}

/* --- as a kernel wrote it ------------------------------------------------ */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_LONG__ == 8
/* a device of CPU 1, and what of it was delivered */
struct kept {
	struct bytes *bytes;
	unsigned int records;
};

static int keep(void *ctx, unsigned int device, const void *records,
		size_t len, const struct tap_sums *sums)
{
	struct kept *k = ctx;

	assert_int_equal(device, 0);
	add_bytes(k->bytes, records, len);
	k->records += sums->records;
	return 0;
}

/* when, what, where: of each event in the page */
static const struct event wrote[] = {
	{ .time = 0, .action = 0x1a0001, .bytes = 4096, .pid = 12543 },
	{ .time = 4537, .action = 0x1a0004, .bytes = 4096, .pid = 12543 },
	{ .time = 5629, .action = 0x110009, .pid = 12543 },
	{ .time = 6390, .action = 0x11000a, .pid = 12543, .pdu_len = 8 },
	{ .time = 8132, .action = 0x14a0007, .bytes = 4096, .pid = 12543 },
	{ .time = 50966, .action = 0x18a0008, .bytes = 4096, .pid = 22 },
	{ .time = 314339624, .action = 0x1a0001, .bytes = 8192, .sector = 144,
	  .pid = 12570 },
	{ .time = 314349960, .action = 0x1a0004, .bytes = 8192, .sector = 144,
	  .pid = 12570 },
	{ .time = 314352603, .action = 0x110009, .pid = 12570 },
	{ .time = 314353795, .action = 0x11000a, .pid = 12570, .pdu_len = 8 },
	{ .time = 314356179, .action = 0x14a0007, .bytes = 8192, .sector = 144,
	  .pid = 12570 },
	{ .time = 314407105, .action = 0x18a0008, .bytes = 8192, .sector = 144,
	  .pid = 22 },
};

/* The next event, names passed over. */
static const uint8_t *check_wrote(const uint8_t *at, unsigned int i)
{
	struct event ev;

	do {
		memcpy(&ev, at, BLK_HEADER_7);
		at += BLK_HEADER_7 + ev.pdu_len;
	} while (event_is_note(&ev));
	assert_int_equal(ev.magic, BLK_MAGIC | 7);
	assert_int_equal(ev.sequence, i + 1);
	assert_true(ev.time == UINT64_C(0x0f73604b5b01) + wrote[i].time);
	assert_int_equal(ev.action, wrote[i].action);
	assert_int_equal(ev.sector, wrote[i].sector);
	assert_int_equal(ev.bytes, wrote[i].bytes);
	assert_int_equal(ev.pid, wrote[i].pid);
	assert_int_equal(ev.device, 7 << 20 | 1);
	assert_int_equal(ev.cpu, 1);
	assert_int_equal(ev.error, 0);
	assert_int_equal(ev.pdu_len, wrote[i].pdu_len);
	return at;
}

static void test_recorded(void **state)
{
	static const uint32_t loop[] = { 7 << 20 | 1 };
	struct ftrace_plan p = plan(0, 0);
	struct kept k = { .bytes = bytes_new() };
	const uint8_t *at = k.bytes->data;
	char why[FTRACE_WHY];
	struct ftrace *f;
	struct tap *t;

	(void)state;
	p.devices = loop;
	p.count = 1;
	put("dev/block/7:1/trace/enable", "0");
	put("per_cpu/cpu1/trace_pipe", "");
	put_bytes("per_cpu/cpu1/trace_pipe_raw", recorded_page,
		  sizeof(recorded_page));
	assert_int_equal(ftrace_new(&f, &p, why), 0);
	assert_int_equal(ftrace_cpu_open(&t, f, 1, false), 0);
	assert_int_equal(t->ops->drain(t, keep, &k), 1);
	assert_int_equal(k.records, 12 + 3);
	for (unsigned int i = 0; i < 12; i++)
		at = check_wrote(at, i);
	assert_ptr_equal(at, k.bytes->data + k.bytes->len);
	assert_int_equal(ftrace_skipped(f), 0);
	t->ops->close(t);
	drop(f);
	free(k.bytes);
}
#endif

/* --- where there are no pages to be had ---------------------------------- */

/* trace_pipe is read where pages are not, or are not understood */
static void test_pipe(void **state)
{
	struct run r;

	(void)state;
	assert_int_equal(remove(RAW), 0);
	run_start(&r, "per_cpu/cpu0/trace_pipe", false);
	add_record(r.bytes, &EVENT(.device = DISK, .pid = 12));
	check_run(&r, " a12:dd a1");
	run_end(&r);
	put(RAW, "");
	put("events/header_event", "type_len : 6 bits\n");
	put("per_cpu/cpu0/trace_pipe", "");
	run_start(&r, "per_cpu/cpu0/trace_pipe", false);
	add_record(r.bytes, &EVENT(.device = DISK, .pid = 12));
	check_run(&r, " a12:dd a1");
	run_end(&r);
}

/* without trace_pipe no pages either: it is what keeps others out */
static void test_no_pipe(void **state)
{
	struct ftrace *f = make(0, 0);
	struct tap *t;

	(void)state;
	assert_int_equal(remove("per_cpu/cpu0/trace_pipe"), 0);
	assert_int_equal(ftrace_cpu_open(&t, f, 0, false), -ENOENT);
	drop(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PAGES(test_split),
		IN_PAGES(test_payload),
		IN_PAGES(test_lost),
		IN_PAGES(test_lost_some),
		IN_PAGES(test_lost_unknown),
		IN_PAGES(test_version_8),
		IN_PAGES(test_others),
		IN_PAGES(test_damage),
		IN_PAGES(test_many),
		IN_PAGES(test_stamp),
		IN_PAGES(test_audit_read),
		IN_PAGES(test_audit_refused),
		IN_PAGES(test_audit_off),
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_LONG__ == 8
		IN_PAGES(test_recorded),
#endif
		IN_PAGES(test_pipe),
		IN_PAGES(test_no_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
