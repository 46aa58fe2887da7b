/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which disk the device of an event is on.  Since Linux 5.12 a bio's
 * tracepoints have the partition that it was sent to, with the disk's sectors,
 * while blktrace records the disk.
 *
 * A device whose bio is taken at its sector is a disk: by a request, or by a
 * remap to another device.  If a bio of another device was queued at that
 * sector, and none of the disk's own, then that device is its partition.  Bios
 * of several devices at one sector (a mirror's) only make that disk a candidate
 * of each.  Drivers with fixed numbers of minors for a disk need no such
 * search.
 *
 * Events must come in order of time.
 */
#ifndef IMPORT_DISK_MAP_H
#define IMPORT_DISK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "import/import.h"

enum {
	DISK_MAP_MAX = 16384,	/* devices */
	DISK_CANDIDATES = 4,
};

enum disk_state {
	DISK_UNKNOWN,		/* a partition, or a disk without requests */
	DISK_WHOLE,
	DISK_PARTITION,
};

struct disk {
	uint32_t number;
	uint32_t whole;		/* the disk's number; its own, if not known */
	enum disk_state state;
	bool fixed;		/* by its number */
	uint32_t candidates[DISK_CANDIDATES];
	unsigned int candidate_count;
	uint64_t since;		/* time of its first event, for the caller */
	bool named;		/* for the caller */
};

struct disk_bio;

struct disk_map {
	struct disk *list;
	uint32_t count;
	size_t size;
	struct hash by_number;
	struct disk_bio *bios;	/* queued, by sector */
	uint32_t turn;		/* which of a place's bios is replaced next */
};

/* 0 or -ENOMEM */
int disk_map_init(struct disk_map *d);
void disk_map_free(struct disk_map *d);

/* Adds a device, if it is new, and its disk, if that is fixed.  0; -ENOMEM; or
 * -ERANGE: more than DISK_MAP_MAX. */
int disk_map_add(struct disk_map *d, uint32_t number, uint64_t time);

/* All others are for devices that were added. */

/* valid until the next is added */
struct disk *disk_map_get(struct disk_map *d, uint32_t number);

/* a bio of a device waits at this sector of its disk */
void disk_map_queued(struct disk_map *d, uint32_t number, uint64_t sector);

/* it was merged, and is not taken by itself */
void disk_map_merged(struct disk_map *d, uint32_t number, uint64_t sector);

/* a request of a device, or a remap from it, has taken the bio there */
void disk_map_taken(struct disk_map *d, uint32_t number, uint64_t sector);

/* it has a request, which took no bio */
void disk_map_whole(struct disk_map *d, uint32_t number);

/* Ends a search: a device that is still unknown becomes a partition of the
 * candidate with the nearest lower number, if there is one.  Later events may
 * still show what it is. */
void disk_map_settle(struct disk_map *d, uint32_t number);

/* A disk's name by its number: sda, loop0; 259-0 if its driver has no fixed
 * one. */
void disk_name(uint32_t number, char name[IMPORT_NAME]);

#endif
