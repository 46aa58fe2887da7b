/* SPDX-License-Identifier: GPL-2.0-only */
/* What is gathered of a run; see gathering.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "blktrace.h"
#include "capacity/capacity.h"
#include "expr/filter.h"
#include "file/hooks.h"
#include "findings/findings.h"
#include "report/gathering.h"
#include "report/report.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/device.h"
#include "run/reader.h"

enum {
	/* more are only counted */
	GAPS_MAX = 4096,
	DAMAGE_MAX = 20,
	CACHE_BLOCK_BITS = 12,
	/* bytes of data that a row takes at least: what is kept has a chance
	 * to fit, and in any case 108 MB are enough */
	ROW_BYTES = 14, ROWS_MAX = 1500000,
	/* rows of excerpts take that part of the data, with 20 bytes each */
	EXCERPT_PART = 8, EXCERPT_BYTES = 20,
};

static const char *name_of(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

/* --- gaps and damage ------------------------------------------------------ */

static uint64_t missing(const struct gathering *g)
{
	struct loss loss;

	reader_loss(ios_reader(g->ios), READER_ALL, &loss);
	return loss.missing;
}

/* Losses since the last call belong to the latest gap, after which the
 * event has been read. */
static void settle_gap(struct gathering *g)
{
	uint64_t now = missing(g);

	if (g->gap_count)
		g->gaps[g->gap_count - 1].lost += now - g->missing;
	g->missing = now;
}

/* Without memory for one more it is in no list, and only counted. */
static void on_lost(void *gathering, uint64_t from, uint64_t to)
{
	struct gathering *g = gathering;
	uint64_t start = g->o->window.start;
	struct report_gap *list;

	report_add_loss(g->report, from, to);
	if (g->gap_count == GAPS_MAX || to < start)
		return;
	list = array_reserve(g->gaps, g->gap_count, &g->gap_size, 64,
			     sizeof(*list));
	if (!list)
		return;
	g->gaps = list;
	list[g->gap_count++] = (struct report_gap){
		.from = from > start ? from - start : 0, .to = to - start,
	};
	settle_gap(g);
}

void gathering_add_damage(struct gathering *g, const struct damage *d)
{
	char **list, *line;

	g->damages++;
	if (g->damage_count == DAMAGE_MAX)
		return;
	list = array_reserve(g->damage, g->damage_count, &g->damage_size, 4,
			     sizeof(*list));
	if (!list)
		return;
	g->damage = list;
	if (asprintf(&line, "%s: byte %llu: %s", d->file,
		     (unsigned long long)d->at, d->what) >= 0)
		list[g->damage_count++] = line;
}

/* --- ios ------------------------------------------------------------------ */

static int watch_capacity(struct gathering *g)
{
	int err = capacity_new(&g->capacity, &g->o->window, 0);

	return err ? err : ios_watch_levels(g->ios,
					    capacity_watcher(g->capacity));
}

int gathering_init(struct gathering *g, const struct gathering_options *o,
		   struct ios *ios)
{
	struct report_options ro = {
		.start = o->window.start,
		.rows = o->size / ROW_BYTES < ROWS_MAX ? o->size / ROW_BYTES :
							 ROWS_MAX,
		.excerpt_rows = o->size / EXCERPT_PART / EXCERPT_BYTES,
		.name = name_of, .names = ios_reader(ios),
		.cgroups = reader_cgroups(ios_reader(ios)),
		.reader = ios_reader(ios),
	};
	int err;

	g->o = o;
	g->ios = ios;
	g->seen = calloc(o->device_count + 1, sizeof(*g->seen));
	if (!g->seen)
		return -ENOMEM;
	g->names = (struct finding_names){
		.name = name_of, .names = ios_reader(ios), .page = true,
		.start = o->window.start,
	};
	g->caches = (struct caches){ .block_bits = CACHE_BLOCK_BITS,
				     .fifo = o->fifo,
				     .reader = ios_reader(ios) };
	caches_init(&g->caches);
	err = report_new(&g->report, &ro);
	if (!err)
		err = findings_new(&g->findings, name_of, ios_reader(ios));
	if (!err)
		err = commit_panel_init(&g->commits, ios, &o->window);
	if (!err && o->capacity)
		err = watch_capacity(g);
	ios_watch_gaps(ios, on_lost, g);
	return err;
}

static bool is_named(const struct device *disk, uint32_t number,
		     const char *name)
{
	char text[32];

	snprintf(text, sizeof(text), "%u:%u", BLK_MAJOR(number),
		 BLK_MINOR(number));
	return !strcmp(name, text) || (disk->label &&
				       !strcmp(name, disk->label));
}

static COLD bool find_wanted(struct gathering *g, const struct io *io)
{
	bool wanted = !g->o->device_count;

	for (size_t i = 0; i < g->o->device_count; i++) {
		if (!is_named(io->disk, io->device, g->o->devices[i]))
			continue;
		g->seen[i] = true;
		wanted = true;
	}
	g->disk = io->disk;
	g->wanted = wanted;
	return wanted;
}

static inline bool is_wanted(struct gathering *g, const struct io *io)
{
	return LIKELY(io->disk == g->disk) ? g->wanted : find_wanted(g, io);
}

bool gathering_has(struct gathering *g, const struct io *io)
{
	return is_wanted(g, io) && io_in_window(io, &g->o->window);
}

/* as btstat --cache counts */
static int add_to_caches(struct gathering *g, const struct io *io)
{
	return io_completed(io) && filter_is_unit(false, io) ?
	       caches_add(&g->caches, io) : 0;
}

/* No later I/O starts before this one and all that are open. */
static COLD int settle(struct gathering *g, const struct io *io)
{
	uint64_t oldest = ios_oldest(g->ios);

	return report_settle(g->report, oldest < io->time ? oldest : io->time);
}

int gathering_add(struct gathering *g, const struct io *io)
{
	bool in = gathering_has(g, io);
	bool open = io->later && is_wanted(g, io) &&
		    io_over(io) > g->o->window.start;
	int err = commit_panel_add(&g->commits, io);

	if (in) {
		err |= coverages_add(&g->coverages, io);
		err |= findings_io(g->findings, io);
		if (UNLIKELY(g->o->cache))
			err |= add_to_caches(g, io);
	}
	if (UNLIKELY(g->capacity))
		err |= capacity_add(g->capacity, io);
	if (report_waits(g->report))
		err |= settle(g, io);
	return err | report_add(g->report, io, in || open);
}

/* --- the end -------------------------------------------------------------- */

static int add_device(struct gathering *g, const struct device *disk)
{
	struct findings_facts known = { .dropped = disk->dropped };
	struct loss loss;

	reader_loss(g->facts.reader, disk->id, &loss);
	known.lost = loss.missing;
	known.missing = facts_device_missing(&g->facts, disk->id);
	return findings_device(g->findings, disk, &known);
}

int gathering_end(struct gathering *g)
{
	const struct devices *d = reader_devices(ios_reader(g->ios));
	int err = commit_panel_end(&g->commits) | caches_end(&g->caches);

	facts_find(&g->facts, g->ios, &g->coverages, &g->o->window);
	settle_gap(g);
	if (g->capacity)
		err |= capacity_end(g->capacity,
				    g->facts.from + g->facts.length);
	for (uint32_t i = 0; !err && i < d->count && i < FINDINGS_DEVICES; i++)
		err = add_device(g, d->list[i]);
	if (!err)
		err = findings_end(g->findings, g->facts.from,
				   g->facts.from + g->facts.length);
	return err ? err : report_end(g->report, g->facts.length);
}

bool gathering_knows(const struct gathering *g, size_t i)
{
	const struct devices *d = reader_devices(ios_reader(g->ios));
	bool known = g->seen[i];

	for (uint32_t k = 0; !known && k < d->count; k++)
		known = is_named(d->list[k], d->list[k]->number,
				 g->o->devices[i]);
	return known;
}

void gathering_free(struct gathering *g)
{
	free(g->seen);
	commit_panel_free(&g->commits);
	report_free(g->report);
	findings_free(g->findings);
	capacity_free(g->capacity);
	coverages_free(&g->coverages);
	caches_free(&g->caches);
	free(g->gaps);
	for (size_t i = 0; i < g->damage_count; i++)
		free(g->damage[i]);
	free(g->damage);
}
