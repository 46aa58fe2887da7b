/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices and their CPUs; see device.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"

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

static int reserve(struct devices *d)
{
	uint32_t size = d->size ? 2 * d->size : 16;
	struct device **list;

	if (d->count < d->size)
		return 0;
	list = realloc(d->list, size * sizeof(*list));
	if (!list)
		return -ENOMEM;
	d->list = list;
	d->size = size;
	return 0;
}

struct device *device_add(struct devices *d, const char *label,
			  uint32_t number, uint16_t origin)
{
	struct device *dev;

	if (reserve(d))
		return NULL;
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
	d->list[d->count++] = dev;
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

/* blktrace notes the sum so far, and may note the same sum twice. */
static void follow_drops(struct device *dev, const struct event *ev)
{
	uint64_t n, since;

	if (payload_dropped(ev, &n, &since) && n > dev->dropped) {
		dev->dropped = n;
		dev->drops++;
	}
	if (payload_missing(ev, &n, &since) && n > dev->unseen) {
		dev->unseen = n;
		dev->drops++;
	}
}

void device_follow_rare(const struct event *ev)
{
	struct lane *lane = ev->lane;

	if (event_is_note(ev))
		follow_drops(lane->device, ev);
	else if (lane->filtered)
		return;
	else if (ev->version < 6)
		holes_see(&lane->device->holes, ev->sequence);
	else
		holes_see(&lane->holes, ev->sequence);
}

static void add_holes(const struct holes *h, uint64_t *count, uint64_t *missing)
{
	*count += h->count + h->more;
	*missing += h->missing;
}

/*
 * What the kernel drops leaves no hole up to Linux 6, and one since Linux 7 if
 * an event of that CPU follows.  So holes at least half as large as what
 * blktrace says was lost are taken to be part of just that, smaller ones to
 * come on top of it.
 */
void device_skips(const struct device *dev, uint64_t *holes, uint64_t *missing)
{
	uint64_t lost = dev->dropped + dev->unseen;

	*holes = *missing = 0;
	add_holes(&dev->holes, holes, missing);
	for (uint32_t cpu = 0; cpu < dev->cpus; cpu++)
		if (dev->lanes[cpu])
			add_holes(&dev->lanes[cpu]->holes, holes, missing);
	if (*missing < lost / 2) {
		*holes += dev->drops;
		*missing += lost;
	} else if (*missing < lost) {
		*missing = lost;
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
