/* SPDX-License-Identifier: GPL-2.0-only */
/* The table commits; see commit_row.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/escape.h"
#include "commit/commits.h"
#include "run/reader.h"
#include "run/window.h"
#include "tools/btexport/commit_row.h"
#include "tools/btexport/row_table.h"

enum { FIRST = 64 };

static const struct column columns[COMMIT_COLUMNS] = {
	{ "host", COLUMN_TEXT, false, "", "as in ios" },
	{ "trace", COLUMN_TEXT, false, "", "as in ios" },
	{ "disk", COLUMN_TEXT, false, "", "as in ios: its filesystem's" },
	{ "dev", COLUMN_TEXT, false, "", "as in ios" },
	{ "time_ns", COLUMN_INT64, false, "ns",
	  "its start, from the trace's first event" },
	[COMMIT_UNIX] = { "unix_ns", COLUMN_INT64, true, "ns",
	  "the same since 1970, UTC" },
	{ "call", COLUMN_TEXT, false, "",
	  "fsync, fdatasync, sync_file_range, msync, write (by O_SYNC or O_DSYNC);"
	  " without calls: journal commit, flush" },
	{ "file", COLUMN_TEXT, true, "", "its path; null: no call, or unknown" },
	{ "process", COLUMN_TEXT, true, "", "the thread's name" },
	{ "pid", COLUMN_INT64, true, "", "the process's id; null: no call" },
	{ "tid", COLUMN_INT64, false, "", "the thread's id" },
	{ "duration_ns", COLUMN_INT64, false, "ns",
	  "how long it took: the sum of the next six" },
	{ "data_ns", COLUMN_INT64, false, "ns", "own data" },
	{ "journal_ns", COLUMN_INT64, false, "ns", "journal writes" },
	{ "flush_ns", COLUMN_INT64, false, "ns", "flushes" },
	{ "other_ns", COLUMN_INT64, false, "ns",
	  "an earlier journal commit, or a flush begun for others" },
	{ "writeback_ns", COLUMN_INT64, false, "ns",
	  "writes of kernel workers that are no journal's" },
	{ "idle_ns", COLUMN_INT64, false, "ns",
	  "no I/O of these: CPU, locks, waking up" },
	{ "other_process", COLUMN_TEXT, true, "",
	  "of the longest earlier journal commit; null: none" },
	{ "other_bytes", COLUMN_INT64, false, "bytes",
	  "what these commits wrote" },
	{ "unsure", COLUMN_INT32, false, "",
	  "1: I/Os that it may have waited for are not all known" },
	{ "segment", COLUMN_INT32, false, "", "as in ios" },
};

const struct row_table commit_table = {
	.name = "commits",
	.words = "a call that waited for the disk, and what it waited for",
	.first = columns,
	.step = sizeof(*columns),
	.count = COMMIT_COLUMNS,
	.sums = { "duration_ns", "flush_ns" },
};

/* --- counting ------------------------------------------------------------- */

static int take(void *ctx, const struct commit *c)
{
	struct commit_rows *r = ctx;
	struct commit *list = array_reserve(r->list, r->count, &r->size, FIRST,
					    sizeof(*list));

	if (!list)
		return -ENOMEM;
	r->list = list;
	list[r->count++] = *c;
	return 0;
}

static void take_message(void *ctx, const struct event *ev)
{
	struct commit_rows *r = ctx;

	r->failed |= commits_message(r->commits, ev);
}

static void take_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	struct commit_rows *r = ctx;

	(void)origin;
	(void)device;
	commits_gap(r->commits, begins);
}

static const char *name_of(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

int commit_rows_init(struct commit_rows *r, struct ios *ios)
{
	const struct commits_options o = { name_of, ios_reader(ios), take, r };

	*r = (struct commit_rows){ .watcher = { take_message, take_gap, r } };
	ios_watch_messages(ios, &r->watcher);
	return commits_new(&r->commits, &o);
}

int commit_rows_add(struct commit_rows *r, const struct io *io)
{
	int err = commits_io(r->commits, io);

	return err ? err : r->failed;
}

int commit_rows_end(struct commit_rows *r)
{
	int err = commits_end(r->commits);

	return err ? err : r->failed;
}

void commit_rows_free(struct commit_rows *r)
{
	commits_free(r->commits);
	free(r->list);
}

/* --- rows ----------------------------------------------------------------- */

/* as iotracer has escaped them; other messages may be like its own */
static struct cell path_cell(const char *path)
{
	struct cell c = cell_text(path);

	for (size_t at = 0, len; path && path[at]; at += len) {
		len = escape_character(path + at, c.len - at);
		if (!len)
			return (struct cell){ .null = true };
	}
	return c;
}

static void put_row(struct commit_rows *r, struct naming *n,
		    const struct commit *c, struct cell *cells)
{
	bool calls = c->kind == COMMIT_CALL;

	cells[0] = *naming_host(n, c->origin);
	cells[1] = *naming_trace(n, c->origin);
	cells[2] = *naming_disk(n, c->disk, c->device);
	cells[3] = (struct cell){ .text = r->dev,
				  .len = naming_dev(r->dev, c->device) };
	cells[4] = cell_number(c->time);
	cells[6] = cell_text(commit_kind_text(c));
	cells[7] = path_cell(calls ? commits_path(r->commits, c->origin,
						  c->file) : NULL);
	cells[8] = *naming_process(n, c->origin, c->thread);
	cells[9] = (struct cell){ .number = c->process, .null = !calls };
	cells[10] = cell_number(c->thread);
	cells[11] = cell_number(c->duration);
	for (int i = 0; i < COMMIT_PARTS; i++)
		cells[12 + i] = cell_number(c->parts[i]);
	cells[18] = (struct cell){ .null = true };
	if (c->other)
		cells[18] = *naming_process(n, c->origin, c->other);
	cells[19] = cell_number(c->other_bytes);
	cells[20] = cell_number(c->unsure);
	cells[21] = cell_number(0);
}

static bool is_in(const struct window *w, const struct commit *c)
{
	uint64_t end = c->time + c->duration;

	return (end > w->start || !w->start) && end <= w->end && c->disk;
}

bool commit_rows_next(struct commit_rows *r, struct naming *n,
		      const struct window *w, struct cell cells[COMMIT_COLUMNS],
		      uint64_t *time)
{
	const struct commit *c;

	while (r->next < r->count) {
		c = &r->list[r->next++];
		if (!is_in(w, c))
			continue;
		put_row(r, n, c, cells);
		*time = c->time;
		return true;
	}
	r->next = r->count = 0;
	return false;
}
