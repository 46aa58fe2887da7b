/* SPDX-License-Identifier: GPL-2.0-only */
/* Disks and their partitions; see disk_map.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "blktrace.h"
#include "import/disk_map.h"

enum {
	PLACE_BITS = 10,
	PLACE_BIOS = 4,		/* of sectors that share a place */
	LETTERS = 26,
	SD_MAJORS = 8,		/* in a block of them, of 16 disks each */
	SD_DISKS = 16,
};

/* a bio that was queued */
struct disk_bio {
	uint64_t sector;
	uint32_t device;	/* its index plus 1; 0: none */
};

/* drivers whose disks have the minors from one multiple to the next */
static const struct {
	uint32_t first, last;	/* majors */
	uint32_t minors;	/* of a disk */
} fixed[] = {
	{ 8, 8, 16 }, { 65, 71, 16 }, { 128, 135, 16 },		/* sd */
	{ 202, 202, 16 },					/* xvd */
	{ 3, 3, 64 }, { 22, 22, 64 }, { 33, 34, 64 },		/* ide */
	{ 56, 57, 64 },
};

int disk_map_init(struct disk_map *d)
{
	*d = (struct disk_map){ .bios = calloc(PLACE_BIOS << PLACE_BITS,
					    sizeof(*d->bios)) };
	return d->bios ? 0 : -ENOMEM;
}

void disk_map_free(struct disk_map *d)
{
	free(d->list);
	free(d->bios);
	hash_free(&d->by_number);
}

/* --- devices -------------------------------------------------------------- */

static void set_fixed(struct disk *k)
{
	uint32_t major = BLK_MAJOR(k->number), minor = BLK_MINOR(k->number);

	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++) {
		if (major < fixed[i].first || major > fixed[i].last)
			continue;
		minor -= minor % fixed[i].minors;
		k->whole = BLK_DEVICE(major, minor);
		k->state = k->whole == k->number ? DISK_WHOLE : DISK_PARTITION;
		k->fixed = true;
	}
}

static int add(struct disk_map *d, uint32_t number, uint64_t time)
{
	struct disk *list;

	if (d->count == DISK_MAP_MAX)
		return -ERANGE;
	list = array_reserve(d->list, d->count, &d->size, 16, sizeof(*list));
	if (!list)
		return -ENOMEM;
	d->list = list;
	if (hash_put_number(&d->by_number, number, d->count))
		return -ENOMEM;
	list[d->count] = (struct disk){ .number = number, .whole = number,
					.since = time };
	set_fixed(&list[d->count++]);
	return 0;
}

int disk_map_add(struct disk_map *d, uint32_t number, uint64_t time)
{
	int err;

	if (hash_get_number(&d->by_number, number) >= 0)
		return 0;
	err = add(d, number, time);
	if (err)
		return err;
	/* the disk has a later index, and is fixed itself */
	number = d->list[d->count - 1].whole;
	if (hash_get_number(&d->by_number, number) < 0)
		err = add(d, number, time);
	return err;
}

struct disk *disk_map_get(struct disk_map *d, uint32_t number)
{
	return &d->list[hash_get_number(&d->by_number, number)];
}

/* --- bios ----------------------------------------------------------------- */

static struct disk_bio *place_of(struct disk_map *d, uint64_t sector)
{
	return d->bios + hash_spread(sector, PLACE_BITS) * PLACE_BIOS;
}

static struct disk_bio *find(struct disk_map *d, const struct disk *k,
			     uint64_t sector)
{
	struct disk_bio *b = place_of(d, sector);

	for (int i = 0; i < PLACE_BIOS; i++)
		if (b[i].device == (uint32_t)(k - d->list) + 1 &&
		    b[i].sector == sector)
			return &b[i];
	return NULL;
}

void disk_map_queued(struct disk_map *d, uint32_t number, uint64_t sector)
{
	const struct disk *k = disk_map_get(d, number);
	struct disk_bio *b = place_of(d, sector);
	int i = 0;

	if (find(d, k, sector))
		return;
	while (i < PLACE_BIOS && b[i].device)
		i++;
	if (i == PLACE_BIOS)
		i = (int)(d->turn++ % PLACE_BIOS);
	b[i] = (struct disk_bio){ sector, (uint32_t)(k - d->list) + 1 };
}

void disk_map_merged(struct disk_map *d, uint32_t number, uint64_t sector)
{
	struct disk_bio *b = find(d, disk_map_get(d, number), sector);

	if (b)
		b->device = 0;
}

/* --- what is on what ------------------------------------------------------ */

static void add_candidate(struct disk *k, uint32_t whole)
{
	for (unsigned int i = 0; i < k->candidate_count; i++)
		if (k->candidates[i] == whole)
			return;
	if (k->candidate_count < DISK_CANDIDATES)
		k->candidates[k->candidate_count++] = whole;
}

static void be_partition(struct disk *k, uint32_t whole)
{
	k->state = DISK_PARTITION;
	k->whole = whole;
}

/* The bio of this disk, or of a partition of it, that waits there. */
static struct disk_bio *find_own(struct disk_map *d, const struct disk *k,
				 uint64_t sector)
{
	struct disk_bio *b = place_of(d, sector);

	for (int i = 0; i < PLACE_BIOS; i++)
		if (b[i].device && b[i].sector == sector &&
		    d->list[b[i].device - 1].whole == k->number)
			return &b[i];
	return NULL;
}

/* Others' bios there, of which this disk may have taken one. */
static void suspect(struct disk_map *d, uint64_t sector, uint32_t whole)
{
	struct disk_bio *b = place_of(d, sector), *only = NULL;
	int count = 0;

	for (int i = 0; i < PLACE_BIOS; i++) {
		if (!b[i].device || b[i].sector != sector ||
		    d->list[b[i].device - 1].state != DISK_UNKNOWN)
			continue;
		add_candidate(&d->list[b[i].device - 1], whole);
		only = &b[i];
		count++;
	}
	if (count != 1)
		return;
	be_partition(&d->list[only->device - 1], whole);
	only->device = 0;
}

void disk_map_whole(struct disk_map *d, uint32_t number)
{
	struct disk *k = disk_map_get(d, number);

	if (k->fixed)
		return;
	k->state = DISK_WHOLE;
	k->whole = number;
}

void disk_map_taken(struct disk_map *d, uint32_t number, uint64_t sector)
{
	const struct disk *k = disk_map_get(d, number);
	struct disk_bio *own;

	disk_map_whole(d, number);
	if (k->state != DISK_WHOLE)
		return;
	own = find_own(d, k, sector);
	if (own)
		own->device = 0;
	else
		suspect(d, sector, number);
}

void disk_map_settle(struct disk_map *d, uint32_t number)
{
	struct disk *k = disk_map_get(d, number);
	uint32_t best = 0;

	if (k->state != DISK_UNKNOWN || !k->candidate_count)
		return;
	for (unsigned int i = 0; i < k->candidate_count; i++)
		if (k->candidates[i] < number && k->candidates[i] > best)
			best = k->candidates[i];
	be_partition(k, best ? best : k->candidates[0]);
}

/* --- names ---------------------------------------------------------------- */

/* the disk's letters: a to z, aa to zz, aaa ... */
static void name_sd(uint32_t index, char name[IMPORT_NAME])
{
	char letters[8], *p = letters + sizeof(letters) - 1;

	*p = '\0';
	for (int64_t i = index; i >= 0; i = i / LETTERS - 1)
		*--p = (char)('a' + i % LETTERS);
	snprintf(name, IMPORT_NAME, "sd%s", p);
}

/* 16 disks a major, then the next major; what is above minor 255 counts the 256
 * disks before. */
static bool index_sd(uint32_t number, uint32_t *index)
{
	uint32_t major = BLK_MAJOR(number), minor = BLK_MINOR(number), block;

	if (major == 8)
		block = 0;
	else if (major >= 65 && major <= 71)
		block = major - 64;
	else if (major >= 128 && major <= 135)
		block = major - 128 + SD_MAJORS;
	else
		return false;
	*index = (minor & 0xfff00) + block * SD_DISKS + (minor >> 4 & 15);
	return true;
}

void disk_name(uint32_t number, char name[IMPORT_NAME])
{
	uint32_t index;

	if (BLK_MAJOR(number) == 7)
		snprintf(name, IMPORT_NAME, "loop%u", BLK_MINOR(number));
	else if (index_sd(number, &index))
		name_sd(index, name);
	else
		snprintf(name, IMPORT_NAME, "%u-%u", BLK_MAJOR(number),
			 BLK_MINOR(number));
}
