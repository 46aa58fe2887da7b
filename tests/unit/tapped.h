/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's file in a make-believe tracefs, and what its tap makes of the bytes
 * that are appended to it.
 */
#ifndef TESTS_UNIT_TAPPED_H
#define TESTS_UNIT_TAPPED_H

#include "capture/from/ftrace_cpu.h"
#include "capture/tap.h"
#include "tracefs.h"

struct run {
	struct ftrace *ftrace;
	struct tap *tap;
	const char *file;	/* that the tap reads */
	struct bytes *bytes;	/* to be appended to it next */
	char text[2048];	/* what was delivered */
};

static inline void run_start(struct run *r, const char *file, bool stamps)
{
	memset(r, 0, sizeof(*r));
	r->ftrace = make(0, 0);
	r->file = file;
	r->bytes = bytes_new();
	assert_int_equal(ftrace_cpu_open(&r->tap, r->ftrace, 0, stamps), 0);
}

static inline void run_end(struct run *r)
{
	r->tap->ops->close(r->tap);
	free(r->bytes);
	drop(r->ftrace);
}

__attribute__((format(printf, 2, 3)))
static inline void say(struct run *r, const char *fmt, ...)
{
	size_t len = strlen(r->text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(r->text + len, sizeof(r->text) - len, fmt, args);
	va_end(args);
}

/* "a3" event 3 of device a, "a12:dd" a name, "a@" a stamp, "a!" a message */
static inline void say_record(struct run *r, unsigned int device,
			      const struct event *ev, const char *payload)
{
	say(r, " %c", 'a' + (int)device);
	if (!event_is_note(ev))
		say(r, "%u", ev->sequence);
	else if (event_number(ev) == BLK_TN_PROCESS)
		say(r, "%u:%s", ev->pid, payload);
	else
		say(r, "%s", event_number(ev) == BLK_TN_MESSAGE ? "!" : "@");
}

static inline int deliver(void *ctx, unsigned int device, const void *records,
			  size_t len, const struct tap_sums *sums)
{
	const uint8_t *at = records, *end = at + len;
	char payload[256];
	unsigned int count = sums->records;
	struct run *r = ctx;
	struct event ev;

	for (; at < end; at += BLK_HEADER_7 + ev.pdu_len, count--) {
		assert_true(end - at >= BLK_HEADER_7);
		memcpy(&ev, at, BLK_HEADER_7);
		assert_int_equal(ev.magic, BLK_MAGIC | 7);
		assert_int_equal(ev.device, both[device]);
		assert_true(ev.pdu_len <= sizeof(payload));
		memcpy(payload, at + BLK_HEADER_7, ev.pdu_len);
		say_record(r, device, &ev, payload);
	}
	assert_ptr_equal(at, end);
	assert_int_equal(count, 0);
	return 0;
}

/* appends what was made to the file, and drains it */
static inline void check_run(struct run *r, const char *story)
{
	FILE *f = fopen(r->file, "a");

	assert_non_null(f);
	fwrite(r->bytes->data, 1, r->bytes->len, f);
	fclose(f);
	assert_true(r->tap->ops->drain(r->tap, deliver, r) >= 0);
	assert_int_equal(r->tap->ops->drain(r->tap, deliver, r), 0);
	assert_string_equal(r->text, story);
	r->text[0] = '\0';
	r->bytes->len = 0;
}

#endif
