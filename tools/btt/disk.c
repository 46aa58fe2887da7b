/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices as btt sees them; see disk.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "base/msg.h"
#include "blktrace.h"
#include "run/device.h"
#include "tools/btt/devmap.h"
#include "tools/btt/disk.h"
#include "tools/btt/memory.h"
#include "tools/btt/options.h"

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

/* A mapped name with a slash must not lead out of the directory. */
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

/* The same number on two hosts is two devices. */
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
