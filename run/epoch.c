/* SPDX-License-Identifier: GPL-2.0-only */
/* When a trace's clock was 0; see epoch.h. */
#include <errno.h>
#include <stdbool.h>

#include "base/time.h"
#include "blktrace.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/location.h"
#include "file/source.h"
#include "file/stream.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/epoch.h"

struct search {
	bool found;
	uint64_t wall, time;	/* of the note: time of day, and trace time */
};

uint64_t epoch_of_note(const struct event *note)
{
	uint32_t sec, nsec;

	if (event_number(note) != BLK_TN_TIMESTAMP ||
	    !payload_clock(note, &sec, &nsec))
		return 0;
	return (uint64_t)sec * NS_PER_SECOND + nsec;
}

static void on_note(void *ctx, const struct event *note)
{
	struct search *s = ctx;
	uint64_t wall = epoch_of_note(note);

	if (s->found || !wall)
		return;
	*s = (struct search){ true, wall, note->time };
}

/* Reads the first events from src, which is closed; *first gets their time. */
static int look_into(struct source *src, struct search *s, uint64_t *first)
{
	const struct hooks hooks = { s, on_note, hooks_no_damage,
				     hooks_no_added, hooks_no_idle };
	const struct stream_options o = { .name = "", .cpu = STREAM_ANY_CPU,
					  .batch = STREAM_BATCH };
	struct stream *in = stream_new(src, &o, &hooks);
	struct event *ev;
	int got;

	if (!in)
		return -ENOMEM;
	got = stream_next(in, &ev);
	*first = got == 1 ? ev->time : UINT64_MAX;
	stream_free(in);
	return got == -ENOMEM ? got : 0;
}

/* A dump's events begin at 0, but its notes keep the machine's clock. */
static int search_dump(const struct location *at, struct search *s)
{
	struct source *src;
	uint64_t first = UINT64_MAX;
	int err;

	if (location_is_pipe(at->path))
		return -ENODATA;
	err = source_open(&src, at->path);
	if (!err)
		err = look_into(src, s, &first);
	if (s->time > first)
		s->time = first;
	return err;
}

/* Whether there is no source: what cannot be opened has nothing to tell; but
 * without memory *err is -ENOMEM. */
static bool open_one(const struct file_entry *e, struct source **src, int *err)
{
	int failed = e->empty ? -ENODATA : files_open(e, src);

	if (failed == -ENOMEM)
		*err = failed;
	return failed;
}

static int search_device(const struct location *at, struct search *s)
{
	struct files files;
	struct source *src;
	uint64_t first;
	int err = location_files(at, &files);

	if (err)
		return err;
	for (size_t i = 0; !err && !s->found && i < files.count; i++) {
		if (!open_one(&files.list[i], &src, &err))
			err = look_into(src, s, &first);
	}
	files_free(&files);
	return err;
}

int epoch_find(const struct location *at, uint64_t *ns)
{
	struct search s = { .found = false };
	int err = at->path ? search_dump(at, &s) : search_device(at, &s);

	if (!err && !s.found)
		err = -ENODATA;
	if (!err)
		*ns = s.wall - s.time;
	return err;
}

/* The earliest of the files' first ones. */
static int first_of_files(const struct location *at, struct search *s,
			  uint64_t *first)
{
	struct files files;
	struct source *src;
	uint64_t time;
	int err = location_files(at, &files);

	if (err)
		return err;
	for (size_t i = 0; !err && i < files.count; i++) {
		if (open_one(&files.list[i], &src, &err))
			continue;
		err = look_into(src, s, &time);
		if (!err && time < *first)
			*first = time;
	}
	files_free(&files);
	return err;
}

static int first_of_dump(const struct location *at, struct search *s,
			 uint64_t *first)
{
	struct source *src;
	int err;

	if (location_is_pipe(at->path))
		return -ENODATA;
	err = source_open(&src, at->path);
	return err ? err : look_into(src, s, first);
}

int epoch_first(const struct location *at, uint64_t *time)
{
	struct search s = { .found = false };
	uint64_t first = UINT64_MAX;
	int err = at->path ? first_of_dump(at, &s, &first) :
			     first_of_files(at, &s, &first);

	if (!err && first == UINT64_MAX)
		err = -ENODATA;
	if (!err)
		*time = first;
	return err;
}
