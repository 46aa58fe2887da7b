/* SPDX-License-Identifier: GPL-2.0-only */
/* The latest writes and flushes; see writes.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "commit/writes.h"
#include "request/io.h"

enum {
	SECTOR = 512,
	LONE_BLOCK = 4096,	/* an ext4 commit block is no larger */
};

/* --- processes ------------------------------------------------------------ */

enum role {
	ROLE_PLAIN,
	ROLE_JOURNAL,		/* all its writes are a journal's */
	ROLE_WORKER,		/* of the kernel: by their flags */
	ROLE_CHECKPOINT,	/* metadata in their places, no journal */
	ROLE_URING		/* works for a thread of io_uring's */
};

/* by the beginnings of names: of ext4, btrfs, XFS, all */
static const struct {
	const char *prefix;
	enum role role;
} roles[] = {
	{ "jbd2/", ROLE_JOURNAL },
	{ "btrfs-transacti", ROLE_JOURNAL },
	{ "xfsaild/", ROLE_CHECKPOINT },
	{ "kworker/", ROLE_WORKER },
	{ "iou-wrk-", ROLE_URING },
};

static enum role role_of(const char *name, const char **rest)
{
	for (size_t i = 0; name && i < sizeof(roles) / sizeof(*roles); i++) {
		size_t len = strlen(roles[i].prefix);

		if (strncmp(name, roles[i].prefix, len))
			continue;
		*rest = name + len;
		return roles[i].role;
	}
	return ROLE_PLAIN;
}

/* --- a write -------------------------------------------------------------- */

static bool has(const struct io *io, enum blk_category category)
{
	return io->categories & BLK_TC_BIT(category);
}

static bool is_durable(const struct io *io)
{
	return has(io, BLK_TC_FLUSH) || has(io, BLK_TC_FUA);
}

/* Whether it is metadata that somebody waits for. */
static bool is_log(const struct io *io)
{
	return io->bytes && has(io, BLK_TC_META) &&
	       (has(io, BLK_TC_SYNC) || is_durable(io));
}

static enum write_kind kind_of(const struct io *io, enum role role)
{
	if (io->kind == IO_FLUSH)
		return WRITE_FLUSHER;
	if (role == ROLE_JOURNAL)
		return WRITE_JOURNAL;
	if (role != ROLE_CHECKPOINT && is_log(io))
		return WRITE_JOURNAL;
	return role == ROLE_WORKER || role == ROLE_CHECKPOINT ? WRITE_BACK :
								WRITE_PLAIN;
}

static uint64_t phase_of(const struct io *io, enum io_phase phase)
{
	return io->has & 1u << phase ? io->phase[phase] : 0;
}

static void set_times(struct write *w, const struct io *io)
{
	w->from = w->flushed = io->time;
	w->to = w->written = io->time + io->total;
	if (io->kind == IO_FLUSH && io->issued != IO_NONE)
		w->from = w->flushed = io->issued;
	if (io->has & 1u << IO_PREFLUSH)
		w->flushed = io->time + phase_of(io, IO_Q2G) +
			     phase_of(io, IO_PREFLUSH);
	w->written -= phase_of(io, IO_POSTFLUSH);
	if (io->op == IO_FLUSH_OP)	/* nothing else is in it */
		w->flushed = w->to;
}

static void fill(struct write *w, const struct io *io, const char *name)
{
	const char *rest = "";
	enum role role = role_of(name, &rest);

	*w = (struct write){
		.thread = role == ROLE_URING ?
				  (uint32_t)strtoul(rest, NULL, 10) : io->pid,
		.device = io->device,
		.bytes = io->bytes < UINT32_MAX ? (uint32_t)io->bytes :
						  UINT32_MAX,
		.origin = io->origin,
		.kind = (uint8_t)kind_of(io, role),
		/* flushes that wait together end together */
		.unsure = (!io->sure && io->op != IO_FLUSH_OP &&
			   io->kind != IO_FLUSH) || io->gap,
	};
	set_times(w, io);
}

/* --- journal commits ------------------------------------------------------ */

static uint64_t unit_key(const struct io *io)
{
	/* a process writes to few devices */
	return (uint64_t)io->device << 32 | (io->pid ^ (uint32_t)io->origin << 20);
}

static struct unit *unit_at(const struct writes *w, uint64_t number)
{
	return &w->units[number % UNITS_MAX];
}

const struct unit *writes_unit(const struct writes *w, uint64_t number)
{
	return number && number + UNITS_MAX > w->unit_count ?
		       unit_at(w, number) : NULL;
}

/* ext4's commit block is written when all before it is. */
static bool is_commit_block(const struct unit *u, const struct io *io)
{
	return u->bytes && io->bytes <= LONE_BLOCK && io->time >= u->to &&
	       io->sector == u->end_sector;
}

/* the process's journal commit that has not ended, or 0 */
static uint64_t open_unit(const struct writes *w, const struct io *io)
{
	int64_t low = hash_get_number(&w->open, unit_key(io));
	uint64_t number = low < 0 ? 0 : (uint64_t)low;

	return writes_unit(w, number) && !unit_at(w, number)->ended ? number :
								      0;
}

/* that, or a new one; 0: -ENOMEM */
static uint64_t find_unit(struct writes *w, const struct io *io)
{
	uint64_t number = open_unit(w, io);

	if (number)
		return number;
	number = ++w->unit_count;
	if (w->open.count > UNITS_MAX)
		hash_free(&w->open);
	if (hash_put_number(&w->open, unit_key(io), (uint32_t)number))
		return 0;
	*unit_at(w, number) = (struct unit){
		.from = io->time, .thread = io->pid, .device = io->device,
		.origin = io->origin, .disk = io->disk,
	};
	return number;
}

static int join_unit(struct writes *w, struct write *write,
		     const struct io *io, const struct unit **ended)
{
	uint64_t number = find_unit(w, io);
	struct unit *u;

	if (!number)
		return -ENOMEM;
	u = unit_at(w, number);
	u->ended = is_durable(io) || is_commit_block(u, io);
	u->from = io->time < u->from ? io->time : u->from;
	u->to = write->to;
	u->bytes += io->bytes;
	u->end_sector = io->sector + io->bytes / SECTOR;
	write->unit = number;
	write->ends_unit = u->ended;
	*ended = u->ended ? u : NULL;
	return 0;
}

/* Flushes belong to a commit that has begun (btrfs), but begin none. */
static void join_flush(struct writes *w, struct write *write,
		       const struct io *io)
{
	write->unit = open_unit(w, io);
	if (!write->unit)
		return;
	write->kind = WRITE_JOURNAL;
	unit_at(w, write->unit)->to = write->to;
}

/* --- the ring ------------------------------------------------------------- */

int writes_init(struct writes *w)
{
	*w = (struct writes){
		.list = calloc(WRITES_MAX, sizeof(*w->list)),
		.units = calloc(UNITS_MAX, sizeof(*w->units)),
	};
	return w->list && w->units ? 0 : -ENOMEM;
}

void writes_free(struct writes *w)
{
	free(w->list);
	free(w->units);
	hash_free(&w->open);
}

bool writes_want(const struct io *io)
{
	return io->kind != IO_PART && io->total != IO_NONE &&
	       (io->op == IO_WRITE || io->op == IO_FLUSH_OP ||
	       io->kind == IO_FLUSH || has(io, BLK_TC_META));
}

int writes_add(struct writes *w, const struct io *io, const char *name,
	       const struct unit **ended)
{
	struct write *write = &w->list[w->count % WRITES_MAX];

	*ended = NULL;
	fill(write, io, name);
	w->count++;
	if (io->op == IO_FLUSH_OP && io->kind != IO_FLUSH)
		join_flush(w, write, io);
	return write->kind == WRITE_JOURNAL && io->op == IO_WRITE ?
		       join_unit(w, write, io, ended) : 0;
}

const struct write *writes_get(const struct writes *w, uint64_t n)
{
	return n < w->count && n < WRITES_MAX ?
		       &w->list[(w->count - 1 - n) % WRITES_MAX] : NULL;
}
