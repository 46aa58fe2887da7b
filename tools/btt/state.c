/* SPDX-License-Identifier: GPL-2.0-only */
/* btt's state; see state.h. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/hint.h"
#include "base/msg.h"
#include "record/payload.h"
#include "record/record.h"
#include "tools/btt/datafile.h"
#include "tools/btt/disk.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/memory.h"
#include "tools/btt/options.h"
#include "tools/btt/processes.h"
#include "tools/btt/seconds.h"
#include "tools/btt/select.h"
#include "tools/btt/spans.h"
#include "tools/btt/state.h"

/* --- remappers ------------------------------------------------------------ */

/* 1.3.0: md, and the usual majors of device mapper */
enum { MD = 9, LOCAL_253 = 253, LOCAL_254 = 254 };

static void remappers_free(struct remappers *r)
{
	hash_free(&r->from);
}

static bool is_remap(const struct event *ev)
{
	return event_number(ev) == BLK_TA_REMAP && !event_is_note(ev) &&
	       !event_is_pc(ev);
}

bool remappers_add(struct remappers *r, const struct event *ev,
		     uint64_t *key)
{
	struct remap remap;
	void **place;

	if (r->classic || !is_remap(ev) || !payload_remap(ev, &remap) ||
	    remap.from == ev->device)
		return false;
	*key = origin_key(ev->origin, remap.from);
	if (hash_get(&r->from, *key))
		return false;
	/* table full: true at each remap */
	if (r->from.count >= DISKS_MAX)
		return true;
	place = memory_check(hash_place(&r->from, *key));
	*place = r;
	return true;
}

bool remappers_has(const struct remappers *r, uint64_t key)
{
	uint32_t major = BLK_MAJOR((uint32_t)key);

	if (!r->classic)
		return hash_get(&r->from, key);
	return major == MD || major == LOCAL_253 || major == LOCAL_254;
}

/* --- shares --------------------------------------------------------------- */

static void shares_free(struct shares *s)
{
	for (struct share *it = s->first, *next; it; it = next) {
		next = it->next;
		free(it);
	}
	hash_free(&s->by_both);
	*s = (struct shares){ 0 };
}

static struct share *share_new(struct shares *s, struct process *p,
			       const struct disk *d)
{
	struct share *it = memory_check(malloc(sizeof(*it)));

	*it = (struct share){ .process = p, .disk = d, .next = s->first };
	for (enum span_twin t = 0; t < SPAN_TWINS; t++)
		it->cells[t] = CELL_EMPTY;
	s->first = it;
	return it;
}

APART struct share *shares_find(struct shares *s, struct process *p,
				const struct disk *d)
{
	uint64_t key = (uint64_t)p->index << 32 | d->index;
	void **place = memory_check(hash_place(&s->by_both, key));

	if (!*place)
		*place = share_new(s, p, d);
	p->share = *place;
	return *place;
}

/* at the end: adds them to their processes' spans */
static void shares_sum(const struct shares *s)
{
	for (const struct share *it = s->first; it; it = it->next)
		for (enum span_twin t = 0; t < SPAN_TWINS; t++) {
			enum span span = span_of_twin(t, it->disk->remapper);

			cell_merge(&it->process->spans.cells[span],
				   &it->cells[t]);
		}
}

/* --- state ---------------------------------------------------------------- */

void state_init(struct state *s, const struct options *o)
{
	*s = (struct state){
		.o = o,
		.windowed = o->windowed,
		.pause = seconds_to_span(o->pause),
		.remappers = { .classic = o->classic_remappers },
	};
	spans_init(&s->system);
	busy_init(&s->busy, o->periods);
}

void state_free(struct state *s)
{
	counting_end(s->counting);
	spans_free(&s->system);
	busy_free(&s->busy);
	disks_free(&s->disks);
	processes_free(&s->processes);
	shares_free(&s->shares);
	requests_free(&s->requests);
	remappers_free(&s->remappers);
}

void state_open(struct state *s, struct buf *messages)
{
	s->messages = messages;
	if (!iostat_open(&s->iostat, &s->o->opener, s->o->iostat,
			 s->o->iostat_interval))
		exit(1);
	if (s->o->requests)
		s->lives = datafile_open(&s->o->opener, s->o->requests);
	if (s->o->requests && !s->lives)
		exit(1);
	rates_open(&s->rates, &s->o->opener, "sys");
	if (!rates_are_open(&s->rates))
		exit(1);
}

void state_start_thread(struct state *s)
{
	counting_start(&s->counting);
}

/* --- the end ------------------------------------------------------------- */

/* at the end, when remappers are known */
static void set_twins(struct disk *d)
{
	struct cell *cells = d->spans.cells;

	if (!d->remapper)
		return;
	for (enum span_twin t = 0; t < SPAN_TWINS; t++) {
		struct cell *plain = &cells[span_of_twin(t, false)];

		cells[span_of_twin(t, true)] = *plain;
		*plain = CELL_EMPTY;
	}
}

/* but the system's time between Qs, which is counted directly */
static void sum_spans(struct spans *system, const struct disk *d)
{
	for (enum span span = 0; span < SPANS; span++)
		if (span != SPAN_Q2Q && span != SPAN_Q2Q_DM)
			cell_merge(&system->cells[span], &d->spans.cells[span]);
	cell_merge(&system->cells[span_of_twin(TWIN_Q2Q, d->remapper)],
		   &d->gaps);
}

static void sum_sizes(struct state *s, const struct disk *d)
{
	if (d->remapper)
		return;
	sizes_merge(&s->queue_sizes, &d->queue_sizes);
	sizes_merge(&s->issue_sizes, &d->issue_sizes);
}

/* unplugs it; counts no fewer queued than issued */
static void end_disk(struct disk *d)
{
	plugs_open(&d->plugs, false, 0, d->last);
	if (d->queues && d->queues < d->issues)
		d->queues = d->issues;
	seeks_end(&d->queue_seeks);
	seeks_end(&d->issue_seeks);
}

void state_end(struct state *s)
{
	counting_end(s->counting);
	s->counting = NULL;
	for (size_t i = 0; i < s->disks.count; i++) {
		struct disk *d = s->disks.list[i];

		set_twins(d);
		sum_spans(&s->system, d);
		sum_sizes(s, d);
		end_disk(d);
	}
	shares_sum(&s->shares);
}

static bool close_iostat(struct state *s)
{
	size_t count;
	struct disk **disks = select_disks(&s->disks, s->o->devices, &count);
	bool fine = iostat_close(&s->iostat,
				 &(struct iostat_rows){ disks, count },
				 s->time);

	free(disks);
	return fine;
}

/* a device without a period has no height */
static bool write_periods(struct state *s)
{
	bool fine = periods_write(&s->busy, &s->o->opener, "sys", 0);
	size_t count;
	struct disk **disks = select_disks(&s->disks, s->o->devices, &count);
	int height = 1;

	for (size_t i = 0; i < count; i++) {
		struct disk *d = disks[i];

		fine = periods_write(&d->busy, &s->o->opener, d->name,
				     height) && fine;
		height += d->busy.count > 0;
	}
	free(disks);
	return fine;
}

static bool close_disk(struct state *s, struct disk *d)
{
	bool passes_on = !d->issues && d->blocks.count;
	bool fine = device_files_close(&d->files, passes_on);

	return (!s->o->unplugs ||
		unplugs_write(&d->unplugs, &s->o->opener, s->o->unplugs,
			      d->name)) && fine;
}

bool state_close(struct state *s)
{
	bool fine = close_iostat(s);

	if (s->o->output)
		fine = sizes_write(&s->o->opener, &s->queue_sizes,
				   &s->issue_sizes, s->o->output) && fine;
	if (s->o->periods)
		fine = write_periods(s) && fine;
	for (size_t i = 0; i < s->disks.count; i++)
		fine = close_disk(s, s->disks.list[i]) && fine;
	fine = datafile_close(s->lives, DATAFILE_DROP_EMPTY) && fine;
	return rates_close(&s->rates) && fine;
}
