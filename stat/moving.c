/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of the last while; see moving.h. */
#include "stat/moving.h"

void moving_init(struct moving *m, uint64_t over)
{
	m->step = over / MOVING_PARTS;
}

int moving_add(struct moving *m, uint64_t value)
{
	return histogram_add(&m->parts[m->newest], value);
}

/* What cannot be added for want of memory is missing until it would go. */
static void sum_up(struct moving *m)
{
	histogram_free(&m->all);
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		if (m->parts[i].count)
			histogram_merge(&m->all, &m->parts[i]);
}

/* After a long silence nothing is left of what was before it. */
static void forget_all(struct moving *m, uint64_t now)
{
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		histogram_free(&m->parts[i]);
	m->begin = now - m->step;
}

bool moving_step(struct moving *m, uint64_t now)
{
	if (!m->begin)
		m->begin = now;
	if (now < m->begin || now - m->begin < m->step)
		return false;
	if (now - m->begin >= (MOVING_PARTS + 1) * m->step)
		forget_all(m, now);
	sum_up(m);
	m->newest = (m->newest + 1) % MOVING_PARTS;
	histogram_free(&m->parts[m->newest]);
	m->begin += m->step;
	return true;
}

void moving_free(struct moving *m)
{
	for (unsigned int i = 0; i < MOVING_PARTS; i++)
		histogram_free(&m->parts[i]);
	histogram_free(&m->all);
}
