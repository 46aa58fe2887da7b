/* SPDX-License-Identifier: GPL-2.0-only */
/* I/Os in flight; see outstanding.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "emit/signs.h"
#include "findings/words.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/blktop/outstanding.h"

/* the device's place; of too many the last is for the rest */
static struct outstanding_device *place_of(struct outstanding *o,
					   const struct device *disk)
{
	for (unsigned int i = 0; i < o->count; i++)
		if (o->list[i].disk == disk)
			return &o->list[i];
	if (o->count == OUTSTANDING_DEVICES)
		return &o->list[OUTSTANDING_DEVICES - 1];
	o->list[o->count] = (struct outstanding_device){ .disk = disk };
	return &o->list[o->count++];
}

void outstanding_add(struct outstanding *o, const struct io *io, uint64_t now,
		     bool any_q)
{
	uint64_t age = now > io->time ? now - io->time : 0;
	struct outstanding_device *d;

	if (io->link == IO_SPLIT || io->gap || io->time > now ||
	    (io->kind == IO_FLUSH && any_q))
		return;
	d = place_of(o, io->disk);
	o->ios++;
	if (d->count++ && age <= d->age)
		return;
	d->age = age;
	d->sector = io->bytes ? io->sector : IO_NONE;
	d->pid = io->pid;
	d->origin = io->origin;
	d->op = io->op;
}

/* --- those that are late -------------------------------------------------- */

static int oldest_first(const void *a, const void *b)
{
	const struct outstanding_device *one = a, *two = b;

	if (one->age != two->age)
		return one->age > two->age ? -1 : 1;
	return one->disk->id < two->disk->id ? -1 : 1;
}

static void name(struct late_device *to, const struct outstanding_device *d,
		 const struct reader *reader)
{
	const char *process = reader_process(reader, d->origin, d->pid);

	*to = (struct late_device){ .count = d->count, .age = d->age,
				    .sector = d->sector, .op = d->op };
	device_text(d->disk, to->device, sizeof(to->device));
	snprintf(to->process, sizeof(to->process), "%s",
		 process ? process : "");
}

void outstanding_late(struct outstanding *o, const struct reader *reader,
		      struct late *late)
{
	*late = (struct late){ .in_flight = o->ios };
	qsort(o->list, o->count, sizeof(*o->list), oldest_first);
	for (unsigned int i = 0; i < o->count &&
	     o->list[i].age >= OUTSTANDING_AGE &&
	     late->count < OUTSTANDING_LATE; i++)
		name(&late->list[late->count++], &o->list[i], reader);
}

static void put_device(const struct late_device *d, struct buf *b,
		       unsigned int width)
{
	const struct in_flight words = {
		.count = d->count, .age = d->age, .op = d->op,
		.sector = d->sector,
		.process = *d->process ? d->process : NULL,
	};
	char device[4 * OUTSTANDING_NAME], text[FINDING_TEXT_MAX];
	char line[sizeof(device) + FINDING_TEXT_MAX + 2];

	escape_text(device, sizeof(device), d->device, strlen(d->device));
	in_flight_text(text, &words);
	snprintf(line, sizeof(line), "%s: %s", device, text);
	signs_append(b, line, width);
	buf_append(b, "\n", 1);
}

void late_text(const struct late *late, struct buf *b, unsigned int width)
{
	for (unsigned int i = 0; i < late->count; i++)
		put_device(&late->list[i], b, width);
}
