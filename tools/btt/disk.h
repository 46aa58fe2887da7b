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
#include "tools/btt/datafile.h"
#include "tools/btt/files/per_second.h"
#include "tools/btt/files/sizes.h"
#include "tools/btt/seconds.h"
#include "tools/btt/seeks.h"
#include "tools/btt/spans.h"

/* --- depth ---------------------------------------------------------------- */

/*
 * How many requests a device has been given and not completed, as it changes:
 * <name>_<dev>_aqd.dat (-Q).
 */

struct datafile;		/* tools/btt/datafile.h */

struct depth {
	struct datafile *file;
	uint32_t requests;
};

void depth_issue(struct depth *d, uint64_t time);
void depth_complete(struct depth *d, uint64_t time);

/* --- latency -------------------------------------------------------------- */

/*
 * Latencies over time: a line for each request (-l d2c, -q q2c, -z q2d), and
 * averages over periods (-L, <dev>_q2c_plat.dat and so on).
 */

struct latency {
	struct datafile *each;
	struct datafile *averages;
	double period;		/* seconds */
	/* the period that is open */
	double first, last;	/* times of its samples */
	double sum;
	uint64_t samples;	/* 0: none is open */
};

/* slow path of latency_add() */
void latency_write(struct latency *l, uint64_t time, uint64_t latency);

/* a request's latency, in ns, put at this time */
static inline void latency_add(struct latency *l, uint64_t time,
			       uint64_t latency)
{
	if (l->each || l->averages)
		latency_write(l, time, latency);
}

/* --- device files --------------------------------------------------------- */

/*
 * The data files of one device, all opened when it is met.
 */

struct options;			/* tools/btt/options.h */

struct device_files {
	struct rates rates;
	struct latency q2d, d2c, q2c;
	struct depth depth;
	struct rw_files blocks, issue_seeks, queue_seeks;
	struct per_second per_second;
	struct datafile *trees;
};

/*
 * passes_on: the device completes requests that were never issued to it, as
 * others below do its work.  false: not all is in the files, after a warning.
 */
bool device_files_close(struct device_files *f, bool passes_on);

/* --- unplugs -------------------------------------------------------------- */

/*
 * How many requests each unplug let go: <name>_<dev>.dat, a line for each
 * number of fives (-u).
 */

struct opener;			/* base/opener.h */

enum {
	UNPLUGS_STEP = 5,
	UNPLUGS_BUCKETS = 21,	/* the last has all that are above */
};

struct unplugs {
	uint64_t counts[UNPLUGS_BUCKETS];
};

static inline void unplugs_add(struct unplugs *u, uint64_t requests)
{
	uint64_t bucket = requests / UNPLUGS_STEP;

	u->counts[bucket < UNPLUGS_BUCKETS ? bucket : UNPLUGS_BUCKETS - 1]++;
}

/* false: not all is in the file, after a warning */
bool unplugs_write(const struct unplugs *u, const struct opener *by,
		   const char *name, const char *label);

/* --- iostat --------------------------------------------------------------- */

/*
 * What iostat would have seen of a device: merges, issues, and how long
 * requests were in its queue and with it.
 */

struct request;			/* tools/btt/requests.h */

enum { IOSTAT_WRITE, IOSTAT_READ };

/* what happened on a device, since the last table or in all */
struct iostat_sums {
	uint64_t merges[2], issues[2], blocks[2];	/* writes, reads */
	uint64_t wait;		/* ns from I or M to C */
	uint64_t service;	/* ns from Q to C */
	double queue;		/* requests times seconds */
	double idle;		/* seconds */
};

/* a device's part */
struct iostat_device {
	struct iostat_sums interval, all;
	int queued, issued;	/* requests in the queue and the device now */
	double queue_changed, device_changed;	/* seconds */
};

/* what happens to requests */
void iostat_allocate(struct iostat_device *d, uint64_t time);
void iostat_merge(struct iostat_device *d, int direction);
void iostat_issue(struct iostat_device *d, int direction, uint64_t time,
		  uint32_t blocks);
void iostat_complete(struct iostat_device *d, const struct request *r,
		     uint64_t time);

/* time passes up to now, in seconds; the device is idle, whatever it has */
void iostat_pass(struct iostat_device *d, double now);

/* --- plugs ---------------------------------------------------------------- */

/*
 * Plugs: a device holds requests back to merge them, until it is unplugged,
 * by the kernel's choice or its timer.
 */

struct plugs {
	bool plugged;
	uint64_t since;		/* when it was plugged last */
	double seconds;		/* in which it was plugged */
	/* of unplugs by choice [0] and by the timer [1] */
	uint32_t count[2];
	uint64_t requests[2];	/* that they let go */
};

static inline void plugs_close(struct plugs *p, uint64_t time)
{
	if (!p->plugged)
		p->since = time;
	p->plugged = true;
}

/* means nothing to one that is not plugged */
static inline void plugs_open(struct plugs *p, bool timer, uint64_t requests,
			      uint64_t time)
{
	if (!p->plugged)
		return;
	p->plugged = false;
	p->seconds += seconds_of_time(time) - seconds_of_time(p->since);
	p->count[timer]++;
	p->requests[timer] += requests;
}

/* --- waits ---------------------------------------------------------------- */

/*
 * How long requests waited from Q to D, in classes: the Q2D histogram (-A).
 */

enum { WAITS = 10 };

struct waits {
	uint64_t counts[WAITS];	/* below 5 ms, 10 ms, ... 1 s, and the rest */
};

/* counts a wait of so many ns */
void waits_add(struct waits *w, uint64_t ns);

/* --- disk ----------------------------------------------------------------- */

struct devices;			/* run/device.h */

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
