/* SPDX-License-Identifier: GPL-2.0-only */
/* The devices of a report; see disks.h. */
#include "base/hint.h"
#include "report/disks.h"
#include "request/io.h"
#include "run/device.h"

/* --- what ios show -------------------------------------------------------- */

static COLD void begin(struct report_disks *d, uint32_t number,
		       const struct io *io)
{
	struct report_disk *disk = &d->list[number];

	disk->device = io->disk;
	disk->number = io->device;
	if (number >= d->count)
		d->count = number + 1;
}

static void add_upper(struct report_disk *disk, uint32_t number)
{
	for (unsigned int i = 0; i < disk->upper_count; i++)
		if (disk->uppers[i] == number)
			return;
	if (number != disk->number && disk->upper_count < REPORT_UPPERS)
		disk->uppers[disk->upper_count++] = number;
}

uint32_t report_disks_number(const struct io *io)
{
	return io->disk->id < REPORT_DISKS - 1 ? io->disk->id :
						 REPORT_DISKS - 1;
}

static inline void widen(struct report_disk *disk, const struct io *io)
{
	uint64_t end = io->sector + (io->bytes >> 9);

	if (!io->bytes || end < io->sector)
		return;
	if (UNLIKELY(!disk->hi || io->sector < disk->lo))
		disk->lo = io->sector;
	if (UNLIKELY(end > disk->hi))
		disk->hi = end;
}

static APART struct report_disk *disk_of(struct report_disks *d,
					 const struct io *io)
{
	uint32_t number = report_disks_number(io);
	struct report_disk *disk = &d->list[number];

	if (UNLIKELY(!disk->device))
		begin(d, number, io);
	if (UNLIKELY(disk->device != io->disk))
		disk->others = true;
	d->last = disk;
	d->last_number = number;
	return disk;
}

uint32_t report_disks_add(struct report_disks *d, const struct io *io)
{
	struct report_disk *disk = d->last;

	if (UNLIKELY(!disk || disk->device != io->disk))
		disk = disk_of(d, io);
	widen(disk, io);
	/* the first I/O has both, as a rule */
	if (UNLIKELY(!disk->has_q))
		disk->has_q = io->birth == 'Q' && io->bytes;
	if (UNLIKELY(!disk->has_d))
		disk->has_d = io->issued != IO_NONE && io->kind == IO_BIO;
	if (io->remapped)
		add_upper(disk, io->from_device);
	return d->last_number;
}

/* --- the tree ------------------------------------------------------------- */

bool report_disks_over(const struct report_disks *d, uint32_t upper,
		       uint32_t lower)
{
	const struct report_disk *u = &d->list[upper], *l = &d->list[lower];

	if (u == l || !u->device || !l->device || u->others || l->others ||
	    u->device->origin != l->device->origin)
		return false;
	for (unsigned int i = 0; i < l->upper_count; i++)
		if (l->uppers[i] == u->number)
			return true;
	return false;
}

static void find_stacked(struct report_disks *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		for (uint32_t j = 0; j < d->count; j++)
			if (report_disks_over(d, i, j))
				d->list[i].stacked = true;
}

/* Without any D those count whose ios come from nowhere else. */
static void choose_on(struct report_disks *d)
{
	bool any = false;

	for (uint32_t i = 0; i < d->count; i++) {
		struct report_disk *disk = &d->list[i];

		disk->on = disk->device && disk->has_d && !disk->stacked;
		any |= disk->on;
	}
	for (uint32_t i = 0; !any && i < d->count; i++)
		d->list[i].on = d->list[i].device && !d->list[i].stacked;
}

static bool is_placed(const struct report_disks *d, uint32_t number)
{
	for (uint32_t i = 0; i < d->there; i++)
		if (d->order[i] == number)
			return true;
	return false;
}

/* A device, and those below it with what is below them: each
 * is placed once, so that this ends even if remaps go in a circle. */
static void place(struct report_disks *d, uint32_t number, unsigned int level)
{
	d->list[number].level = level;
	d->order[d->there++] = number;
	for (uint32_t i = 0; i < d->count; i++)
		if (report_disks_over(d, number, i) && !is_placed(d, i))
			place(d, i, level + 1);
}

static bool is_below(const struct report_disks *d, uint32_t number)
{
	for (uint32_t i = 0; i < d->count; i++)
		if (report_disks_over(d, i, number))
			return true;
	return false;
}

void report_disks_end(struct report_disks *d)
{
	find_stacked(d);
	choose_on(d);
	for (uint32_t i = 0; i < d->count; i++)
		if (d->list[i].device && !is_below(d, i))
			place(d, i, 0);
	/* devices in a circle */
	for (uint32_t i = 0; i < d->count; i++)
		if (d->list[i].device && !is_placed(d, i))
			place(d, i, 0);
}
