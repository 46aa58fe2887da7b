/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of import/tracepoint: the record of each of the block tracepoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blktrace.h"
#include "import/tracepoint.h"
#include "record/action.h"
#include "record/payload.h"
#include "record/record.h"

/* "dev=8388608 rwbs=WS", as the accessors of a text would have it */
static bool find(const char *fields, enum trace_field field, const char **text,
		 size_t *len)
{
	for (const char *at = fields; *at; at += strspn(at, " ")) {
		size_t name = strcspn(at, "="), n = strcspn(at, " ");

		*text = at + name + 1;
		*len = n - name - 1;
		if (trace_field_named(at, name) == field)
			return true;
		at += n;
	}
	return false;
}

static bool get_text(const void *ctx, enum trace_field field,
		     const char **text, size_t *len)
{
	return find(ctx, field, text, len);
}

static bool get_number(const void *ctx, enum trace_field field, uint64_t *n)
{
	const char *text;
	size_t len;

	if (!find(ctx, field, &text, &len))
		return false;
	*n = *text == '-' ? (uint64_t)strtoll(text, NULL, 10) :
			    strtoull(text, NULL, 10);
	return true;
}

struct record {
	struct event ev;
	uint8_t payload[TRACE_PAYLOAD];
};

/* what is wrong with it, or NULL */
static const char *read_event(struct record *r, const char *name,
			      const char *fields)
{
	const struct trace_values v = { get_number, get_text, fields };
	const struct tracepoint *t = tracepoint_named(name, strlen(name));

	assert_non_null(t);
	return tracepoint_event(t, &v, &r->ev, r->payload);
}

#define SDA "dev=8388608 "		/* 8:0 */
#define TC(name) BLK_TC_BIT(BLK_TC_##name)
#define READ_OF(name) (TC(READ) | TC(name))
#define WRITE_OF(name) (TC(WRITE) | TC(name))
#define FULL "block_"

/* as the kernel's blktrace writes them for these */
static const struct {
	const char *name, *fields;
	uint32_t number, categories;
	uint64_t sector;
	uint32_t bytes;
	uint16_t error;
} cases[] = {
	/* bios */
	{ FULL "bio_queue", SDA "sector=8 nr_sector=16 rwbs=R comm=dd",
	  BLK_TA_QUEUE, READ_OF(QUEUE), 8, 8192, 0 },
	{ FULL "bio_queue", SDA "sector=8 nr_sector=16 rwbs=WFSM comm=dd",
	  BLK_TA_QUEUE, WRITE_OF(QUEUE) | TC(FUA) | TC(SYNC) | TC(META), 8,
	  8192, 0 },
	{ FULL "bio_queue", SDA "sector=0 nr_sector=0 rwbs=FWS comm=dd",
	  BLK_TA_QUEUE, WRITE_OF(QUEUE) | TC(FLUSH) | TC(SYNC), 0, 0, 0 },
	{ FULL "bio_backmerge", SDA "sector=8 nr_sector=8 rwbs=RA comm=dd",
	  BLK_TA_BACKMERGE, READ_OF(QUEUE) | TC(AHEAD), 8, 4096, 0 },
	{ FULL "bio_frontmerge", SDA "sector=8 nr_sector=8 rwbs=D comm=dd",
	  BLK_TA_FRONTMERGE, WRITE_OF(QUEUE) | TC(DISCARD), 8, 4096, 0 },
	{ FULL "getrq", SDA "sector=8 nr_sector=8 rwbs=DE comm=dd",
	  BLK_TA_GETRQ, WRITE_OF(QUEUE) | TC(DISCARD), 8, 4096, 0 },
	{ FULL "sleeprq", SDA "sector=8 nr_sector=8 rwbs=R comm=dd",
	  BLK_TA_SLEEPRQ, READ_OF(QUEUE), 8, 4096, 0 },
	{ FULL "bio_bounce", SDA "sector=8 nr_sector=8 rwbs=R comm=dd",
	  BLK_TA_BOUNCE, TC(READ), 8, 4096, 0 },
	{ FULL "bio_complete", SDA "sector=8 nr_sector=8 error=-5 rwbs=R",
	  BLK_TA_COMPLETE, READ_OF(COMPLETE), 8, 4096, 65531 },
	{ FULL "split", SDA "sector=8 new_sector=24 rwbs=W comm=dd",
	  BLK_TA_SPLIT, TC(WRITE), 8, 8192, 0 },
	{ FULL "bio_remap", SDA "sector=2056 nr_sector=8 old_dev=8388609"
	  " old_sector=8 rwbs=R", BLK_TA_REMAP, READ_OF(QUEUE), 2056, 4096, 0 },
	/* requests */
	{ FULL "rq_insert", SDA "sector=8 nr_sector=8 bytes=4096 rwbs=W",
	  BLK_TA_INSERT, WRITE_OF(QUEUE) | TC(FS), 8, 4096, 0 },
	{ FULL "rq_issue", SDA "sector=8 nr_sector=8 bytes=4096 rwbs=W",
	  BLK_TA_ISSUE, WRITE_OF(ISSUE) | TC(FS), 8, 4096, 0 },
	{ FULL "rq_merge", SDA "sector=8 nr_sector=8 bytes=4096 rwbs=W",
	  BLK_TA_BACKMERGE, WRITE_OF(QUEUE) | TC(FS), 8, 4096, 0 },
	{ FULL "rq_requeue", SDA "sector=8 nr_sector=8 errors=0 rwbs=W",
	  BLK_TA_REQUEUE, WRITE_OF(REQUEUE) | TC(FS), 8, 4096, 0 },
	{ FULL "rq_complete", SDA "sector=8 nr_sector=8 error=0 rwbs=W",
	  BLK_TA_COMPLETE, WRITE_OF(COMPLETE) | TC(FS), 8, 4096, 0 },
	/* until 4.11 */
	{ FULL "rq_complete", SDA "sector=8 nr_sector=8 errors=-121 rwbs=W",
	  BLK_TA_COMPLETE, WRITE_OF(COMPLETE) | TC(FS), 8, 4096, 65415 },
	{ FULL "rq_remap", SDA "sector=8 nr_sector=8 old_dev=1 old_sector=8"
	  " nr_bios=1 rwbs=W", BLK_TA_REMAP, WRITE_OF(QUEUE), 8, 4096, 0 },
	/* the kernel's own flush, which has no sector */
	{ FULL "rq_issue", SDA "sector=0 nr_sector=0 bytes=0 rwbs=FF",
	  BLK_TA_ISSUE, READ_OF(ISSUE) | TC(FLUSH) | TC(FS), 0, 0, 0 },
	{ FULL "rq_complete", SDA "sector=18446744073709551615 nr_sector=0"
	  " error=0 rwbs=FF", BLK_TA_COMPLETE,
	  READ_OF(COMPLETE) | TC(FLUSH) | TC(FS), 0, 0, 0 },
	/* the end of a flush sequence, where the data was written */
	{ FULL "rq_complete", SDA "sector=8 nr_sector=0 error=0 rwbs=WS",
	  BLK_TA_COMPLETE, WRITE_OF(COMPLETE) | TC(SYNC) | TC(FS), 8, 0, 0 },
	/* a write of zeroes by a kernel that has no letters for it */
	{ FULL "rq_issue", SDA "sector=8 nr_sector=8 bytes=4096 rwbs=N",
	  BLK_TA_ISSUE, READ_OF(ISSUE) | TC(FS), 8, 4096, 0 },
	/* commands, of kernels that have an operation for them, and before */
	{ FULL "rq_issue", SDA "sector=0 nr_sector=0 bytes=96 rwbs=N",
	  BLK_TA_ISSUE, READ_OF(ISSUE) | TC(PC), 0, 96, 0 },
	{ FULL "rq_issue", SDA "sector=0 nr_sector=0 bytes=0 rwbs=N",
	  BLK_TA_ISSUE, READ_OF(ISSUE) | TC(PC), 0, 0, 0 },
	{ FULL "rq_complete", SDA "sector=18446744073709551615 nr_sector=8"
	  " error=0 rwbs=N", BLK_TA_COMPLETE, READ_OF(COMPLETE) | TC(PC), 0,
	  4096, 0 },
	{ FULL "rq_issue", SDA "sector=0 nr_sector=0 bytes=36 rwbs=R",
	  BLK_TA_ISSUE, READ_OF(ISSUE) | TC(PC), 0, 36, 0 },
};

static void test_records(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record r;

		print_message("%s %s\n", cases[i].name, cases[i].fields);
		assert_null(read_event(&r, cases[i].name, cases[i].fields));
		assert_int_equal(event_number(&r.ev), cases[i].number);
		assert_int_equal(event_categories(&r.ev), cases[i].categories);
		assert_int_equal(r.ev.device, BLK_DEVICE(8, 0));
		assert_int_equal(r.ev.sector, cases[i].sector);
		assert_int_equal(r.ev.bytes, cases[i].bytes);
		assert_int_equal(r.ev.error, cases[i].error);
	}
}

/* version 8's categories do not disturb the others */
static void test_zones(void **state)
{
	struct record r;

	(void)state;
	assert_null(read_event(&r, "block_rq_issue", SDA
			       "sector=8 nr_sector=8 bytes=4096 rwbs=ZAS"));
	assert_int_equal(event_categories(&r.ev), WRITE_OF(ISSUE) | TC(FS) |
			 TC(SYNC) | TC(ZONE_APPEND));
}

static void test_plugs(void **state)
{
	struct record r;
	uint64_t n;

	(void)state;
	assert_null(read_event(&r, "block_plug", "comm=dd"));
	assert_int_equal(event_number(&r.ev), BLK_TA_PLUG);
	assert_int_equal(event_categories(&r.ev), READ_OF(QUEUE));
	assert_int_equal(r.ev.device, 0);
	assert_int_equal(r.ev.pdu_len, 0);
	assert_null(read_event(&r, "block_unplug", "nr_rq=3 comm=dd"));
	assert_int_equal(event_number(&r.ev), BLK_TA_UNPLUG_IO);
	assert_int_equal(event_categories(&r.ev), READ_OF(QUEUE));
	assert_int_equal(r.ev.pdu_len, 8);
	assert_true(payload_number(&r.ev, &n));
	assert_int_equal(n, 3);
}

static void test_payloads(void **state)
{
	struct record r;
	struct remap m;
	uint64_t n;

	(void)state;
	assert_null(read_event(&r, "block_split", SDA
			       "sector=8 new_sector=24 rwbs=W"));
	assert_true(payload_number(&r.ev, &n));
	assert_int_equal(n, 24);
	assert_null(read_event(&r, "block_bio_remap", SDA
			       "sector=2056 nr_sector=8 old_dev=8388609"
			       " old_sector=4294967304 rwbs=R"));
	r.ev.version = BLK_VERSION_7;
	assert_int_equal(r.ev.pdu_len, 16);
	assert_true(payload_remap(&r.ev, &m));
	assert_int_equal(m.from, BLK_DEVICE(8, 1));
	assert_int_equal(m.to, BLK_DEVICE(8, 0));
	assert_int_equal(m.sector, 4294967304);
}

/* what has no meaning is said, not guessed */
static void test_faults(void **state)
{
	struct record r;
	const char *why;

	(void)state;
	why = read_event(&r, "block_bio_queue", SDA "nr_sector=8 rwbs=W");
	assert_string_equal(why, "an event without its field sector");
	why = read_event(&r, "block_bio_queue", "sector=8 nr_sector=8 rwbs=W");
	assert_string_equal(why, "an event without its field dev");
	why = read_event(&r, "block_bio_queue", SDA "sector=8 nr_sector=8");
	assert_string_equal(why, "an event without its field rwbs");
	why = read_event(&r, "block_unplug", "comm=dd");
	assert_string_equal(why, "an event without its field nr_rq");
	why = read_event(&r, "block_split", SDA "sector=8 rwbs=W");
	assert_string_equal(why, "an event without its field new_sector");
	why = read_event(&r, "block_rq_remap", SDA
			 "sector=8 nr_sector=8 rwbs=W old_dev=1");
	assert_string_equal(why, "an event without its field old_sector");
	why = read_event(&r, "block_bio_queue", SDA
			 "sector=8 nr_sector=8 rwbs=QQ");
	assert_string_equal(why, "an event of an unknown operation");
	why = read_event(&r, "block_bio_queue", SDA
			 "sector=8 nr_sector=8 rwbs=");
	assert_string_equal(why, "an event of an unknown operation");
	/* no record has so many bytes */
	assert_null(read_event(&r, "block_split", SDA
			       "sector=24 new_sector=8 rwbs=W"));
	assert_int_equal(r.ev.bytes, 0);
}

static uint32_t groups_of(const char *names)
{
	uint32_t groups = 0;

	for (const char *at = names; *at; at += strspn(at, " ")) {
		const struct tracepoint *t;
		char name[64];
		size_t len = strcspn(at, " ");

		snprintf(name, sizeof(name), "block_%.*s", (int)len, at);
		t = tracepoint_named(name, strlen(name));
		assert_non_null(t);
		groups |= 1u << t->group;
		at += len;
	}
	return groups;
}

static void assert_lacks(const char *names, const char *want)
{
	char text[TRACEPOINTS_LACK];

	assert_true(tracepoints_lack(groups_of(names), text));
	assert_string_equal(text, want);
}

static void test_lacks(void **state)
{
	static const char most[] = "getrq rq_insert rq_issue rq_complete"
				   " rq_requeue split bio_remap";
	char all[256], text[TRACEPOINTS_LACK];

	(void)state;
	snprintf(all, sizeof(all), "%s bio_queue plug bio_backmerge", most);
	assert_false(tracepoints_lack(groups_of(all), text));
	snprintf(all, sizeof(all), "%s bio_queue", most);
	assert_lacks(all, "no plug or merge events");
	snprintf(all, sizeof(all), "%s unplug rq_merge", most);
	assert_lacks(all, "no queue events");
	assert_lacks("rq_issue rq_complete",
		     "no queue, get request, plug, merge, insert, requeue,"
		     " split or remap events");
	/* which are of no use to anyone */
	assert_lacks("sleeprq",
		     "no queue, get request, plug, merge, insert, issue,"
		     " completion, requeue, split or remap events");
}

static void test_names(void **state)
{
	(void)state;
	assert_null(tracepoint_named("block_rq_error", 14));
	assert_null(tracepoint_named("block_io_start", 14));
	assert_null(tracepoint_named("block_plu", 9));
	assert_null(tracepoint_named("", 0));
	assert_int_equal(trace_field_named("errors", 6), TRACE_ERROR);
	assert_int_equal(trace_field_named("error", 5), TRACE_ERROR);
	assert_int_equal(trace_field_named("ioprio", 6), TRACE_FIELDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_plugs),
		cmocka_unit_test(test_payloads),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_lacks),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
