/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's numbers; see tally.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/hint.h"
#include "capacity/capacity.h"
#include "base/time.h"
#include "findings/findings.h"
#include "request/ios.h"
#include "run/device.h"
#include "run/marks.h"
#include "run/reader.h"
#include "stat/depth_rows.h"
#include "stat/group_op.h"
#include "stat/heat.h"
#include "stat/measure.h"
#include "stat/pace.h"
#include "tools/btstat/notable.h"
#include "tools/btstat/options.h"
#include "tools/btstat/saver.h"
#include "tools/btstat/tally.h"

/* --- maps ----------------------------------------------------------------- */

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

/* adds a completed I/O; 0 or -ENOMEM */
static int maps_add(struct maps *m, const struct io *io)
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

/* a mark, in all maps */
static void maps_label(struct maps *m, uint64_t time)
{
	for (unsigned int i = 0; i < m->count; i++)
		heat_mark(m->list[i].heat, time, HEAT_LABEL);
}

static void maps_free(struct maps *m)
{
	for (unsigned int i = 0; i < m->count; i++)
		heat_free(m->list[i].heat);
	m->count = 0;
}

/* --- top ------------------------------------------------------------------ */

/* max may be 0; 0 or -ENOMEM */
static int top_init(struct top *t, unsigned int max, unsigned int measure)
{
	*t = (struct top){ .max = max, .measure = measure };
	if (!max)
		return 0;
	t->list = calloc(max, sizeof(*t->list));
	return t->list ? 0 : -ENOMEM;
}

static void top_free(struct top *t)
{
	heap_free(&t->heap);
	free(t->list);
	*t = (struct top){ .list = NULL };
}

/* An open I/O has an age, but no phases. */
static uint64_t span(const struct io *io, unsigned int measure)
{
	uint64_t ns;

	if (io->ended == IO_ENDED_OPEN &&
	    (measure == MEASURE_Q2C || measure == MEASURE_TOTAL))
		return io->age;
	if (!io_completed(io))
		return IO_NONE;
	return measure_get(io, measure, &ns) ? ns : IO_NONE;
}

static void put(struct top_io *to, const struct io *io, uint64_t by)
{
	uint64_t i2d = span(io, IO_I2D);

	*to = (struct top_io){
		.id = io->id, .time = io->time, .sector = io->sector,
		.bytes = io->bytes, .pid = io->pid, .by = by,
		.q2c = span(io, MEASURE_Q2C),
		.i2d = i2d != IO_NONE ? i2d : span(io, IO_M2D),
		.d2c = span(io, IO_D2C),
		.device = io->disk->id,
		.op = group_op_of(io),
		.origin = io->origin, .error = io->error,
		.open = io->ended == IO_ENDED_OPEN,
	};
}

/* adds a completed or open I/O; 0 or -ENOMEM */
static int top_add(struct top *t, const struct io *io)
{
	uint64_t by = span(io, t->measure);
	/* of two with one time, keep the earlier */
	struct order key = { .time = by, .rank = UINT64_MAX - io->id };
	const struct heap_node *least;

	if (by == IO_NONE)
		return 0;
	if (t->count < t->max) {
		put(&t->list[t->count], io, by);
		return heap_push(&t->heap, &key, t->count++);
	}
	least = heap_top(&t->heap);
	if (order_before(&least->key, &key)) {
		put(&t->list[least->id], io, by);
		heap_replace(&t->heap, &key, least->id);
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct top_io *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* the slowest first, then by id */
static void top_sort(struct top *t)
{
	if (t->count)
		qsort(t->list, t->count, sizeof(*t->list), compare);
}

/* --- tally ---------------------------------------------------------------- */

#define ALL_PHASES ((UINT32_C(1) << IO_PHASES) - 1)
#define Q2C (UINT32_C(1) << MEASURE_Q2C)
#define TOTAL (UINT32_C(1) << MEASURE_TOTAL)

static const char *name_of(void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

/* their rows are few and never joined */
static bool have_depth(const struct key_list *by)
{
	for (unsigned int i = 0; i < by->count; i++)
		if (by->keys[i] != GROUP_DEVICE && by->keys[i] != GROUP_OP &&
		    by->keys[i] != GROUP_HOST)
			return false;
	return true;
}

/* text shows it in one table, CSV in none */
static bool shows_depth(const struct stat_options *o)
{
	if (o->format == STAT_JSON)
		return have_depth(&o->by);
	return o->format == STAT_TEXT && !o->by.count && !o->top &&
	       !o->series && !o->explain;
}

static void set_keys(struct group_options *g, const struct stat_options *o)
{
	static const enum group_key usual[] = { GROUP_DEVICE, GROUP_OP };

	g->key_count = o->by.count ? o->by.count : 2;
	memcpy(g->keys, o->by.count ? o->by.keys : usual,
	       g->key_count * sizeof(*g->keys));
}

static uint32_t bit_of(int measure)
{
	return measure < 0 ? 0 : UINT32_C(1) << measure;
}

static uint32_t measures_of(const struct stat_options *o)
{
	if (o->histogram >= 0)
		return bit_of(o->histogram) | Q2C | TOTAL;
	if (o->measures)
		return o->measures | Q2C | (o->by.count ? TOTAL : 0);
	/* a table by keys has one line per row, of Q2C */
	if (o->format == STAT_TEXT && (o->by.count || (o->cache && !o->save)))
		return Q2C | TOTAL;
	return ALL_PHASES | Q2C;
}

const enum group_key tally_user_keys[TALLY_USERS] = { GROUP_PROCESS,
						      GROUP_CGROUP };

/* capacities, and who uses them */
static int init_capacity(struct tally *t)
{
	struct group_options g = t->group_options;
	int err;

	if (!t->o->capacity)
		return 0;
	err = capacity_new(&t->capacity, &t->o->window, t->o->capacity_target);
	g.key_count = 2;
	g.keys[0] = GROUP_DEVICE;
	g.measures = TOTAL;
	g.places = g.depth = g.depth_most = false;
	g.under_count = 0;
	for (int i = 0; !err && i < TALLY_USERS; i++) {
		g.keys[1] = tally_user_keys[i];
		err = group_new(&t->users[i], &g);
	}
	return err;
}

int tally_init(struct tally *t, const struct stat_options *o,
	       struct ios *ios)
{
	struct group_options *g = &t->group_options;
	int err;

	*t = (struct tally){ .o = o, .ios = ios };
	set_keys(g, o);
	g->measures = measures_of(o);
	t->maps.measure = (unsigned int)o->heatmap;
	t->maps.from = o->window.start;
	t->maps.one = o->by.count;
	g->places = o->format == STAT_JSON;
	g->depth = shows_depth(o);
	g->depth_most = o->format == STAT_JSON;
	g->from = o->window.start;
	memcpy(g->under, o->under.list, sizeof(g->under));
	g->under_count = o->under.count;
	g->interval = o->interval;
	g->name = name_of;
	g->name_ctx = ios_reader(ios);
	g->marks = reader_marks(ios_reader(ios));
	g->cgroups = reader_cgroups(ios_reader(ios));
	t->caches.block_bits = o->cache ? o->block_bits : 0;
	t->caches.fifo = o->cache == STAT_CACHE_S3FIFO;
	t->caches.reader = ios_reader(ios);
	caches_init(&t->caches);
	t->extra = o->top || o->heatmap >= 0 || o->cache || o->capacity;
	t->of_all = o->commits || o->capacity;
	filter_init(&t->filter, o->mask, o->where, ios_reader(ios));
	err = group_new(&t->group, g);
	if (!err)
		err = init_capacity(t);
	if (!err && !filter_is_on(&t->filter) && o->format != STAT_CSV)
		err = findings_new(&t->findings, notable_name,
				   ios_reader(ios));
	if (!err && o->commits)
		err = committed_init(&t->committed, ios, &o->window);
	return err ? err : top_init(&t->top, o->top, (unsigned int)o->order);
}

/* --- requests at the device ----------------------------------------------- */

static inline int under_way(struct tally *t, const struct io *io,
			    uint64_t from, uint64_t to)
{
	int err = 0;

	if (t->group_options.depth)
		err = group_under_way(t->group, io, from, to);
	if (UNLIKELY(t->intervals))
		err |= intervals_under_way(t->intervals, from, to);
	return err;
}

/* the depth may be greater */
static COLD int doubt(struct tally *t, const struct io *io, uint64_t from)
{
	if (t->intervals && io->ended == IO_ENDED_OPEN)
		intervals_doubt(t->intervals, from);
	return t->group_options.depth ? group_doubt(t->group, io) : 0;
}

/* An unfinished I/O counts for the time that it was certainly open. */
static COLD int add_unfinished(struct tally *t, const struct io *io)
{
	struct depth_span span;
	uint64_t until;
	int err = 0;

	if (!at_device(io, &span))
		return at_device_given_up(io) &&
		       io_in_window(io, &t->o->window) ?
		       doubt(t, io, io->time) : 0;
	until = paces_until(&t->paces, ios_reader(t->ios), io, &span);
	if (until > span.from)
		err = under_way(t, io, span.from, until);
	return until < span.to ? err | doubt(t, io, until) : err;
}

/* the times at the device before the request was requeued */
static COLD int add_stays(struct tally *t, const struct io *io)
{
	int err = 0;

	for (const struct io_stay *s = io->stays; s; s = s->before)
		err |= under_way(t, io, s->from, s->to);
	return err;
}

/* A device's pace counts all its I/Os, also those that do not pass. */
static inline int add_depth(struct tally *t, const struct io *io, bool passes)
{
	struct depth_span span;
	int err = 0;

	if (UNLIKELY(io->stays) && passes)
		err = add_stays(t, io);
	if (UNLIKELY(!io_completed(io)))
		return passes ? err | add_unfinished(t, io) : err;
	if (UNLIKELY(!at_device(io, &span)))
		return err;
	err |= paces_add(&t->paces, io, &span);
	return passes ? err | under_way(t, io, span.from, span.to) : err;
}

void tally_set_intervals(struct tally *t, struct intervals *i)
{
	const struct depth_open open = { pace_open_add, &t->open };

	t->open = (struct pace_open){ &t->paces, t->ios, &t->filter };
	intervals_watch_open(i, &open);
	t->intervals = i;
	t->extra = true;
}

void tally_set_saver(struct tally *t, struct saver *s)
{
	t->saver = s;
	t->extra = true;
}

/* --- an I/O --------------------------------------------------------------- */

/* The clock is known before the first I/O, or never. */
static COLD int save(struct tally *t, const struct io *io)
{
	struct timespec wall;

	if (!saver_has_clock(t->saver))
		saver_set_clock(t->saver,
				reader_wall(ios_reader(t->ios), 0, &wall) ?
				0 : time_of_timespec(&wall));
	return io_completed(io) && !io->gap ? saver_add(t->saver, io) : 0;
}

/* beside the tables by keys */
static APART int add_extra(struct tally *t, const struct io *io,
			   uint64_t bytes)
{
	int err = t->saver ? save(t, io) : 0;

	if (t->o->top && !io->gap)
		err |= top_add(&t->top, io);
	if (!io_completed(io))
		return err;
	if (t->intervals && (io->kind != IO_FLUSH || t->o->per_request))
		err |= intervals_add(t->intervals, io, bytes);
	if (t->o->heatmap >= 0)
		err |= maps_add(&t->maps, io);
	if (t->o->cache)
		err |= caches_add(&t->caches, io);
	for (int i = 0; t->capacity && i < TALLY_USERS; i++)
		err |= group_add_more(t->users[i], io, bytes);
	return err;
}

/* what all I/Os count in, also outside of the window */
static APART int add_of_all(struct tally *t, const struct io *io)
{
	int err = t->committed.commits ? committed_add(&t->committed, io) : 0;

	return t->capacity ? err | capacity_add(t->capacity, io) : err;
}

int tally_add(struct tally *t, const struct io *io)
{
	uint64_t bytes = t->o->per_request && io->rq ? io->rq_bytes :
						       io->bytes;
	bool in = io_in_window(io, &t->o->window), passes;
	int err = 0;

	if (in)
		err = coverages_add(&t->coverages, io);
	if (UNLIKELY(io->ended == IO_ENDED_OPEN))
		err |= coverages_open(&t->coverages, io, io->age);
	if (UNLIKELY(t->of_all))
		err |= add_of_all(t, io);
	if (in && t->findings)
		err |= findings_io(t->findings, io);
	passes = filter_passes(&t->filter, io, ios_time(t->ios));
	if (t->group_options.depth || t->intervals)
		err |= add_depth(t, io, passes);
	if (!passes || !in || !filter_is_unit(t->o->per_request, io)) {
		group_skip(t->group, io);
		return err;
	}
	err |= group_add(t->group, io, bytes);
	if (UNLIKELY(t->extra))
		err |= add_extra(t, io, bytes);
	return err;
}

/* puts the window's marks into the maps */
static void label_maps(struct tally *t)
{
	const struct marks *m = reader_marks(ios_reader(t->ios));
	const struct window *w = &t->o->window;

	for (size_t i = 0; i < m->count; i++)
		if (m->list[i].time >= w->start && m->list[i].time <= w->end)
			maps_label(&t->maps, m->list[i].time);
}

int tally_end(struct tally *t)
{
	int err = 0;

	label_maps(t);
	top_sort(&t->top);
	if (t->committed.commits)
		err = committed_end(&t->committed);
	if (t->capacity)
		err = capacity_end(t->capacity, ios_end(t->ios));
	for (int i = 0; t->capacity && i < TALLY_USERS; i++)
		err |= group_end(t->users[i]);
	return err | caches_end(&t->caches) | group_end(t->group);
}

void tally_free(struct tally *t)
{
	coverages_free(&t->coverages);
	paces_free(&t->paces);
	group_free(t->group);
	findings_free(t->findings);
	top_free(&t->top);
	maps_free(&t->maps);
	caches_free(&t->caches);
	committed_free(&t->committed);
	capacity_free(t->capacity);
	for (int i = 0; i < TALLY_USERS; i++)
		group_free(t->users[i]);
}
