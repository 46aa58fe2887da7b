/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * feed FROM TO SIZE TIME_MS KEEP LEVEL STEP_MS
 *
 * Hands the traces in directory FROM to the sink that blktrace --rotate has, as
 * the threads of a capture would: every STEP_MS of their time each CPU brings
 * what has come.  TO becomes a directory of segments.  Status 2: FROM is none
 * of this machine's byte order, version 7 or 8.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "base/time.h"
#include "capture/passage.h"
#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/sink_rotate.h"
#include "capture/span.h"
#include "trace/files.h"
#include "trace/source.h"

enum { NOT_OURS = 2, READ_SIZE = 1 << 20 };

struct lane {
	struct sink_lane sink;
	uint8_t *bytes;
	size_t len, at;
};

static struct lane *lanes;
static size_t count, size;
static uint64_t clock_ns;

static struct notes_stamp now(void)
{
	/* 2026-11-20, whenever the trace was made */
	const uint64_t wall = 1795132800 + clock_ns / NS_PER_SECOND % 86400;

	return (struct notes_stamp){ clock_ns, (uint32_t)wall, 0 };
}

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { print_line, NULL };

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

static int no_take(void *ctx, const uint8_t *note)
{
	(void)ctx, (void)note;
	return 0;
}

/* bytes of what a lane has before a time */
static size_t before(const struct lane *l, uint64_t time)
{
	return passage_of(l->bytes + l->at, l->len - l->at, time, no_take,
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
					  mid + 1, no_take, NULL).newest > 0;
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

static void feed(struct sink *s, uint64_t step)
{
	for (size_t i = 0; i < count; i++)
		check(s->ops->open(s, &lanes[i].sink));
	do
		clock_ns += step;
	while (feed_once(s));
	for (size_t i = 0; i < count; i++)
		check(s->ops->close(s, &lanes[i].sink, 0));
	s->ops->free(s);
}

int main(int argc, char **argv)
{
	char **names = NULL;
	struct sink *s;
	int devices;

	if (argc != 8)
		msg_die("feed FROM TO SIZE TIME_MS KEEP LEVEL STEP_MS");
	devices = files_devices(argv[1], &names);
	for (int i = 0; i < devices; i++)
		add_device(argv[1], names[i], (unsigned int)i);
	if (!count)
		return NOT_OURS;
	clock_ns = first_time();
	check(sink_rotate_new(&s, &(struct sink_rotate_options){
		.files = { argv[2], NULL, atoi(argv[6]), &reporter, NULL },
		.size = strtoull(argv[3], NULL, 10),
		.time = strtoull(argv[4], NULL, 10) * NS_PER_MS,
		.keep = (unsigned int)atoi(argv[5]),
		.now = now }));
	feed(s, strtoull(argv[7], NULL, 10) * NS_PER_MS);
	for (size_t i = 0; i < count; i++)
		free(lanes[i].bytes);
	for (int i = 0; i < devices; i++)
		free(names[i]);
	free(names);
	free(lanes);
	return 0;
}
