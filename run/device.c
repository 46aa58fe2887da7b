/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices, their CPUs and missing events; see device.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"

/* --- holes ---------------------------------------------------------------- */

void holes_free(struct holes *h)
{
	free(h->list);
	*h = (struct holes){ 0 };
}

/* Inserts a hole at index i; false: no room. */
static bool insert(struct holes *h, size_t i, uint32_t first, uint32_t last)
{
	struct hole *list;

	if (h->count == HOLES_MAX)
		return false;
	list = array_reserve(h->list, h->count, &h->size, 16, sizeof(*list));
	h->starved |= !list;
	if (!list)
		return false;
	h->list = list;
	memmove(h->list + i + 1, h->list + i,
		(h->count - i) * sizeof(*h->list));
	h->list[i] = (struct hole){ first, last };
	h->count++;
	return true;
}

/* The index of the first hole that ends at or after sequence. */
static size_t find(const struct holes *h, uint32_t sequence)
{
	size_t low = 0, high = h->count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (h->list[mid].last < sequence)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* A late number came; false: it was not missing. */
static bool close_hole(struct holes *h, uint32_t sequence)
{
	size_t i = find(h, sequence);
	struct hole *hole;

	if (i == h->count || h->list[i].first > sequence)
		return false;
	hole = &h->list[i];
	h->missing--;
	if (hole->first == hole->last) {
		memmove(hole, hole + 1,
			(--h->count - i) * sizeof(*hole));
	} else if (sequence == hole->first) {
		hole->first++;
	} else if (sequence == hole->last) {
		hole->last--;
	} else {
		uint32_t last = hole->last;

		hole->last = sequence - 1;
		if (!insert(h, i + 1, sequence + 1, last))
			h->more++;
	}
	return true;
}

/* first to last are missing; may touch or overlap known holes. */
static void open_hole(struct holes *h, uint32_t first, uint32_t last)
{
	size_t i = find(h, first ? first - 1 : 0), end = i;
	uint64_t had = 0;

	while (end < h->count && h->list[end].first <= last + (uint64_t)1) {
		struct hole *hole = h->list + end++;

		had += hole->last - hole->first + (uint64_t)1;
		first = hole->first < first ? hole->first : first;
		last = hole->last > last ? hole->last : last;
	}
	h->missing += last - first + (uint64_t)1 - had;
	if (end > i) {
		h->list[i] = (struct hole){ first, last };
		memmove(h->list + i + 1, h->list + end,
			(h->count - end) * sizeof(*h->list));
		h->count -= end - i - 1;
	} else if (!insert(h, i, first, last)) {
		h->more++;
	}
}

/* Numbers wrap after 2^32. */
static bool is_ahead(uint32_t sequence, uint32_t next)
{
	return (int32_t)(sequence - next) > 0;
}

/* The numbers between two seen ones, which may wrap, are missing. */
static void miss_between(struct holes *h, uint32_t low, uint32_t high)
{
	if (low + 1 == high)
		return;
	if (low + 1 <= high - 1) {
		open_hole(h, low + 1, high - 1);
		return;
	}
	open_hole(h, low + 1, UINT32_MAX);
	if (high)
		open_hole(h, 0, high - 1);
}

static bool is_early(uint32_t sequence, uint32_t first)
{
	return first - sequence - 1 < HOLES_EARLY;
}

void holes_see(struct holes *h, uint32_t sequence)
{
	/* the first number may have been 0, and just counted */
	h->begun = h->begun || h->next;
	if (h->begun && close_hole(h, sequence))
		return;
	if (h->begun && is_early(sequence, h->first)) {
		miss_between(h, sequence, h->first);
		h->first = sequence;
		return;
	}
	if (h->begun && is_ahead(sequence, h->next))
		miss_between(h, h->next - 1, sequence);
	else if (!h->begun || sequence != h->next)
		h->first = sequence;
	h->begun = true;
	h->next = sequence + 1;
}

/* --- devices -------------------------------------------------------------- */

static void device_free(struct device *dev)
{
	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++) {
		if (dev->lanes[cpu])
			holes_free(&dev->lanes[cpu]->holes);
		free(dev->lanes[cpu]);
	}
	holes_free(&dev->holes);
	free(dev->lanes);
	free(dev->label);
	free(dev->imported);
	free(dev);
}

void devices_free(struct devices *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		device_free(d->list[i]);
	for (uint32_t i = 0; i < d->label_count; i++)
		free(d->labels[i]);
	for (uint32_t i = 0; i < d->host_count; i++)
		free(d->hosts[i]);
	free(d->list);
	free(d->labels);
	free(d->hosts);
	hash_free(&d->by_number);
	*d = (struct devices){ 0 };
}

/* --- origins ------------------------------------------------------------- */

int devices_add_origin(struct devices *d, const char *name)
{
	char **hosts, *host;

	if (d->host_count > UINT16_MAX)
		return -E2BIG;
	hosts = realloc(d->hosts, (d->host_count + 1) * sizeof(*hosts));
	if (!hosts)
		return -ENOMEM;
	d->hosts = hosts;
	host = strdup(name);
	if (!host)
		return -ENOMEM;
	hosts[d->host_count] = host;
	return (int)d->host_count++;
}

/* --- labels -------------------------------------------------------------- */

int devices_add_label(struct devices *d, const char *label)
{
	char **labels = realloc(d->labels,
				(d->label_count + 1) * sizeof(*labels));

	if (!labels)
		return -ENOMEM;
	d->labels = labels;
	labels[d->label_count] = strdup(label);
	if (!labels[d->label_count])
		return -ENOMEM;
	d->label_count++;
	return 0;
}

static void before_adding(const struct devices *d)
{
	if (d->before)
		d->before(d->before_ctx);
}

struct device *device_add(struct devices *d, const char *label,
			  uint32_t number, uint16_t origin)
{
	struct device **list;
	struct device *dev;

	before_adding(d);
	list = array_reserve(d->list, d->count, &d->size, 16, sizeof(*list));
	if (!list)
		return NULL;
	d->list = list;
	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return NULL;
	dev->id = d->count;
	dev->number = number;
	dev->origin = origin;
	dev->host = devices_host(d, origin);
	if (label) {
		dev->label = strdup(label);
		if (!dev->label) {
			free(dev);
			return NULL;
		}
	}
	list[d->count++] = dev;
	return dev;
}

static int grow_lanes(struct device *dev, uint32_t cpu)
{
	uint32_t size = dev->cpus ? dev->cpus : 4;
	struct lane **lanes;

	while (size <= cpu)
		size *= 2;
	lanes = realloc(dev->lanes, size * sizeof(*lanes));
	if (!lanes)
		return -ENOMEM;
	memset(lanes + dev->cpus, 0, (size - dev->cpus) * sizeof(*lanes));
	dev->lanes = lanes;
	dev->cpus = size;
	return 0;
}

struct lane *device_cpu(struct devices *d, struct device *dev, uint32_t cpu)
{
	struct lane *lane;

	if (cpu < dev->cpus && dev->lanes[cpu])
		return dev->lanes[cpu];
	before_adding(d);
	if (cpu >= dev->cpus && grow_lanes(dev, cpu))
		return NULL;
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		return NULL;
	lane->device = dev;
	lane->cpu = cpu;
	lane->id = d->lanes++;
	return dev->lanes[cpu] = lane;
}

int devices_use_labels(struct devices *d)
{
	for (; d->labels_used < d->label_count; d->labels_used++)
		if (!device_add(d, d->labels[d->labels_used], 0, 0))
			return -ENOMEM;
	return 0;
}

static struct device *by_number(struct devices *d, uint32_t number,
				uint16_t origin)
{
	uint64_t key = origin_key(origin, number);
	struct device *dev = hash_get(&d->by_number, key);
	const char *label = NULL;

	if (!dev && d->count >= DEVICES_MAX)
		errno = E2BIG;
	if (dev || d->count >= DEVICES_MAX)
		return dev;
	if (d->labels_used < d->label_count)
		label = d->labels[d->labels_used++];
	dev = device_add(d, label, number, origin);
	if (dev && hash_put(&d->by_number, key, dev)) {
		errno = ENOMEM;
		return NULL;
	}
	return dev;
}

struct lane *device_lane(struct devices *d, const struct event *ev)
{
	struct lane *lane = d->last;
	struct device *dev;

	if (lane && lane->cpu == ev->cpu &&
	    lane->device->number == ev->device &&
	    lane->device->origin == ev->origin)
		return lane;
	dev = by_number(d, ev->device, ev->origin);
	if (!dev)
		return NULL;
	if (ev->cpu < dev->cpus && dev->lanes[ev->cpu])
		return d->last = dev->lanes[ev->cpu];
	if (d->lanes >= LANES_MAX) {
		errno = E2BIG;
		return NULL;
	}
	return d->last = device_cpu(d, dev, ev->cpu);
}

/* Before a CPU's first event drops leave no hole. */
static void follow_lane_drops(struct lane *lane, uint64_t n)
{
	if (!lane->holes.begun)
		return;
	lane->dropped += n;
	lane->drops++;
}

/* blktrace notes the device's sum so far, maybe twice the same. */
static void follow_drops(struct device *dev, const struct event *ev)
{
	uint64_t n, since;

	if (payload_dropped(ev, &n, &since) && n > dev->dropped) {
		follow_lane_drops(ev->lane, n - dev->dropped);
		dev->dropped = n;
		dev->drops++;
	}
	if (payload_missing(ev, &n, &since) && n > dev->unseen) {
		dev->unseen = n;
		dev->drops++;
	}
}

/* Without memory it is not shown. */
static void follow_import(struct device *dev, const struct event *ev)
{
	struct imported of;

	if (dev->imported || !payload_imported(ev, &of))
		return;
	dev->imported = strndup(of.text, of.len);
	dev->imported_times = (uint8_t)of.times;
}

static void follow_note(struct device *dev, const struct event *ev)
{
	follow_drops(dev, ev);
	follow_import(dev, ev);
}

void device_follow_rare(const struct event *ev)
{
	struct lane *lane = ev->lane;

	if (event_is_note(ev))
		follow_note(lane->device, ev);
	else if (lane->filtered)
		return;
	else if (ev->version < 6)
		holes_see(&lane->device->holes, ev->sequence);
	else
		holes_see(&lane->holes, ev->sequence);
}

/* what is missing of a device, and how often something was */
struct missing {
	uint64_t holes, events;	/* by the numbers */
	uint64_t drops, dropped;	/* by notes, and not by these holes */
	uint64_t both;		/* events, by both */
};

static void add_holes(struct missing *m, const struct holes *h)
{
	m->holes += h->count + h->more;
	m->events += h->missing;
}

/* A CPU's holes, if at least half as large as its drops, are these. */
static void add_lane(struct missing *m, const struct lane *lane)
{
	uint64_t dropped = lane->dropped, hole = lane->holes.missing;

	add_holes(m, &lane->holes);
	if (!dropped || 2 * hole < dropped)
		return;
	m->both += hole < dropped ? hole : dropped;
	m->dropped -= hole < dropped ? hole : dropped;
	m->drops -= lane->drops;
}

static struct missing missing_of(const struct device *dev)
{
	struct missing m = {
		.drops = dev->drops,
		.dropped = dev->dropped + dev->unseen,
	};

	add_holes(&m, &dev->holes);
	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++)
		if (dev->lanes[cpu])
			add_lane(&m, dev->lanes[cpu]);
	return m;
}

/*
 * Dropped events leave a hole only since Linux 7, and if an event of that CPU
 * follows.  So other holes of at least half of the other drops are taken to be
 * these drops, and smaller ones are added to them.
 */
void device_skips(const struct device *dev, uint64_t *holes, uint64_t *missing)
{
	struct missing m = missing_of(dev);
	uint64_t other = m.events - m.both;

	*holes = m.holes;
	*missing = m.events;
	if (other < m.dropped / 2) {
		*holes += m.drops;
		*missing += m.dropped;
	} else if (other < m.dropped) {
		*missing = m.both + m.dropped;
	}
	*holes += dev->untimely > 0;
	*missing += dev->untimely;
}

void device_text(const struct device *dev, char *text, size_t size)
{
	const char *host = dev->host ? dev->host : "";
	const char *slash = dev->host ? "/" : "";

	if (dev->label)
		snprintf(text, size, "%s%s%s", host, slash, dev->label);
	else
		snprintf(text, size, "%s%s%u,%u", host, slash,
			 BLK_MAJOR(dev->number), BLK_MINOR(dev->number));
}
