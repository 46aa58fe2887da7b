/* SPDX-License-Identifier: GPL-2.0-only */
/* Events and their handlers; see dispatch.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/hint.h"
#include "blktrace.h"
#include "record/payload.h"
#include "record/record.h"
#include "tools/btt/dispatch.h"
#include "tools/btt/files/requests.h"
#include "tools/btt/options.h"
#include "tools/btt/seconds.h"
#include "tools/btt/select.h"
#include "tools/btt/state.h"

/* --- counting ------------------------------------------------------------ */

static inline bool is_read(const struct event *ev)
{
	return ev->action & BLK_TC_ACT(BLK_TC_READ);
}

static inline uint32_t blocks_of(const struct event *ev)
{
	return ev->bytes >> 9;
}

static inline uint64_t end_of(const struct event *ev)
{
	return ev->sector + blocks_of(ev);
}

/* The system's sums are made at the end. */
static inline void count_span(struct disk *d, const struct request *r,
			      enum span span, uint64_t from, uint64_t to)
{
	uint64_t value = span_between(from, to);

	cell_add(&d->spans.cells[span], value);
	cell_add(&r->share->process->spans.cells[span], value);
}

/* the same for spans kept apart for remappers */
static inline void count_twin(struct disk *d, const struct request *r,
			      enum span_twin twin, uint64_t from, uint64_t to)
{
	uint64_t value = span_between(from, to);

	cell_add(&d->spans.cells[span_of_twin(twin, false)], value);
	cell_add(&r->share->cells[twin], value);
}

/* a request waits, or waits again */
static void count_queue(struct disk *d)
{
	d->queues++;
	d->active_sum += d->active;
	d->active++;
}

/* a request was merged or issued */
static void count_leaving(struct disk *d)
{
	d->active -= d->active > 0;
}

/* --- a request's events -------------------------------------------------- */

static void on_queue(struct state *s, struct disk *d, struct process *p,
		     const struct event *ev)
{
	uint64_t time = ev->time, end = end_of(ev);
	struct share *share = shares_get(&s->shares, p, d);
	struct request *r;
	int64_t distance;

	r = requests_open(&s->requests, &d->open, ev->sector, blocks_of(ev));
	r->queued = time;
	r->share = share;

	distance = seeks_add(&d->queue_seeks, ev->sector, end,
			     s->o->absolute_seeks, s->counting);
	seek_files_add(&d->files.queue_seeks, is_read(ev), time, distance);
	per_second_queue(&d->files.per_second, time);

	ranges_add(&s->system.queued, time, s->pause);
	ranges_add(&d->spans.queued, time, s->pause);
	ranges_add(&p->spans.queued, time, s->pause);
	spans_queue(&s->system, &d->gaps, time);
	spans_queue(&d->spans, &d->spans.cells[SPAN_Q2Q], time);
	spans_queue(&p->spans, &share->cells[TWIN_Q2Q], time);
	sizes_add(&d->queue_sizes, blocks_of(ev));
	count_queue(d);
}

/* d is the lower device; the request is of the upper one */
static void on_remap(struct state *s, struct disk *d, struct process *p,
		     const struct event *ev)
{
	struct remap remap;
	struct disk *above;
	struct request *r;

	(void)d, (void)p;
	if (!payload_remap(ev, &remap))
		return;
	above = disks_find(&s->disks, origin_key(ev->origin, remap.from));
	if (!above)
		return;
	r = requests_find(&s->requests, &above->open, remap.sector);
	if (r)
		count_twin(above, r, TWIN_Q2A, r->queued, ev->time);
}

static void on_allocate(struct state *s, struct disk *d, struct process *p,
			const struct event *ev)
{
	struct request *r;

	(void)p;
	if (s->iostat.file)
		iostat_allocate(&d->iostat, ev->time);
	r = requests_find(&s->requests, &d->open, ev->sector);
	if (!r)
		return;
	r->allocated = ev->time;
	count_span(d, r, SPAN_Q2G, r->queued, ev->time);
	if (r->slept)
		count_span(d, r, SPAN_S2G, r->slept, ev->time);
}

static void on_sleep(struct state *s, struct disk *d, struct process *p,
		     const struct event *ev)
{
	struct request *r = requests_find(&s->requests, &d->open, ev->sector);

	(void)p;
	if (r)
		r->slept = ev->time;
}

static void on_insert(struct state *s, struct disk *d, struct process *p,
		      const struct event *ev)
{
	struct request *r = requests_find(&s->requests, &d->open, ev->sector);

	(void)p;
	if (!r)
		return;
	r->inserted = ev->time;
	if (r->allocated != NEVER)
		count_span(d, r, SPAN_G2I, r->allocated, ev->time);
}

/* at the back or front of another request; the sector is of the merged one */
static void on_merge(struct state *s, struct disk *d, struct process *p,
		     const struct event *ev)
{
	struct request *r;

	(void)p;
	if (s->iostat.file)
		iostat_merge(&d->iostat, is_read(ev));
	r = requests_find(&s->requests, &d->open, ev->sector);
	if (r) {
		r->merged = ev->time;
		count_span(d, r, SPAN_Q2M, r->queued, ev->time);
	}
	count_leaving(d);
}

/* the request keeps its times */
static void on_requeue(struct state *s, struct disk *d, struct process *p,
		       const struct event *ev)
{
	(void)s, (void)p, (void)ev;
	count_queue(d);
}

static void issue_one(struct state *s, struct disk *d, struct request *r,
		      const struct event *ev)
{
	/* 1.3.0: not by span_between(), though it may come before its Q */
	uint64_t waited = ev->time - r->queued;

	if (r->inserted != NEVER)
		count_span(d, r, SPAN_I2D, r->inserted, ev->time);
	else if (r->merged != NEVER)
		count_span(d, r, SPAN_M2D, r->merged, ev->time);
	r->issued = ev->time;
	r->issue_sector = ev->sector;
	r->issue_blocks = blocks_of(ev);
	if (s->o->all_data)
		waits_add(&d->waits, waited);
	latency_add(&d->files.q2d, ev->time, waited);
}

static void on_issue(struct state *s, struct disk *d, struct process *p,
		     const struct event *ev)
{
	struct requests *all = &s->requests;
	uint64_t end = end_of(ev);
	int64_t distance;

	(void)p;
	count_leaving(d);
	distance = seeks_add(&d->issue_seeks, ev->sector, end,
			     s->o->absolute_seeks, s->counting);
	seek_files_add(&d->files.issue_seeks, is_read(ev), ev->time, distance);
	per_second_issue(&d->files.per_second, ev->time);
	blocks_issue(&d->files.blocks, is_read(ev), ev->time, ev->sector, end);
	if (s->iostat.file)
		iostat_issue(&d->iostat, is_read(ev), ev->time, blocks_of(ev));
	d->issues++;
	sizes_add(&d->issue_sizes, blocks_of(ev));
	depth_issue(&d->files.depth, ev->time);

	requests_within(all, &d->open, ev->sector, end);
	for (uint32_t i = 0; i < all->found_count; i++)
		issue_one(s, d, &all->list[all->found[i]], ev);
}

/* --- completions --------------------------------------------------------- */

static COLD void flush_busy(struct state *s, struct busy *b)
{
	busy_flush(b, requests_oldest_issue(&s->requests));
}

static void count_busy(struct state *s, struct busy *b,
		       const struct request *r, uint64_t time)
{
	busy_add(b, r->issued, time);
	if (busy_is_crowded(b))
		flush_busy(s, b);
}

static void complete_one(struct state *s, struct disk *d,
			 const struct request *r, const struct event *ev)
{
	uint64_t time = ev->time;

	count_twin(d, r, TWIN_Q2C, r->queued, time);
	latency_add(&d->files.q2c, r->queued, span_between(r->queued, time));
	if (r->issued != NEVER) {
		count_busy(s, &d->busy, r, time);
		count_busy(s, &s->busy, r, time);
		count_span(d, r, SPAN_D2C, r->issued, time);
		latency_add(&d->files.d2c, time,
			    span_between(r->issued, time));
		if (s->iostat.file)
			iostat_complete(&d->iostat, r, time);
	}
	lives_add(s->lives, r, ev);
}

static void on_complete(struct state *s, struct disk *d, struct process *p,
			const struct event *ev)
{
	struct requests *all = &s->requests;
	uint32_t blocks = blocks_of(ev);
	int64_t second = (int64_t)(ev->time / NS_PER_SECOND);

	cell_add(&d->blocks, blocks);
	ranges_add(&s->system.completed, ev->time, s->pause);
	ranges_add(&d->spans.completed, ev->time, s->pause);
	ranges_add(&p->spans.completed, ev->time, s->pause);
	depth_complete(&d->files.depth, ev->time);
	rates_add(&d->files.rates, second, blocks);
	rates_add(&s->rates, second, blocks);

	requests_within(all, &d->open, ev->sector, end_of(ev));
	for (uint32_t i = 0; i < all->found_count; i++)
		complete_one(s, d, &all->list[all->found[i]], ev);
	lives_end(s->lives);
	trees_add(d->files.trees, all, ev);
	for (uint32_t i = 0; i < all->found_count; i++)
		requests_close(all, &d->open, all->found[i]);
}

/* --- plugs --------------------------------------------------------------- */

static void on_plug(struct state *s, struct disk *d, struct process *p,
		    const struct event *ev)
{
	(void)s, (void)p;
	plugs_close(&d->plugs, ev->time);
}

static void on_unplug(struct state *s, struct disk *d, struct process *p,
		      const struct event *ev)
{
	bool timer = event_number(ev) == BLK_TA_UNPLUG_TIMER;
	uint64_t requests;

	(void)s, (void)p;
	if (!payload_number(ev, &requests))
		return;
	if (!timer)
		unplugs_add(&d->unplugs, requests);
	plugs_open(&d->plugs, timer, requests, ev->time);
}

/* --- messages ------------------------------------------------------------ */

/* escaped; cut at the size of shown */
static void write_message(struct buf *out, const char *text, size_t len)
{
	char shown[4096];

	if (out->terminal) {
		len = escape_text(shown, sizeof(shown), text, len);
		text = shown;
	}
	buf_append(out, text, len);
	buf_append(out, "\n", 1);
}

static void on_message(struct state *s, struct disk *d, struct process *p,
		       const struct event *ev)
{
	char label[DISK_LABEL];
	size_t len;
	const char *text = (const char *)payload_body(ev, &len);

	(void)p;
	disk_label(d, label, DISK_COLUMN);
	buf_printf(s->messages, "%s %5d.%09" PRIu64 " ", label,
		   (int)(ev->time / NS_PER_SECOND), ev->time % NS_PER_SECOND);
	write_message(s->messages, text, strnlen(text, len));
}

/* --- rules --------------------------------------------------------------- */

const struct rule event_rules[BLK_TA_COUNT] = {
	[BLK_TA_QUEUE] = { on_queue, true, true, true },
	[BLK_TA_BACKMERGE] = { on_merge, true, false, true },
	[BLK_TA_FRONTMERGE] = { on_merge, true, false, true },
	[BLK_TA_GETRQ] = { on_allocate, true, false, true },
	[BLK_TA_SLEEPRQ] = { on_sleep, true, false, true },
	[BLK_TA_REQUEUE] = { on_requeue, true, false, false },
	[BLK_TA_ISSUE] = { on_issue, true, false, true },
	[BLK_TA_COMPLETE] = { on_complete, true, false, true },
	[BLK_TA_PLUG] = { on_plug, false, false, false },
	[BLK_TA_UNPLUG_IO] = { on_unplug, false, false, false },
	[BLK_TA_UNPLUG_TIMER] = { on_unplug, false, false, false },
	[BLK_TA_INSERT] = { on_insert, true, false, true },
	[BLK_TA_REMAP] = { on_remap, true, true, false },
};

const struct rule events_message = { on_message, true, false, false };

/* --- dispatch ------------------------------------------------------------- */

/* at a device's first event, even if that is ignored */
static COLD struct disk *add_disk(struct state *s, const struct event *ev)
{
	uint64_t key = origin_key(ev->origin, ev->device);
	struct disk *d = disks_add(&s->disks, s->o, key);

	if (!d)
		return NULL;
	d->first = ev->time;
	d->remapper = remappers_has(&s->remappers, key);
	return d;
}

static inline void wake(struct disk *d, const struct event *ev)
{
	d->awake = true;
	if (UNLIKELY(ev->action & BLK_CGROUP_FLAG))
		d->grouped = true;
}

/* handles the event if its device counts */
static inline void act(struct state *s, const struct rule *rule,
		       const struct event *ev)
{
	struct disk *d = disks_find(&s->disks,
				    origin_key(ev->origin, ev->device));
	struct process *p = NULL;

	if (UNLIKELY(!d) && rule->admits)
		d = add_disk(s, ev);
	if (UNLIKELY(!d))
		return;
	if (rule->admits) {
		if (rule->wakes)
			wake(d, ev);
		else if (UNLIKELY(!d->awake))
			return;
		d->last = ev->time;
		p = processes_get(&s->processes, ev->origin, ev->pid);
	}
	rule->handle(s, d, p, ev);
}

/* A remap shows which device is a remapper, even if remaps are ignored. */
static APART void learn_remapper(struct state *s, const struct event *ev)
{
	uint64_t key;
	struct disk *d;

	if (!remappers_add(&s->remappers, ev, &key))
		return;
	d = disks_find(&s->disks, key);
	if (d)
		d->remapper = true;
}

static COLD void write_iostat(struct state *s, uint64_t time)
{
	size_t count;
	struct disk **disks = select_disks(&s->disks, s->o->devices, &count);

	iostat_table(&s->iostat, &(struct iostat_rows){ disks, count }, time);
	free(disks);
}

/* 1.3.0: hides messages with a cgroup id.  Ours count if requests have one,
 * too, which most kernels do not record. */
static bool shows_message(struct state *s, const struct event *ev)
{
	const struct disk *d = disks_find(&s->disks,
					  origin_key(ev->origin, ev->device));

	return !(ev->action & BLK_CGROUP_FLAG) || (d && d->grouped);
}

/* A note has no time and is not counted.  Returns its rule, or NULL. */
static APART const struct rule *take_note(struct state *s,
					  const struct event *note)
{
	if (event_number(note) == BLK_TN_PROCESS)
		processes_set_name(&s->processes, note);
	return event_is_message(note) && shows_message(s, note) ?
		&events_message : NULL;
}

/* any other event, in the window; returns its rule, or NULL */
static inline const struct rule *take_event(struct state *s,
					    const struct event *ev)
{
	uint32_t nr = event_number(ev);

	s->events++;
	s->time = ev->time;
	if (UNLIKELY(iostat_is_due(&s->iostat, ev->time)))
		write_iostat(s, ev->time);
	if (nr >= BLK_TA_COUNT || (event_rules[nr].sized && !ev->bytes))
		return NULL;
	if (UNLIKELY(nr == BLK_TA_REMAP)) {
		learn_remapper(s, ev);
		if (s->o->no_remaps)
			return NULL;
	}
	return &event_rules[nr];
}

/* -1: before the window; 0: in it; 1: after it */
static APART int place(const struct options *o, const struct event *ev)
{
	double time = seconds_of_time(ev->time);

	return time < o->start ? -1 : time > o->end;
}

enum dispatch_result dispatch_event(struct state *s, const struct event *ev)
{
	const struct rule *rule;

	if (UNLIKELY(event_is_note(ev))) {
		rule = take_note(s, ev);
	} else if (event_is_pc(ev)) {
		return DISPATCH_ON;
	} else {
		int where = s->windowed ? place(s->o, ev) : 0;

		if (UNLIKELY(where > 0))
			return DISPATCH_STOP;
		if (UNLIKELY(where < 0)) {
			learn_remapper(s, ev);
			return DISPATCH_ON;
		}
		rule = take_event(s, ev);
	}
	if (rule && rule->handle)
		act(s, rule, ev);
	return DISPATCH_ON;
}
