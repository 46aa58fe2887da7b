/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices as btt sees them, by the number in their events: what has been
 * counted, which requests are under way, and the files written about them.
 */
#ifndef TOOLS_BTT_DISK_H
#define TOOLS_BTT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "tools/btt/busy.h"
#include "tools/btt/device_files.h"
#include "tools/btt/files/sizes.h"
#include "tools/btt/files/unplugs.h"
#include "tools/btt/iostat.h"
#include "tools/btt/plugs.h"
#include "tools/btt/seeks.h"
#include "tools/btt/spans.h"
#include "tools/btt/waits.h"

struct devices;			/* run/device.h */
struct options;			/* tools/btt/options.h */

enum {
	DISKS_MAX = 4096,	/* more in one trace are damage */
	DISK_LABEL = 256,	/* room for any label */
	DISK_COLUMN = 14,	/* characters of a label in tables */
};

struct disk {
	uint32_t number;	/* major and minor */
	char *name;		/* of its files: the mapped name, without any
				 * slash, or "major,minor" */
	const char *mapped;	/* the name that -M gives it, or NULL */
	char *on_host;		/* of several hosts: its name with the host's
				 * in front, which is mapped then, too */
	uint32_t index;		/* its own, in order of appearance */
	bool remapper;		/* as far as is known */
	bool awake;		/* a Q or A has come: before, all is ignored */
	bool grouped;		/* one of those carried a cgroup id */
	uint64_t first;		/* time of its first event, */
	uint64_t last;		/* and of the last that counted, or 0 */

	struct spans spans;	/* until the end as if it were no remapper */
	struct cell gaps;	/* before its Qs, from the system's last one */
	struct busy busy;
	uint32_t open;		/* root of its requests that are under way */

	struct cell blocks;	/* of completions, 512 bytes each */
	uint64_t queues, issues;	/* Qs (and Rs) and Ds */
	uint64_t active;	/* requests queued, not merged or issued */
	uint64_t active_sum;	/* of what active was at each Q and R */
	struct seeks queue_seeks, issue_seeks;
	struct plugs plugs;
	struct unplugs unplugs;
	struct waits waits;
	struct sizes queue_sizes, issue_sizes;
	struct iostat_device iostat;
	struct device_files files;
};

struct disks {
	struct disk **list;	/* in the order in which they were met */
	size_t count, size;
	struct hash by_number;
	uint64_t last_key;	/* of the last disks_find() that found one */
	struct disk *last;
	bool crowded;		/* there were more than DISKS_MAX */
	const struct devices *run;	/* where hosts have names, or NULL */
};

/* an all-zero struct disks is empty */
void disks_free(struct disks *d);

/* the device of this origin_key(); NULL: it has not been met */
static inline struct disk *disks_find(struct disks *d, uint64_t key)
{
	struct disk *disk;

	if (d->last && d->last_key == key)
		return d->last;
	disk = hash_get(&d->by_number, key);
	if (disk) {
		d->last = disk;
		d->last_key = key;
	}
	return disk;
}

/*
 * A new one, its files opened; NULL: there are too many, d->crowded.  Dies
 * without memory.
 */
struct disk *disks_add(struct disks *d, const struct options *o, uint64_t key);

/* "major,minor", or its name on its host */
void disk_number(const struct disk *d, char text[DISK_LABEL]);

/*
 * Its label: the mapped name, or "(major,minor)" in columns; cut characters of
 * it at most, but with a host's name as many as there are.
 */
void disk_label(const struct disk *d, char label[DISK_LABEL], int cut);

/* the same as programs want it: no brackets, no columns */
void disk_plain_label(const struct disk *d, char label[DISK_LABEL]);

#endif
