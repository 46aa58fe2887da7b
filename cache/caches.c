/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches in front of devices; see caches.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/time.h"
#include "cache/inflow.h"
#include "cache/cache.h"
#include "cache/caches.h"
#include "request/io.h"
#include "run/device.h"
#include "run/reader.h"

#define HOUR (3600 * NS_PER_SECOND)

/* of an I/O that no cache sees */
enum { NO_OP = CACHE_DISCARD + 1 };

void caches_init(struct caches *c)
{
	c->only = CACHES_MAX;
}

/* --- caches --------------------------------------------------------------- */

static void find_start(struct caches *c)
{
	struct timespec wall;

	c->has_wall = !reader_wall(c->reader, 0, &wall);
	c->start = c->has_wall ? time_of_timespec(&wall) : 0;
}

static COLD int new_cache(struct caches *c, uint32_t id)
{
	struct cache **list = c->list;

	if (!c->count)
		find_start(c);
	if (id >= c->count) {
		list = array_resize(list, id + 1, sizeof(*list));
		if (!list)
			return -ENOMEM;
		memset(list + c->count, 0,
		       (id + 1 - c->count) * sizeof(*list));
		c->list = list;
		c->count = id + 1;
	}
	return cache_new(&list[id], c->block_bits, c->fifo);
}

static bool has_cache(const struct caches *c, uint32_t id)
{
	return LIKELY(id < c->count) && c->list[id];
}

/* --- all devices ---------------------------------------------------------- */

/* Another device's I/O, or one of the only device that a device above passed down. */
static COLD int make_all(struct caches *c)
{
	if (c->only == CACHES_MAX)
		return cache_new(&c->all, c->block_bits, c->fifo);
	return cache_copy(&c->all, c->list[c->only]);
}

/* Before the I/O is in its device's cache. */
static inline int prepare_all(struct caches *c, uint32_t id,
			      bool passed_down)
{
	if (LIKELY(c->all || (c->only == id && !passed_down)))
		return 0;
	if (passed_down)
		return c->only == id ? make_all(c) : 0;
	if (c->only != CACHES_MAX || has_cache(c, id))
		return make_all(c);
	c->only = id;
	return 0;
}

/* --- processes and hours -------------------------------------------------- */

struct asked {
	struct caches *caches;
	const struct arrival *io;
};

/* The number of a process's name; -ENOMEM. */
static int number_of(struct caches *c, const struct arrival *io)
{
	const char *name = reader_process(c->reader, io->origin, io->pid);
	uint64_t key = hash_text(&c->by_name, name ? name : "",
				 name ? strlen(name) : 0);
	int64_t number = hash_get_number(&c->by_name, key);

	if (number >= 0)
		return (int)number;
	if (c->name_count == CACHES_NAMES)
		return CACHES_NAMES - 1;
	number = c->name_count;
	c->names[number] = strdup(number == CACHES_NAMES - 1 ? "other" :
				  name ? name : "-");
	if (!c->names[number] ||
	    hash_put_number(&c->by_name, key, (uint32_t)number))
		return -ENOMEM;
	return (int)c->name_count++;
}

static uint32_t hour_of(const struct caches *c, uint64_t time)
{
	uint64_t hour = (c->start % HOUR + time) / HOUR;

	return hour < TOUCHED_HOURS ? (uint32_t)hour : TOUCHED_HOURS - 1;
}

uint64_t caches_hour(const struct caches *c, uint32_t hour)
{
	return c->start / HOUR + hour;
}

static int find_by(const void *ctx, struct touched_by *by)
{
	const struct asked *a = ctx;
	int process = number_of(a->caches, a->io);

	if (process < 0)
		return process;
	*by = (struct touched_by){ (uint32_t)process,
				   hour_of(a->caches, a->io->time) };
	return 0;
}

_Static_assert((int)CACHES_NAMES <= (int)TOUCHED_PROCESSES,
	       "numbers of processes fit");

/* --- I/Os ----------------------------------------------------------------- */

static int op_of(const struct io *io)
{
	static const unsigned char ops[IO_OPS] = {
		[IO_READ] = CACHE_READ, [IO_WRITE] = CACHE_WRITE,
		[IO_DISCARD] = CACHE_DISCARD, [IO_ZEROES] = CACHE_DISCARD,
		[IO_FLUSH_OP] = NO_OP, [IO_APPEND] = NO_OP, [IO_RESET] = NO_OP,
		[IO_RESET_ALL] = NO_OP, [IO_FINISH] = NO_OP,
		[IO_OPEN_ZONE] = NO_OP, [IO_CLOSE_ZONE] = NO_OP,
	};

	return io->kind == IO_PASS || io->kind == IO_FLUSH || !io->bytes ?
	       NO_OP : ops[io->op];
}

/* Hands an I/O to its caches. */
static int arrive(struct caches *c, const struct arrival *io)
{
	const struct asked asked = { c, io };
	struct cache_io one = {
		.op = (enum cache_op)io->op, .sector = io->sector,
		.bytes = io->bytes, .time = io->time,
		.by = find_by, .ctx = &asked,
	};
	int err;

	if (io->op == CACHE_DISCARD && !has_cache(c, io->disk))
		return 0;
	if (prepare_all(c, io->disk, io->passed_down) ||
	    (UNLIKELY(!has_cache(c, io->disk)) && new_cache(c, io->disk)))
		return -ENOMEM;
	err = cache_add(c->list[io->disk], &one);
	if (!c->all || io->passed_down)
		return err;
	one.device = io->disk == c->only ? 0 : io->disk + 1;
	return err | cache_add(c->all, &one);
}

int caches_add(struct caches *c, const struct io *io)
{
	int op = op_of(io), err = 0;

	if (op == NO_OP || io->disk->id >= CACHES_MAX)
		return 0;
	if (UNLIKELY(!c->inflow)) {
		c->inflow = inflow_new();
		if (!c->inflow)
			return -ENOMEM;
	}
	if (LIKELY(inflow_full(c->inflow)))
		err = arrive(c, inflow_take(c->inflow));
	inflow_add(c->inflow, &(struct arrival){
		.time = io->time, .id = io->id, .sector = io->sector,
		.bytes = io->bytes, .disk = io->disk->id, .pid = io->pid,
		.origin = io->origin, .op = op & 3,
		.passed_down = io->link == IO_REMAP,
	});
	return err;
}

int caches_end(struct caches *c)
{
	const struct arrival *io;
	int err = 0;

	while (c->inflow && !err && (io = inflow_take(c->inflow)))
		err = arrive(c, io);
	return err;
}

void caches_free(struct caches *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		cache_free(c->list[i]);
	cache_free(c->all);
	for (uint32_t i = 0; i < c->name_count; i++)
		free(c->names[i]);
	hash_free(&c->by_name);
	inflow_free(c->inflow);
	free(c->list);
	*c = (struct caches){ .list = NULL };
}
