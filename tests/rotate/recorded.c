/* SPDX-License-Identifier: GPL-2.0-only */
/* Recorded traces, handed to a sink; see recorded.h. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "base/time.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/span.h"
#include "file/files.h"
#include "file/source.h"
#include "tests/rotate/recorded.h"

enum { NOT_OURS = 2, READ_SIZE = 1 << 20 };

struct lane {
	struct sink_lane sink;
	uint8_t *bytes;
	size_t len, at;
};

static struct lane *lanes;
static size_t count, size;
static char **names;		/* of the devices */
static int device_count;
static atomic_ullong clock_ns;

struct notes_stamp recorded_now(void)
{
	const uint64_t now = atomic_load(&clock_ns);
	const uint64_t wall = 1795132800 + now / NS_PER_SECOND % 86400;

	return (struct notes_stamp){ now, (uint32_t)wall,
				     (uint32_t)(now % NS_PER_SECOND) };
}

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

const struct capture_reporter recorded_reporter = { print_line, NULL };

/* --- the trace ------------------------------------------------------------ */

static void read_all(struct lane *l, const struct file_entry *e)
{
	struct source *s;
	ssize_t n = 1;

	if (files_open(e, &s))
		msg_die("cannot open %s", e->path);
	while (n > 0) {
		l->bytes = array_resize(l->bytes, l->len + READ_SIZE, 1);
		if (!l->bytes)
			msg_die("no memory");
		n = source_read(s, l->bytes + l->len, READ_SIZE);
		l->len += n > 0 ? (size_t)n : 0;
	}
	source_close(s);
	if (n < 0 || span_of(l->bytes, l->len).len != l->len)
		exit(NOT_OURS);
}

static void add_device(const char *dir, char *name, unsigned int device)
{
	struct files f;

	if (files_find(&f, dir, name))
		msg_die("no files of %s", name);
	for (size_t i = 0; i < f.count; i++) {
		lanes = array_reserve(lanes, count, &size, 16, sizeof(*lanes));
		if (!lanes)
			msg_die("no memory");
		lanes[count] = (struct lane){
			.sink = { .name = name, .device = device,
				  .cpu = f.list[i].cpu } };
		read_all(&lanes[count++], &f.list[i]);
	}
	files_free(&f);
}

/* --- feeding -------------------------------------------------------------- */

/* bytes of what a lane has before a time */
static size_t before(const struct lane *l, uint64_t time)
{
	return passage_of(l->bytes + l->at, l->len - l->at, time, NULL,
			  NULL).len;
}

/* the first event's time, found by halves */
static uint64_t first_time(void)
{
	uint64_t low = 0, high = UINT64_MAX - 1;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;
		bool any = false;

		for (size_t i = 0; i < count; i++)
			any |= passage_of(lanes[i].bytes, lanes[i].len,
					  mid + 1, NULL, NULL).newest > 0;
		if (any)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static void check(int err)
{
	if (err)
		msg_die("the sink: %s", strerror(-err));
}

/* One look at each CPU's buffer; whether anything is left. */
static bool feed_once(struct sink *s)
{
	bool left = false;

	for (size_t i = 0; i < count; i++) {
		struct lane *l = &lanes[i];
		size_t len = before(l, clock_ns);

		if (len)
			check(s->ops->write(s, &l->sink, l->bytes + l->at,
					    len));
		l->at += len;
		left |= l->at < l->len;
	}
	for (size_t i = 0; i < count; i++)
		check(s->ops->flush(s, &lanes[i].sink));
	return left;
}

void recorded_begin(struct sink *s)
{
	for (size_t i = 0; i < count; i++)
		check(s->ops->open(s, &lanes[i].sink));
}

void recorded_feed(struct sink *s, uint64_t step)
{
	do
		clock_ns += step;
	while (feed_once(s));
}

void recorded_end(struct sink *s)
{
	for (size_t i = 0; i < count; i++)
		check(s->ops->close(s, &lanes[i].sink, 0));
}

/* --- the whole ------------------------------------------------------------ */

size_t recorded_open(const char *dir)
{
	int devices = files_devices(dir, &names);

	for (device_count = 0; device_count < devices; device_count++)
		add_device(dir, names[device_count],
			   (unsigned int)device_count);
	if (!count)
		exit(NOT_OURS);
	clock_ns = first_time();
	return count;
}

size_t recorded_bytes(void)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += lanes[i].len;
	return sum;
}

void recorded_free(void)
{
	for (size_t i = 0; i < count; i++)
		free(lanes[i].bytes);
	for (int i = 0; i < device_count; i++)
		free(names[i]);
	free(names);
	free(lanes);
}
