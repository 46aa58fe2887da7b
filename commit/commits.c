/* SPDX-License-Identifier: GPL-2.0-only */
/* The calls of a trace; see commits.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/time.h"
#include "blktrace.h"
#include "commit/commits.h"
#include "commit/parts.h"
#include "commit/writes.h"
#include "record/record.h"
#include "request/io.h"
#include "run/device.h"

enum {
	WAITING_FIRST = 64,
	WAITING_MAX = 1 << 16,	/* calls whose I/Os are not all known */
};

/* an I/O that has ended is returned after no more than this, ns */
#define LATE (NS_PER_SECOND / 10)

struct commits {
	struct commits_options o;
	struct writes writes;
	struct parts parts;
	struct commit *waiting;	/* in order of ends */
	size_t first, count, size;	/* those before the first are done */
	bool calls;
	uint64_t now;		/* the latest message's or end's time */
	uint64_t gap_from, gap_to;	/* the latest hole in the records */
	struct hash paths;	/* by machine and number: text */
};

/* --- names ---------------------------------------------------------------- */

static const struct {
	const char *name, *text;
} part_names[COMMIT_PARTS] = {
	[COMMIT_DATA] = { "data", "own data" },
	[COMMIT_JOURNAL] = { "journal", "journal write" },
	[COMMIT_FLUSH] = { "flush", "flush" },
	[COMMIT_OTHER] = { "other", "waiting for another commit" },
	[COMMIT_WRITEBACK] = { "writeback", "writeback" },
	[COMMIT_IDLE] = { "idle", "without I/O" },
};

const char *commit_part_name(enum commit_part part)
{
	return part_names[part].name;
}

const char *commit_part_text(enum commit_part part)
{
	return part_names[part].text;
}

const char *commit_kind_text(const struct commit *c)
{
	static const char *const names[] = {
		[COMMIT_OF_JOURNAL] = "journal commit",
		[COMMIT_OF_FLUSH] = "flush",
	};

	return c->kind == COMMIT_CALL ? sync_call_names[c->call] :
					names[c->kind];
}

/* --- files ---------------------------------------------------------------- */

static uint64_t file_key(uint16_t origin, uint32_t file)
{
	return (uint64_t)origin << 32 | file;
}

static int name_file(struct commits *c, uint16_t origin, uint32_t file,
		     const char *path, size_t len)
{
	uint64_t key = file_key(origin, file);
	char *text, *was = hash_get(&c->paths, key);

	if (!was && c->paths.count >= COMMITS_FILES)
		return 0;
	text = strndup(path, len);
	if (!text || hash_put(&c->paths, key, text)) {
		free(text);
		return -ENOMEM;
	}
	free(was);
	return 0;
}

const char *commits_path(const struct commits *c, uint16_t origin,
			 uint32_t file)
{
	return hash_get(&c->paths, file_key(origin, file));
}

static void free_paths(struct commits *c)
{
	for (size_t i = 0; c->paths.count && i <= c->paths.mask; i++)
		free(c->paths.slots[i].value);
	hash_free(&c->paths);
}

/* --- calls ---------------------------------------------------------------- */

/* its parts, when all that it waited for is known */
static int finish(struct commits *c, struct commit *commit)
{
	int err = parts_divide(&c->parts, &c->writes, commit);

	return err ? err : c->o.take(c->o.ctx, commit);
}

static uint64_t end_of(const struct commit *c)
{
	return c->time + c->duration;
}

static int finish_until(struct commits *c, uint64_t time)
{
	int err = 0;

	while (!err && c->first < c->count &&
	       (end_of(&c->waiting[c->first]) <= time ||
		c->count - c->first > WAITING_MAX))
		err = finish(c, &c->waiting[c->first++]);
	if (c->first == c->count)
		c->first = c->count = 0;
	return err;
}

/* removes the ones that are done, if they are many */
static void close_ranks(struct commits *c)
{
	if (c->first < WAITING_FIRST || c->first < c->count / 2)
		return;
	memmove(c->waiting, c->waiting + c->first,
		(c->count - c->first) * sizeof(*c->waiting));
	c->count -= c->first;
	c->first = 0;
}

static int wait_for(struct commits *c, const struct commit *commit)
{
	struct commit *list;

	close_ranks(c);
	list = array_reserve(c->waiting, c->count, &c->size, WAITING_FIRST,
			     sizeof(*list));
	if (!list)
		return -ENOMEM;
	c->waiting = list;
	list[c->count++] = *commit;
	return 0;
}

static bool in_gap(const struct commits *c, uint64_t from, uint64_t to)
{
	return from <= c->gap_to && to >= c->gap_from;
}

/* A call from before the trace's first event counts from there. */
static int add_call(struct commits *c, const struct event *ev,
		    const struct sync_call *call)
{
	uint64_t duration = call->duration < ev->time ? call->duration :
							ev->time;
	struct commit commit = {
		.kind = COMMIT_CALL, .call = call->kind,
		.time = ev->time - duration, .duration = duration,
		.thread = ev->pid, .process = call->process,
		.file = call->file, .origin = ev->origin,
		.device = ev->device,
		.disk = ev->lane ? ev->lane->device : NULL,
		.unsure = duration < call->duration ||
			  in_gap(c, ev->time - duration, ev->time),
	};

	return wait_for(c, &commit);
}

int commits_message(struct commits *c, const struct event *ev)
{
	struct sync_call call;
	const char *path;
	uint32_t file;
	size_t len;
	int err = ev->time > LATE && c->count ?
			  finish_until(c, ev->time - LATE) : 0;

	c->now = ev->time;
	if (err)
		return err;
	if (payload_sync_call(ev, &call)) {
		c->calls = true;
		return add_call(c, ev, &call);
	}
	if (!payload_sync_file(ev, &file, &path, &len))
		return 0;
	c->calls = true;
	return name_file(c, ev->origin, file, path, len);
}

void commits_gap(struct commits *c, bool begins)
{
	if (begins)
		c->gap_from = c->now;
	c->gap_to = begins ? UINT64_MAX : c->now;
}

/* --- without calls -------------------------------------------------------- */

/* a journal commit, as if its process had called for it */
static int take_unit(struct commits *c, const struct unit *u)
{
	struct commit commit = {
		.kind = COMMIT_OF_JOURNAL, .time = u->from,
		.duration = u->to - u->from, .thread = u->thread,
		.origin = u->origin, .device = u->device, .disk = u->disk,
	};

	return finish(c, &commit);
}

/* the write added last, if it has a flush or FUA */
static int take_flush(struct commits *c, const struct io *io)
{
	const uint32_t flags = BLK_TC_BIT(BLK_TC_FLUSH) |
			       BLK_TC_BIT(BLK_TC_FUA);
	struct commit commit = {
		.kind = COMMIT_OF_FLUSH, .time = io->time,
		.duration = io->total, .thread = io->pid,
		.origin = io->origin, .device = io->device,
		.disk = io->disk,
	};

	if (!(io->categories & flags) || io->kind == IO_FLUSH)
		return 0;
	return finish(c, &commit);
}

static int take_uncalled(struct commits *c, const struct io *io,
			 const struct unit *ended)
{
	const struct write *w = writes_get(&c->writes, 0);

	if (ended)
		return take_unit(c, ended);
	return w && w->kind != WRITE_JOURNAL ? take_flush(c, io) : 0;
}

/* --- I/Os ----------------------------------------------------------------- */

int commits_io(struct commits *c, const struct io *io)
{
	const struct unit *ended;
	int err;

	if (!writes_want(io))
		return 0;
	c->now = io->time + io->total;
	err = finish_until(c, c->now - 1);
	if (err)
		return err;
	err = writes_add(&c->writes, io,
			 c->o.name(c->o.name_ctx, io->origin, io->pid),
			 &ended);
	if (err || c->calls)
		return err;
	return take_uncalled(c, io, ended);
}

int commits_until(struct commits *c, uint64_t time)
{
	return finish_until(c, time);
}

int commits_end(struct commits *c)
{
	return finish_until(c, UINT64_MAX);
}

bool commits_has_calls(const struct commits *c)
{
	return c->calls;
}

/* --- beginning and end ---------------------------------------------------- */

int commits_new(struct commits **out, const struct commits_options *o)
{
	struct commits *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	c->o = *o;
	c->gap_from = UINT64_MAX;
	if (writes_init(&c->writes)) {
		commits_free(c);
		return -ENOMEM;
	}
	*out = c;
	return 0;
}

void commits_free(struct commits *c)
{
	if (!c)
		return;
	writes_free(&c->writes);
	parts_free(&c->parts);
	free_paths(c);
	free(c->waiting);
	free(c);
}
