/* Counting what happened; see stats.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "trace/device.h"
#include "trace/names.h"
#include "trace/record.h"

/* what an action counts as; STATS_NONE for all that have no row here */
static const uint8_t kinds[BLK_TA_COUNT] = {
	[BLK_TA_QUEUE] = STATS_QUEUED,
	[BLK_TA_BACKMERGE] = STATS_MERGED,
	[BLK_TA_FRONTMERGE] = STATS_MERGED,
	[BLK_TA_REQUEUE] = STATS_REQUEUED,
	[BLK_TA_ISSUE] = STATS_ISSUED,
	[BLK_TA_COMPLETE] = STATS_COMPLETED,
};

static const uint8_t pc_kinds[BLK_TA_COUNT] = {
	[BLK_TA_QUEUE] = STATS_PC_QUEUED,
	[BLK_TA_REQUEUE] = STATS_PC_REQUEUED,
	[BLK_TA_ISSUE] = STATS_PC_ISSUED,
	[BLK_TA_COMPLETE] = STATS_PC_COMPLETED,
};

void stats_free(struct stats *s)
{
	for (uint32_t i = 0; i < s->process_count; i++)
		free(s->process_list[i]);
	free(s->process_list);
	hash_free(&s->processes);
	free(s->lanes);
	free(s->devices);
	*s = (struct stats){ 0 };
}

/* Grows *array, zeroed, so that index fits in; NULL: no memory. */
static void *reach(void *array, uint32_t *count, uint32_t index, size_t size)
{
	uint32_t more = *count ? *count : 16;
	char *bigger;

	while (more <= index)
		more *= 2;
	bigger = realloc(array, more * size);
	if (!bigger)
		return NULL;
	memset(bigger + *count * size, 0, (more - *count) * size);
	*count = more;
	return bigger;
}

struct counters *stats_lane(struct stats *s, const struct lane *lane)
{
	if (lane->id >= s->lane_count) {
		void *lanes = reach(s->lanes, &s->lane_count, lane->id,
				    sizeof(*s->lanes));

		if (!lanes)
			return NULL;
		s->lanes = lanes;
	}
	return &s->lanes[lane->id];
}

struct device_stats *stats_device(struct stats *s, const struct lane *lane)
{
	uint32_t id = lane->device->id;

	if (id >= s->device_count) {
		void *devices = reach(s->devices, &s->device_count, id,
				      sizeof(*s->devices));

		if (!devices)
			return NULL;
		s->devices = devices;
	}
	return &s->devices[id];
}

static enum stats_kind kind_of(const struct event *ev)
{
	uint32_t nr = event_number(ev);

	if (nr >= BLK_TA_COUNT)
		return STATS_NONE;
	return event_is_pc(ev) ? pc_kinds[nr] : kinds[nr];
}

/* A requeued request counts as issued still, but its bytes do not. */
static void take_back(struct counters *c, enum stats_kind kind, int dir,
		      uint32_t bytes)
{
	enum stats_kind issued = kind == STATS_REQUEUED ? STATS_ISSUED :
							  STATS_PC_ISSUED;

	c->io[kind][dir].count++;
	c->io[issued][dir].kib -= bytes >> 10;
	c->io[issued][dir].rest -= bytes & 1023;
}

static void count_unplug(struct counters *c, const struct event *ev)
{
	switch (event_number(ev)) {
	case BLK_TA_UNPLUG_IO:
	case BLK_TA_ZONE_UNPLUG:
		c->io_unplugs++;
		break;
	case BLK_TA_UNPLUG_TIMER:
		c->timer_unplugs++;
		break;
	}
}

static void count(struct counters *c, enum stats_kind kind,
		  const struct event *ev)
{
	int dir = event_is_write(ev) ? STATS_WRITE : STATS_READ;

	if (kind == STATS_NONE) {
		if (!event_is_pc(ev))
			count_unplug(c, ev);
		return;
	}
	if (kind == STATS_REQUEUED || kind == STATS_PC_REQUEUED) {
		take_back(c, kind, dir, ev->bytes);
		return;
	}
	c->io[kind][dir].count++;
	if (kind == STATS_PC_COMPLETED)
		return;
	c->io[kind][dir].kib += ev->bytes >> 10;
	c->io[kind][dir].rest += ev->bytes & 1023;
}

/* How many requests are with the device, reads and writes apart. */
static void follow_depth(struct device_stats *d, enum stats_kind kind, int dir)
{
	switch (kind) {
	case STATS_ISSUED:
	case STATS_PC_ISSUED:
		if (++d->depth[dir] > d->depth_max[dir])
			d->depth_max[dir] = d->depth[dir];
		break;
	case STATS_COMPLETED:
	case STATS_PC_COMPLETED:
	case STATS_REQUEUED:
	case STATS_PC_REQUEUED:
		if (d->depth[dir])
			d->depth[dir]--;
		break;
	default:
		break;
	}
}

/* Names are short: a 64-bit hash of one stands for it. */
static uint64_t text_key(const char *name)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3u;
	return h;
}

static uint64_t pid_key(uint16_t origin, uint32_t pid)
{
	return (uint64_t)origin << 32 | pid;
}

/* A nameless process is nobody's namesake until it has been given a name. */
static struct process_stats *namesake(const struct stats *s, uint16_t origin,
				      uint32_t pid)
{
	const char *name = names_get(s->names, origin, pid);
	struct process_stats *p = NULL;

	if (name)
		p = hash_get(&s->processes, text_key(name));
	if (p && p->pid != pid)
		p->several = true;
	return p;
}

struct process_stats *stats_process(const struct stats *s, uint16_t origin,
				    uint32_t pid)
{
	if (s->by_name)
		return namesake(s, origin, pid);
	return hash_get(&s->processes, pid_key(origin, pid));
}

/* Makes p known by its pid or, as the newest of that name, by its name. */
static int enter_process(struct stats *s, struct process_stats *p)
{
	uint64_t key = pid_key(p->origin, p->pid);

	/* as in 1.3.0, a nameless process really gets this name */
	names_learn(s->names, p->origin, p->pid, "unknown", 7);
	if (s->by_name) {
		const char *name = names_get(s->names, p->origin, p->pid);

		key = text_key(name ? name : "unknown");
	}
	return hash_put(&s->processes, key, p);
}

static struct process_stats *new_process(struct stats *s,
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

/* Events that count nowhere make no process known, either. */
static bool counts(enum stats_kind kind, const struct event *ev)
{
	uint32_t nr = event_number(ev);

	return kind != STATS_NONE ||
	       (!event_is_pc(ev) &&
		(nr == BLK_TA_UNPLUG_IO || nr == BLK_TA_UNPLUG_TIMER ||
		 nr == BLK_TA_ZONE_UNPLUG));
}

static int count_process(struct stats *s, enum stats_kind kind,
			 const struct event *ev)
{
	struct process_stats *p;

	if (!counts(kind, ev))
		return 0;
	p = stats_process(s, ev->origin, ev->pid);
	if (!p && s->process_count >= PROCESSES_MAX)
		return 0;
	if (!p)
		p = new_process(s, ev);
	if (!p)
		return -ENOMEM;
	count(&p->counters, kind, ev);
	return 0;
}

int stats_count(struct stats *s, const struct event *ev)
{
	enum stats_kind kind = kind_of(ev);
	struct counters *c = stats_lane(s, ev->lane);
	struct device_stats *d = stats_device(s, ev->lane);

	if (!c || !d)
		return -ENOMEM;
	count(c, kind, ev);
	follow_depth(d, kind, event_is_write(ev) ? STATS_WRITE : STATS_READ);
	return s->per_process ? count_process(s, kind, ev) : 0;
}

void counters_add(struct counters *a, const struct counters *b)
{
	for (int kind = 0; kind < STATS_KINDS; kind++)
		for (int dir = 0; dir < 2; dir++) {
			a->io[kind][dir].count += b->io[kind][dir].count;
			a->io[kind][dir].kib += b->io[kind][dir].kib;
			a->io[kind][dir].rest += b->io[kind][dir].rest;
		}
	a->io_unplugs += b->io_unplugs;
	a->timer_unplugs += b->timer_unplugs;
}
