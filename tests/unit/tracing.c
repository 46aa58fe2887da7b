/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of import/tracing: order, disks, plugs, names and losses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/time.h"
#include "blktrace.h"
#include "import/tracing.h"
#include "import/tracepoint.h"
#include "record/action.h"
#include "record/record.h"

/* what was handed over, as text */
struct diary {
	char text[4096];
	size_t len;
	int err;		/* of every event */
};

static void put(struct diary *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct diary *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->len += (size_t)vsnprintf(d->text + d->len, sizeof(d->text) - d->len,
				    fmt, ap);
	va_end(ap);
	assert_true(d->len < sizeof(d->text));
}

static int on_device(void *ctx, uint32_t number, const char *name)
{
	put(ctx, "%u:%u is %s\n", BLK_MAJOR(number), BLK_MINOR(number), name);
	return 0;
}

static int on_process(void *ctx, uint32_t pid, const char *name, size_t len)
{
	put(ctx, "%u is %.*s\n", pid, (int)len, name);
	return 0;
}

static int on_event(void *ctx, const struct event *ev)
{
	struct diary *d = ctx;

	put(d, "%u %u:%u %s %u %u+%u\n", (unsigned int)ev->time,
	    BLK_MAJOR(ev->device), BLK_MINOR(ev->device),
	    action_text(event_number(ev)), ev->pid, (unsigned int)ev->sector,
	    ev->bytes);
	return d->err;
}

static int on_lost(void *ctx, uint32_t cpu, uint64_t events)
{
	put(ctx, "%u lost %u\n", cpu, (unsigned int)events);
	return 0;
}

static void on_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	assert_int_equal(line + at, 0);
	put(ctx, "fault: %s\n", why);
}

struct run {
	struct diary diary;
	struct import_to to;
	struct tracing t;
};

static void begin(struct run *r)
{
	r->diary = (struct diary){ .len = 0 };
	r->to = (struct import_to){ .device = on_device, .process = on_process,
				    .event = on_event, .lost = on_lost,
				    .fault = on_fault, .ctx = &r->diary };
	assert_int_equal(tracing_init(&r->t, &r->to), 0);
}

static void end(struct run *r, const char *want)
{
	assert_int_equal(tracing_end(&r->t), 0);
	assert_string_equal(r->diary.text, want);
	tracing_free(&r->t);
}

/* --- events --------------------------------------------------------------- */

struct io {
	const char *name;
	uint32_t cpu, pid, device;
	uint64_t sector;
	const char *comm;
	uint32_t old_device;	/* of a remap */
};

static bool number(const void *ctx, enum trace_field field, uint64_t *n)
{
	const struct io *io = ctx;

	*n = 8;
	if (field == TRACE_DEV)
		*n = io->device;
	else if (field == TRACE_SECTOR || field == TRACE_OLD_SECTOR)
		*n = io->sector;
	else if (field == TRACE_OLD_DEV)
		*n = io->old_device;
	return field != TRACE_BYTES && field != TRACE_ERROR &&
	       field != TRACE_NEW_SECTOR;
}

static bool text(const void *ctx, enum trace_field field, const char **at,
		 size_t *len)
{
	const struct io *io = ctx;

	*at = field == TRACE_RWBS ? "W" : io->comm;
	*len = *at ? strlen(*at) : 0;
	return *at;
}

static int add(struct run *r, uint64_t time, struct io io)
{
	const struct trace_values v = { number, text, &io };
	const struct trace_place at = { time, io.cpu, io.pid };
	const char *why;

	return tracing_add(&r->t, &at, tracepoint_named(io.name,
							strlen(io.name)),
			   &v, &why);
}

#define SDA BLK_DEVICE(8, 0)
#define DISK BLK_DEVICE(259, 0)
#define PART BLK_DEVICE(259, 1)
#define QUEUE "block_bio_queue"
#define GET "block_getrq"
#define PLUG "block_plug"
#define UNPLUG "block_unplug"
#define ISSUE "block_rq_issue"
#define COMPLETE "block_rq_complete"
#define REMAP "block_bio_remap"

/* CPUs are read one after the other */
static void test_order(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	add(&r, 10, (struct io){ QUEUE, 0, 5, SDA, 64, "dd", 0 });
	add(&r, 30, (struct io){ COMPLETE, 0, 0, SDA, 64, NULL, 0 });
	add(&r, 20, (struct io){ ISSUE, 1, 6, SDA, 64, "kworker", 0 });
	assert_int_equal(tracing_release(&r.t, 20), 0);
	assert_string_equal(r.diary.text, "8:0 is sda\n5 is dd\n"
					  "10 8:0 Q 5 64+4096\n");
	end(&r, "8:0 is sda\n5 is dd\n10 8:0 Q 5 64+4096\n"
		"6 is kworker\n20 8:0 D 6 64+4096\n30 8:0 C 0 64+4096\n");
}

/* what was released is the end of its second */
static void test_late(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	add(&r, 30, (struct io){ QUEUE, 0, 5, SDA, 64, NULL, 0 });
	assert_int_equal(tracing_release(&r.t, 40), 0);
	add(&r, 20, (struct io){ QUEUE, 0, 5, SDA, 72, NULL, 0 });
	end(&r, "8:0 is sda\n30 8:0 Q 5 64+4096\n30 8:0 Q 5 72+4096\n"
		"fault: 1 event out of order, by up to 10ns: each got the time"
		" of the one before; sort the file by time for exact ones\n");
}

/* a partition's first events wait for the request that shows its disk */
static void test_partition(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	/* with its name a remap's payload is the longest */
	add(&r, 10, (struct io){ REMAP, 0, 5, PART, 64,
				 "fifteen letters", PART });
	add(&r, 11, (struct io){ QUEUE, 0, 5, PART, 64, NULL, 0 });
	add(&r, 12, (struct io){ QUEUE, 0, 6, SDA, 8, "rm", 0 });
	tracing_release(&r.t, 20);
	assert_string_equal(r.diary.text, "");
	add(&r, 20, (struct io){ ISSUE, 0, 5, DISK, 64, "dd", 0 });
	end(&r, "259:0 is 259-0\n5 is fifteen letters\n10 259:0 A 5 64+4096\n"
		"11 259:0 Q 5 64+4096\n"
		"8:0 is sda\n6 is rm\n12 8:0 Q 6 8+4096\n"
		"5 is dd\n20 259:0 D 5 64+4096\n");
}

/* a device that nothing is learned of keeps its number, and delays a second */
static void test_patience(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	add(&r, 10, (struct io){ QUEUE, 0, 5, PART, 64, NULL, 0 });
	add(&r, 10 + NS_PER_SECOND - 1,
	    (struct io){ QUEUE, 0, 5, PART, 72, NULL, 0 });
	tracing_release(&r.t, 2 * NS_PER_SECOND);
	assert_string_equal(r.diary.text, "");
	add(&r, 10 + NS_PER_SECOND,
	    (struct io){ QUEUE, 0, 5, PART, 80, NULL, 0 });
	tracing_release(&r.t, 2 * NS_PER_SECOND);
	end(&r, "259:1 is 259-1\n10 259:1 Q 5 64+4096\n"
		"1000000009 259:1 Q 5 72+4096\n"
		"1000000010 259:1 Q 5 80+4096\n");
}

/* as many wait as there is room for */
static void test_room(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	for (uint64_t i = 1; i < TRACING_WAIT; i++)
		add(&r, i, (struct io){ QUEUE, 0, 5, PART, 8 * i, NULL, 0 });
	tracing_release(&r.t, UINT64_MAX);
	assert_string_equal(r.diary.text, "");
	r.diary.err = -EIO;
	add(&r, TRACING_WAIT, (struct io){ QUEUE, 0, 5, PART, 64, NULL, 0 });
	assert_int_equal(tracing_release(&r.t, UINT64_MAX), -EIO);
	assert_string_equal(r.diary.text, "259:1 is 259-1\n"
					  "1 259:1 Q 5 8+4096\n");
	tracing_free(&r.t);
}

/* a plug is the device's that its process got a request of, whichever process
 * an interrupt has met */
static void test_plugs(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	add(&r, 1, (struct io){ PLUG, 0, 5, 0, 0, "dd", 0 });
	add(&r, 2, (struct io){ GET, 0, 5, SDA, 64, NULL, 0 });
	add(&r, 3, (struct io){ PLUG, 0, 5, 0, 0, NULL, 0 });
	add(&r, 4, (struct io){ ISSUE, 0, 6, DISK, 64, NULL, 0 });
	add(&r, 5, (struct io){ COMPLETE, 0, 5, DISK, 64, NULL, 0 });
	add(&r, 6, (struct io){ UNPLUG, 0, 5, 0, 0, NULL, 0 });
	end(&r, "8:0 is sda\n2 8:0 G 5 64+4096\n3 8:0 P 5 0+0\n"
		"259:0 is 259-0\n4 259:0 D 6 64+4096\n"
		"5 259:0 C 5 64+4096\n6 8:0 U 5 0+0\n");
}

/* names and losses come in their place, or at once without one */
static void test_notes(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	add(&r, 10, (struct io){ QUEUE, 0, 5, SDA, 64, NULL, 0 });
	tracing_lost(&r.t, &(struct trace_place){ 15, 3, 0 }, 7);
	tracing_process(&r.t, &(struct trace_place){ 12, 0, 5 }, "cat", 3);
	tracing_process(&r.t, &(struct trace_place){ 0, 0, 1 }, "init", 4);
	tracing_lost(&r.t, &(struct trace_place){ 0, 1, 0 }, 2);
	add(&r, 20, (struct io){ QUEUE, 0, 5, SDA, 72, NULL, 0 });
	end(&r, "1 is init\n1 lost 2\n8:0 is sda\n10 8:0 Q 5 64+4096\n"
		"5 is cat\n3 lost 7\n20 8:0 Q 5 72+4096\n");
}

static void test_faults(void **state)
{
	const struct io io = { QUEUE, 0, 5, SDA, 64, NULL, 0 };
	const struct trace_values v = { number, text, &io };
	const struct tracepoint *split = tracepoint_named("block_split", 11);
	struct trace_place at = { 10, 0, 5 };
	const char *why;
	struct run r;

	(void)state;
	begin(&r);
	assert_int_equal(tracing_add(&r.t, &at, split, &v, &why), -EBADMSG);
	assert_string_equal(why, "an event without its field new_sector");
	assert_int_equal(add(&r, 10, (struct io){ QUEUE, BLK_CPU_MAX, 5, SDA,
						  64, NULL, 0 }), -EBADMSG);
	/* a command of a queue that is no disk's */
	assert_int_equal(add(&r, 10, (struct io){ ISSUE, 0, 5, 0, 64, NULL,
						  0 }), 0);
	end(&r, "");
}

static void test_too_many(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	for (uint32_t i = 0; i < DISK_MAP_MAX; i++)
		assert_int_equal(disk_map_add(&r.t.disks, BLK_DEVICE(260, i),
					      0), 0);
	add(&r, 10, (struct io){ QUEUE, 0, 5, SDA, 64, NULL, 0 });
	add(&r, 10, (struct io){ ISSUE, 0, 5, BLK_DEVICE(260, 1), 64, NULL,
				 0 });
	end(&r, "260:1 is 260-1\n10 260:1 D 5 64+4096\n"
		"fault: too many devices; events of some are skipped\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_partition),
		cmocka_unit_test(test_patience),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_plugs),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
