/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches in front of devices; see caches.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/time.h"
#include "cache/cache.h"
#include "request/io.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/group_op.h"
#include "tools/btstat/caches.h"

#define HOUR (3600 * NS_PER_SECOND)

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

/* The number of a process's name; -ENOMEM. */
static int number_of(struct caches *c, const struct io *io)
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
	return (uint32_t)((c->start + time) / HOUR % TOUCHED_GROUPS);
}

int caches_add(struct caches *c, const struct io *io)
{
	enum group_op op = group_op_of(io);
	uint32_t id = io->disk->id;
	int process;

	if ((op != GROUP_READ && op != GROUP_WRITE) || id >= CACHES_MAX)
		return 0;
	if (UNLIKELY(id >= c->count || !c->list[id]) && new_cache(c, id))
		return -ENOMEM;
	process = number_of(c, io);
	if (process < 0)
		return process;
	return cache_add(c->list[id], &(struct cache_io){
		.write = op == GROUP_WRITE, .sector = io->sector,
		.bytes = io->bytes, .time = io->time,
		.process = (uint32_t)process, .hour = hour_of(c, io->time) });
}

void caches_free(struct caches *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		cache_free(c->list[i]);
	for (uint32_t i = 0; i < c->name_count; i++)
		free(c->names[i]);
	hash_free(&c->by_name);
	free(c->list);
	*c = (struct caches){ .list = NULL };
}
