/* SPDX-License-Identifier: GPL-2.0-only */
/* See trace.h. */
#include "tests/requests/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/msg.h"
#include "file/files.h"
#include "record/kept.h"
#include "request/joiner.h"
#include "run/reader.h"
#include "tests/requests/check.h"

enum { PATH_SIZE = 4096, FIRST_EVENTS = 4096 };

/* --- reading ------------------------------------------------------------- */

static void add_one(struct reader *r, const char *dir, const char *name)
{
	char path[PATH_SIZE];
	int err;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	err = reader_add(r, path);
	if (err)
		msg_die("%s: %s", path, strerror(-err));
}

static int by_letters(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void trace_add(struct reader *r, const char *dir)
{
	char **names = NULL;
	int count = files_devices(dir, &names);

	if (count <= 0) {
		add_one(r, dir, "pipe.bin");
		return;
	}
	qsort(names, (size_t)count, sizeof(*names), by_letters);
	for (int i = 0; i < count; i++) {
		add_one(r, dir, names[i]);
		free(names[i]);
	}
	free(names);
}

static void keep(struct trace *t, size_t *size, const struct event *ev)
{
	struct kept *kept = array_reserve(t->kept, t->count, size,
					  FIRST_EVENTS, sizeof(*kept));

	if (!kept || event_keep(&kept[t->count], ev))
		msg_die("no memory");
	t->kept = kept;
	t->count++;
}

static int next(struct reader *r, const struct event **ev)
{
	int got;

	do {
		got = reader_next(r, ev);
	} while (got == -EAGAIN || got == -EINTR);
	return got;
}

void trace_load(struct trace *t, const char *dir)
{
	const struct reader_options o = { .window = WINDOW_ALL };
	const struct event *ev;
	size_t size = 0;
	int got;

	*t = (struct trace){ .reader = NULL };
	if (reader_open(&t->reader, &o))
		msg_die("no memory");
	trace_add(t->reader, dir);
	while ((got = next(t->reader, &ev)) == 1)
		keep(t, &size, ev);
	if (got)
		msg_die("%s: %s", dir, strerror(-got));
	t->events = array_resize(NULL, t->count, sizeof(*t->events));
	if (!t->events)
		msg_die("no memory");
	/* only now: kept events have moved while the array grew */
	for (size_t i = 0; i < t->count; i++)
		t->events[i] = *kept_event(&t->kept[i]);
}

void trace_free(struct trace *t)
{
	for (size_t i = 0; i < t->count; i++)
		kept_free(&t->kept[i]);
	free(t->kept);
	free(t->events);
	reader_close(t->reader);
}

/* --- a run --------------------------------------------------------------- */

void run_make(struct run *run, size_t events)
{
	run->events = array_resize(NULL, events, sizeof(*run->events));
	run->holes = calloc(events ? events : 1, sizeof(*run->holes));
	run->count = 0;
	if (!run->events || !run->holes)
		msg_die("no memory");
}

void run_free(struct run *run)
{
	free(run->events);
	free(run->holes);
}

static uint64_t lane_key(const struct event *ev)
{
	return (uint64_t)ev->cpu << 32 | ev->device;
}

void run_find_holes(struct run *run)
{
	struct hash last = { 0 };	/* the latest event of each lane */

	for (size_t i = 0; i < run->count; i++) {
		const struct event *ev = &run->events[i];
		int64_t before = hash_get_number(&last, lane_key(ev));

		if (event_is_note(ev))
			continue;
		if (before >= 0 && ev->sequence !=
		    run->events[before].sequence + 1) {
			run->holes[before] |= HOLE_BEGINS;
			run->holes[i] |= HOLE_ENDS;
		}
		if (hash_put_number(&last, lane_key(ev), (uint32_t)i))
			msg_die("no memory");
	}
	hash_free(&last);
}

static void take_records(struct joiner *j, struct check *c,
			 run_record *record, void *ctx)
{
	const struct io *io;

	if (c)
		check_oldest(c, joiner_oldest(j));
	while (joiner_next(j, &io)) {
		if (c) {
			check_record(c, io);
			check_oldest(c, joiner_oldest(j));
		}
		if (record)
			record(ctx, io);
	}
}

static void tell_hole(struct joiner *j, const struct event *ev, uint8_t holes,
		      uint8_t which)
{
	if (holes & which)
		joiner_gap(j, ev->origin, ev->device, which == HOLE_BEGINS);
}

void run_join(const struct run *run, const struct joiner_bounds *bounds,
	      struct check *c, run_record *record, void *ctx)
{
	struct joiner *j;

	if (joiner_new(&j, bounds))
		msg_die("no memory");
	for (size_t i = 0; i < run->count; i++) {
		const struct event *ev = &run->events[i];

		if (c)
			check_event(c, ev);
		tell_hole(j, ev, run->holes[i], HOLE_ENDS);
		joiner_event(j, ev);
		take_records(j, c, record, ctx);
		tell_hole(j, ev, run->holes[i], HOLE_BEGINS);
	}
	joiner_end(j, run->count ? run->events[run->count - 1].time : 0, false);
	take_records(j, c, record, ctx);
	if (c)
		check_end(c, joiner_counts(j));
	joiner_free(j);
}
