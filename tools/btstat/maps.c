/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat maps of a run; see maps.h. */
#include <errno.h>

#include "base/hint.h"
#include "run/device.h"
#include "stat/group_op.h"
#include "stat/heat.h"
#include "stat/measure.h"
#include "tools/btstat/maps.h"

static COLD struct map *new_map(struct maps *m, uint32_t device, uint32_t op)
{
	struct heat_size size = HEAT_SIZE;
	struct map *map = &m->list[m->count];

	if (m->count == MAPS_MAX) {
		m->list[MAPS_MAX - 1].other = true;
		return &m->list[MAPS_MAX - 1];
	}
	size.from = m->from;
	*map = (struct map){ .device = device, .op = op };
	if (heat_new(&map->heat, &size))
		return NULL;
	m->count++;
	return map;
}

static struct map *map_of(struct maps *m, const struct io *io)
{
	uint32_t device = m->one ? 0 : io->disk->id;
	uint32_t op = m->one ? 0 : group_op_of(io);

	for (unsigned int i = 0; i < m->count; i++)
		if (m->list[i].device == device && m->list[i].op == op)
			return &m->list[i];
	return new_map(m, device, op);
}

int maps_add(struct maps *m, const struct io *io)
{
	uint64_t end = io->time + io->total, ns;
	struct map *map = map_of(m, io);

	if (!map)
		return -ENOMEM;
	if (io->error)
		heat_mark(map->heat, end, HEAT_ERROR);
	if (io->gap)
		heat_mark(map->heat, end, HEAT_LOST);
	if (io->requeues)
		heat_mark(map->heat, end, HEAT_REQUEUE);
	if (io->gap || !measure_get(io, m->measure, &ns))
		return 0;
	map->ios++;
	return heat_add(map->heat, end, ns);
}

void maps_label(struct maps *m, uint64_t time)
{
	for (unsigned int i = 0; i < m->count; i++)
		heat_mark(m->list[i].heat, time, HEAT_LABEL);
}

void maps_free(struct maps *m)
{
	for (unsigned int i = 0; i < m->count; i++)
		heat_free(m->list[i].heat);
	m->count = 0;
}
