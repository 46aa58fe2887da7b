/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of events; see stats.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "record/record.h"
#include "run/device.h"
#include "run/names.h"
#include "stats.h"

/* The effect of an action on the counters.  A requeued request still counts as
 * issued, but its bytes do not.  STATS_NONE is a counter that is never read. */
struct effect {
	uint8_t kind;		/* counted here */
	uint8_t bytes_to;	/* bytes are added to this, */
	int8_t sign;		/* or subtracted */
	int8_t depth;		/* change of requests at the device */
};

#define COUNTS_NOTHING { 0 }
#define COUNTS_QUEUED { STATS_QUEUED, STATS_QUEUED, 1, 0 }
#define COUNTS_MERGED { STATS_MERGED, STATS_MERGED, 1, 0 }
#define COUNTS_REQUEUED { STATS_REQUEUED, STATS_ISSUED, -1, -1 }
#define COUNTS_ISSUED { STATS_ISSUED, STATS_ISSUED, 1, 1 }
#define COUNTS_COMPLETED { STATS_COMPLETED, STATS_COMPLETED, 1, -1 }
#define COUNTS_UNPLUGS { STATS_IO_UNPLUGS, STATS_NONE, 0, 0 }
#define COUNTS_TIMERS { STATS_TIMER_UNPLUGS, STATS_NONE, 0, 0 }
#define COUNTS(name, letters, pc, rest, count, ...) \
	[BLK_TA_##name] = COUNTS_##count,

#define COUNTS_PC_NOTHING { 0 }
#define COUNTS_PC_QUEUED { STATS_PC_QUEUED, STATS_PC_QUEUED, 1, 0 }
#define COUNTS_PC_REQUEUED { STATS_PC_REQUEUED, STATS_PC_ISSUED, -1, -1 }
#define COUNTS_PC_ISSUED { STATS_PC_ISSUED, STATS_PC_ISSUED, 1, 1 }
#define COUNTS_PC_COMPLETED { STATS_PC_COMPLETED, STATS_NONE, 0, -1 }
#define NO(count) { 0 }
#define PC(count) COUNTS_PC_##count
#define CMD(count) COUNTS_PC_##count
#define COUNTS_PC(name, letters, pc, rest, count, ...) \
	[BLK_TA_##name] = pc(count),

/* [1]: for passthrough commands */
static const struct effect effects[2][BLK_TA_COUNT] = {
	{ BLK_ACTIONS(COUNTS) },
	{ BLK_ACTIONS(COUNTS_PC) },
};

void stats_free(struct stats *s)
{
	for (uint32_t i = 0; i < s->process_count; i++)
		free(s->process_list[i]);
	free(s->process_list);
	hash_free(&s->processes);
	for (uint32_t i = 0; i < s->lane_count; i++)
		free(s->lanes[i]);
	for (uint32_t i = 0; i < s->device_count; i++)
		free(s->devices[i]);
	free(s->lanes);
	free(s->devices);
	*s = (struct stats){ 0 };
}

/* Grows a list of pointers, NULL at first, to have index. */
static void *reach(void *list, uint32_t *count, uint32_t index)
{
	uint32_t more = *count ? *count : 16;
	void **bigger;

	while (more <= index)
		more *= 2;
	bigger = realloc(list, more * sizeof(*bigger));
	if (!bigger)
		return NULL;
	memset(bigger + *count, 0, (more - *count) * sizeof(*bigger));
	*count = more;
	return bigger;
}

static struct device_stats *add_device(struct stats *s, uint32_t id)
{
	if (id >= s->device_count) {
		void *list = reach(s->devices, &s->device_count, id);

		if (!list)
			return NULL;
		s->devices = list;
	}
	if (!s->devices[id])
		s->devices[id] = calloc(1, sizeof(**s->devices));
	return s->devices[id];
}

COLD struct lane_stats *stats_add_lane(struct stats *s, const struct lane *lane)
{
	struct device_stats *d = add_device(s, lane->device->id);
	struct lane_stats *l;

	if (!d)
		return NULL;
	if (lane->id >= s->lane_count) {
		void *list = reach(s->lanes, &s->lane_count, lane->id);

		if (!list)
			return NULL;
		s->lanes = list;
	}
	l = calloc(1, sizeof(*l));
	if (l)
		l->device = d;
	return s->lanes[lane->id] = l;
}

static const struct effect *effect_of(const struct event *ev)
{
	static const struct effect nothing = { .kind = STATS_NONE };
	uint32_t nr = event_number(ev);

	return nr < BLK_TA_COUNT ? &effects[event_is_pc(ev)][nr] : &nothing;
}

static inline void count_io(struct counters *c, const struct effect *effect,
			    int dir, uint32_t bytes)
{
	struct counter *io = &c->io[effect->bytes_to][dir];
	int64_t sign = effect->sign;

	c->io[effect->kind][dir].count++;
	io->kib += sign * (bytes >> 10);
	io->rest += sign * (bytes & 1023);
}

/* Follows the requests at the device, by direction. */
static inline void follow_depth(struct device_stats *d, int change, int dir)
{
	if (change > 0 && ++d->depth[dir] > d->depth_max[dir])
		d->depth_max[dir] = d->depth[dir];
	if (change < 0 && d->depth[dir])
		d->depth[dir]--;
}

/* A name on two hosts is two names. */
static uint64_t name_key(const struct stats *s, uint16_t origin,
			 const char *name)
{
	return hash_text(&s->processes, name, strlen(name)) ^
	       (uint64_t)origin << 48;
}

/* The entry of a process's name, or NULL if it has none. */
static struct process_stats *namesake(const struct stats *s, uint16_t origin,
				      uint32_t pid)
{
	const char *name = names_get(s->names, origin, pid);
	struct process_stats *p = NULL;

	if (name)
		p = hash_get(&s->processes, name_key(s, origin, name));
	if (p && p->pid != pid)
		p->several = true;
	return p;
}

struct process_stats *stats_process(const struct stats *s, uint16_t origin,
				    uint32_t pid)
{
	if (s->by_name)
		return namesake(s, origin, pid);
	return hash_get(&s->processes, origin_key(origin, pid));
}

/* Indexes p by its pid, or by its name as the newest of that name. */
static int enter_process(struct stats *s, struct process_stats *p)
{
	uint64_t key = origin_key(p->origin, p->pid);

	const char *name = names_get(s->names, p->origin, p->pid);

	s->newcomer = !name;
	if (s->by_name)
		key = name_key(s, p->origin, name ? name : "unknown");
	return hash_put(&s->processes, key, p);
}

static COLD struct process_stats *new_process(struct stats *s,
					      const struct event *ev)
{
	uint32_t size = s->process_size ? 2 * s->process_size : 64;
	struct process_stats *p;

	if (s->process_count == s->process_size) {
		struct process_stats **list =
			realloc(s->process_list, size * sizeof(*list));

		if (!list)
			return NULL;
		s->process_list = list;
		s->process_size = size;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->origin = ev->origin;
	p->pid = ev->pid;
	if (enter_process(s, p)) {
		free(p);
		return NULL;
	}
	return s->process_list[s->process_count++] = p;
}

/* Events that count nowhere make no entry, either. */
static int count_process(struct stats *s, const struct effect *effect,
			 const struct event *ev)
{
	struct process_stats *p;

	if (effect->kind == STATS_NONE)
		return 0;
	p = stats_process(s, ev->origin, ev->pid);
	if (!p && s->process_count >= PROCESSES_MAX) {
		s->left_out++;
		return 0;
	}
	if (!p)
		p = new_process(s, ev);
	if (!p)
		return -ENOMEM;
	count_io(&p->counters, effect, event_is_write(ev), ev->bytes);
	return 0;
}

int stats_count(struct stats *s, struct lane_stats *l, const struct event *ev)
{
	const struct effect *effect = effect_of(ev);
	int dir = event_is_write(ev) ? STATS_WRITE : STATS_READ;

	count_io(&l->counters, effect, dir, ev->bytes);
	if (effect->depth)
		follow_depth(l->device, effect->depth, dir);
	return s->per_process ? count_process(s, effect, ev) : 0;
}

void counters_add(struct counters *a, const struct counters *b)
{
	for (int kind = 0; kind < STATS_KINDS; kind++)
		for (int dir = 0; dir < 2; dir++) {
			a->io[kind][dir].count += b->io[kind][dir].count;
			a->io[kind][dir].kib += b->io[kind][dir].kib;
			a->io[kind][dir].rest += b->io[kind][dir].rest;
		}
}
