/* SPDX-License-Identifier: GPL-2.0-only */
/* A device; see disk.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/num.h"
#include "blktrace.h"
#include "run/device.h"
#include "tools/btt/datafile.h"
#include "tools/btt/devmap.h"
#include "tools/btt/disk.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/memory.h"
#include "tools/btt/options.h"
#include "tools/btt/requests.h"
#include "tools/btt/seconds.h"
#include "tools/btt/spans.h"

/* --- depth ---------------------------------------------------------------- */

static char *point(char *p, uint64_t time, uint32_t requests)
{
	p = seconds_micro_time(p, time);
	*p++ = ' ';
	p = num_u64(p, requests);
	*p++ = '\n';
	return p;
}

/* Two points make a step. */
static void step(struct depth *d, uint64_t time, uint32_t to)
{
	char *p = datafile_room(d->file, 4 * SECONDS_MAX);

	if (p)
		datafile_commit(d->file, point(point(p, time, d->requests),
					       time, to));
	d->requests = to;
}

void depth_issue(struct depth *d, uint64_t time)
{
	if (d->file)
		step(d, time, d->requests + 1);
}

void depth_complete(struct depth *d, uint64_t time)
{
	if (d->file && d->requests)
		step(d, time, d->requests - 1);
}

/* --- latency -------------------------------------------------------------- */

/* kind is "q2c", "d2c" or "q2d".  prefix NULL: no lines per request; period 0
 * or less: no averages. */
static void latency_open(struct latency *l, const struct opener *by,
			 const char *kind, const char *prefix,
			 const char *label, double period)
{
	char suffix[32];

	*l = (struct latency){ .period = period };
	snprintf(suffix, sizeof(suffix), "_%s.dat", kind);
	l->each = datafile_open_for(by, prefix, label, suffix);
	snprintf(suffix, sizeof(suffix), "_%s_plat.dat", kind);
	if (period > 0)
		l->averages = datafile_open_here(by, label, suffix);
}

/* at the middle of its period */
static void write_average(struct latency *l)
{
	if (l->samples)
		datafile_printf(l->averages, "%f %f\n",
				l->first + (l->last - l->first) / 2,
				l->sum / (double)l->samples);
	l->samples = 0;
}

static void average(struct latency *l, double now, double latency)
{
	if (l->samples && now - l->first >= l->period)
		write_average(l);
	if (!l->samples) {
		l->first = now;
		l->sum = 0;
	}
	l->last = now;
	l->sum += latency;
	l->samples++;
}

void latency_write(struct latency *l, uint64_t time, uint64_t latency)
{
	char *p = datafile_room(l->each, 2 * SECONDS_MAX);

	if (p) {
		p = seconds_micro_span(p, time);
		*p++ = ' ';
		p = seconds_micro_span(p, latency);
		*p++ = '\n';
		datafile_commit(l->each, p);
	}
	if (l->averages)
		average(l, seconds_of_span(time), seconds_of_span(latency));
}

/* false: a write failed, after a warning */
static bool latency_close(struct latency *l)
{
	bool fine;

	write_average(l);
	fine = datafile_close(l->each, DATAFILE_DROP_EMPTY);
	return datafile_close(l->averages, DATAFILE_DROP_EMPTY) && fine;
}

/* --- device files --------------------------------------------------------- */

/* Opens the files requested by *o; warns about one that cannot be opened and
 * leaves it out. */
static void device_files_open(struct device_files *f, const struct options *o,
			      const char *label)
{
	const struct opener *by = &o->opener;
	double period = o->latency_period;

	latency_open(&f->q2d, by, "q2d", o->q2d, label, period);
	latency_open(&f->d2c, by, "d2c", o->d2c, label, period);
	latency_open(&f->q2c, by, "q2c", o->q2c, label, period);
	f->depth.file = datafile_open_for(by, o->depth, label, "_aqd.dat");
	rw_files_open(&f->blocks, by, o->block_numbers, label, "");
	rw_files_open(&f->issue_seeks, by, o->seeks, label, "_d2d");
	rw_files_open(&f->queue_seeks, by, o->seeks, label, "_q2q");
	per_second_open(&f->per_second, by, o->seeks_per_second,
			o->issue_seeks_per_second, label);
	rates_open(&f->rates, by, label);
	if (o->trees)
		f->trees = datafile_open_here(by, label, "_pit.dat");
}

bool device_files_close(struct device_files *f, bool passes_on)
{
	const bool fine[] = {
		latency_close(&f->q2d),
		latency_close(&f->d2c),
		latency_close(&f->q2c),
		datafile_close(f->depth.file, DATAFILE_DROP_EMPTY),
		rw_files_close(&f->blocks),
		rw_files_close(&f->issue_seeks),
		rw_files_close(&f->queue_seeks),
		per_second_close(&f->per_second, passes_on),
		rates_close(&f->rates),
		datafile_close(f->trees, DATAFILE_KEEP),
	};
	bool all = true;

	for (size_t i = 0; i < sizeof(fine) / sizeof(*fine); i++)
		all = all && fine[i];
	return all;
}

/* --- unplugs -------------------------------------------------------------- */

bool unplugs_write(const struct unplugs *u, const struct opener *by,
		   const char *name, const char *label)
{
	struct datafile *f = datafile_open_for(by, name, label, ".dat");

	for (int bucket = 0; f && bucket < UNPLUGS_BUCKETS; bucket++)
		datafile_printf(f, "%d %" PRIu64 "\n", bucket,
				u->counts[bucket]);
	return datafile_close(f, DATAFILE_KEEP);
}

/* --- iostat --------------------------------------------------------------- */

static void pass_in_queue(struct iostat_device *d, double now)
{
	double more = (now - d->queue_changed) * d->queued;

	d->interval.queue += more;
	d->all.queue += more;
	d->queue_changed = now;
}

static void pass_idle(struct iostat_device *d, double now)
{
	d->interval.idle += now - d->device_changed;
	d->all.idle += now - d->device_changed;
}

/* idle unless it has requests */
static void pass_in_device(struct iostat_device *d, double now)
{
	if (!d->issued)
		pass_idle(d, now);
	d->device_changed = now;
}

void iostat_allocate(struct iostat_device *d, uint64_t time)
{
	pass_in_queue(d, seconds_of_span(time));
	d->queued++;
}

void iostat_merge(struct iostat_device *d, int direction)
{
	d->interval.merges[direction]++;
	d->all.merges[direction]++;
}

void iostat_issue(struct iostat_device *d, int direction, uint64_t time,
		  uint32_t blocks)
{
	d->interval.issues[direction]++;
	d->all.issues[direction]++;
	d->interval.blocks[direction] += blocks;
	d->all.blocks[direction] += blocks;
	pass_in_device(d, seconds_of_span(time));
	d->issued++;
}

void iostat_complete(struct iostat_device *d, const struct request *r,
		     uint64_t time)
{
	uint64_t entered = r->inserted != NEVER ? r->inserted : r->merged;
	uint64_t wait = entered != NEVER ? span_between(entered, time) : 0;
	uint64_t service = span_between(r->queued, time);
	double now = seconds_of_span(time);

	d->interval.wait += wait;
	d->all.wait += wait;
	d->interval.service += service;
	d->all.service += service;
	pass_in_queue(d, now);
	d->queued--;
	pass_in_device(d, now);
	d->issued--;
}

void iostat_pass(struct iostat_device *d, double now)
{
	pass_idle(d, now);
	d->device_changed = now;
	pass_in_queue(d, now);
}

/* --- waits ---------------------------------------------------------------- */

void waits_add(struct waits *w, uint64_t ns)
{
	/* upper bounds of all but the last class, ms */
	static const int64_t ends[WAITS - 1] = { 5,   10,  25,  50,  75,
						 100, 250, 500, 1000 };
	/* exactly this expression, which decides values at a bound */
	int64_t ms = (int64_t)(seconds_of_time(ns) / 0.001);
	int class = 0;

	while (class < WAITS - 1 && ms >= ends[class])
		class++;
	w->counts[class]++;
}

/* --- disk ----------------------------------------------------------------- */

enum { FIRST_SIZE = 16 };

static void disk_free(struct disk *d)
{
	spans_free(&d->spans);
	busy_free(&d->busy);
	seeks_free(&d->queue_seeks);
	seeks_free(&d->issue_seeks);
	free(d->name);
	free(d->on_host);
	free(d);
}

void disks_free(struct disks *d)
{
	for (size_t i = 0; i < d->count; i++)
		disk_free(d->list[i]);
	free(d->list);
	hash_free(&d->by_number);
	*d = (struct disks){ 0 };
}

/* --- labels -------------------------------------------------------------- */

void disk_number(const struct disk *d, char text[DISK_LABEL])
{
	if (d->on_host)
		snprintf(text, DISK_LABEL, "%s", d->on_host);
	else
		snprintf(text, DISK_LABEL, "%u,%u", BLK_MAJOR(d->number),
			 BLK_MINOR(d->number));
}

void disk_label(const struct disk *d, char label[DISK_LABEL], int cut)
{
	char number[32];

	snprintf(number, sizeof(number), "(%3d,%3d)",
		 (int)BLK_MAJOR(d->number), (int)BLK_MINOR(d->number));
	if (d->on_host)
		cut = DISK_LABEL;
	snprintf(label, DISK_LABEL, "%.*s", cut, d->mapped ? d->mapped :
							     number);
}

void disk_plain_label(const struct disk *d, char label[DISK_LABEL])
{
	char number[DISK_LABEL];

	disk_number(d, number);
	snprintf(label, DISK_LABEL, "%.*s",
		 d->on_host ? DISK_LABEL : DISK_COLUMN,
		 d->mapped ? d->mapped : number);
}

/* A slash in a mapped name must not lead out of the directory. */
static char *file_name(const struct disk *d)
{
	char number[DISK_LABEL], *name;

	disk_number(d, number);
	name = strdup(d->mapped ? d->mapped : number);
	if (!name)
		msg_die("out of memory");
	for (char *slash = name; (slash = strchr(slash, '/'));)
		*slash = '_';
	return name;
}

/* one number on two hosts is two devices */
static void add_host(struct disk *d, const char *host)
{
	char number[DISK_LABEL];

	if (!host)
		return;
	disk_number(d, number);
	if (asprintf(&d->on_host, "%s/%s", host,
		     d->mapped ? d->mapped : number) < 0)
		msg_die("out of memory");
	d->mapped = d->on_host;
}

static const char *host_of(const struct disks *d, uint64_t key)
{
	return d->run ? devices_host(d->run, (uint16_t)(key >> 32)) : NULL;
}

/* --- the table ----------------------------------------------------------- */

COLD struct disk *disks_add(struct disks *d, const struct options *o,
			     uint64_t key)
{
	struct disk *new;

	if (d->count >= DISKS_MAX) {
		d->crowded = true;
		return NULL;
	}
	new = calloc(1, sizeof(*new));
	if (!new || hash_put(&d->by_number, key, new))
		msg_die("out of memory");
	d->list = memory_check(array_reserve(d->list, d->count, &d->size,
					     FIRST_SIZE, sizeof(*d->list)));
	new->index = (uint32_t)d->count;
	d->list[d->count++] = new;
	new->number = (uint32_t)key;
	new->mapped = devmap_name(o->names_of_devices, new->number);
	add_host(new, host_of(d, key));
	new->name = file_name(new);
	spans_init(&new->spans);
	new->blocks = new->gaps = CELL_EMPTY;
	busy_init(&new->busy, o->periods);
	device_files_open(&new->files, o, new->name);
	return new;
}
