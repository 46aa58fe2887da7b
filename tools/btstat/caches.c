/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches in front of devices; see caches.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "cache/cache.h"
#include "request/io.h"
#include "run/device.h"
#include "stat/group_op.h"
#include "tools/btstat/caches.h"

static COLD int new_cache(struct caches *c, uint32_t id)
{
	struct cache **list = c->list;

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

int caches_add(struct caches *c, const struct io *io)
{
	enum group_op op = group_op_of(io);
	uint32_t id = io->disk->id;

	if ((op != GROUP_READ && op != GROUP_WRITE) || id >= CACHES_MAX)
		return 0;
	if (UNLIKELY(id >= c->count || !c->list[id]) && new_cache(c, id))
		return -ENOMEM;
	return cache_add(c->list[id], op == GROUP_WRITE, io->sector,
			 io->bytes);
}

void caches_free(struct caches *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		cache_free(c->list[i]);
	free(c->list);
	*c = (struct caches){ .list = NULL };
}
