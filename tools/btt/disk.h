/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device, by the number in its events: its counts, its requests in flight,
 * and its files.
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
 * The number of requests in flight, at each change: <name>_<dev>_aqd.dat (-Q).
 */

struct depth {
	struct datafile *file;
	uint32_t requests;
};

void depth_issue(struct depth *d, uint64_t time);
void depth_complete(struct depth *d, uint64_t time);

/* --- latency -------------------------------------------------------------- */

/* Latencies over time: a line per request (-l d2c, -q q2c, -z q2d), and
 * averages of periods (-L, <dev>_q2c_plat.dat and others). */

struct latency {
	struct datafile *each;
	struct datafile *averages;
	double period;		/* seconds */
	/* the current period */
	double first, last;	/* times of its samples */
	double sum;
	uint64_t samples;	/* 0: no period */
};

/* slow path of latency_add() */
void latency_write(struct latency *l, uint64_t time, uint64_t latency);

/* a request's latency at this time; both ns */
static inline void latency_add(struct latency *l, uint64_t time,
			       uint64_t latency)
{
	if (l->each || l->averages)
		latency_write(l, time, latency);
}

/* --- device files --------------------------------------------------------- */

/* The data files of one device, opened at its first event. */

struct options;			/* tools/btt/options.h */

struct device_files {
	struct rates rates;
	struct latency q2d, d2c, q2c;
	struct depth depth;
	struct rw_files blocks, issue_seeks, queue_seeks;
	struct per_second per_second;
	struct datafile *trees;
};

/* passes_on: the device completes requests never issued to it, as devices below
 * it do its work.  false: a write failed, after a warning. */
bool device_files_close(struct device_files *f, bool passes_on);

/* --- unplugs -------------------------------------------------------------- */

/* Requests per unplug: <name>_<dev>.dat, a line per class of five (-u). */

struct opener;			/* base/opener.h */

enum {
	UNPLUGS_STEP = 5,
	UNPLUGS_BUCKETS = 21,	/* the last also has all above */
};

struct unplugs {
	uint64_t counts[UNPLUGS_BUCKETS];
};

static inline void unplugs_add(struct unplugs *u, uint64_t requests)
{
	uint64_t bucket = requests / UNPLUGS_STEP;

	u->counts[bucket < UNPLUGS_BUCKETS ? bucket : UNPLUGS_BUCKETS - 1]++;
}

/* false: a write failed, after a warning */
bool unplugs_write(const struct unplugs *u, const struct opener *by,
		   const char *name, const char *label);

/* --- iostat --------------------------------------------------------------- */

/* The counters of a device that iostat would have read. */

struct request;			/* tools/btt/requests.h */

enum { IOSTAT_WRITE, IOSTAT_READ };

/* since the last table, or in all */
struct iostat_sums {
	uint64_t merges[2], issues[2], blocks[2];	/* writes, reads */
	uint64_t wait;		/* ns from I or M to C */
	uint64_t service;	/* ns from Q to C */
	double queue;		/* requests times seconds */
	double idle;		/* seconds */
};

struct iostat_device {
	struct iostat_sums interval, all;
	int queued, issued;	/* requests in the queue, in flight */
	double queue_changed, device_changed;	/* seconds */
};

void iostat_allocate(struct iostat_device *d, uint64_t time);
void iostat_merge(struct iostat_device *d, int direction);
void iostat_issue(struct iostat_device *d, int direction, uint64_t time,
		  uint32_t blocks);
void iostat_complete(struct iostat_device *d, const struct request *r,
		     uint64_t time);

/* lets time pass up to now, in seconds; the device counts as idle */
void iostat_pass(struct iostat_device *d, double now);

/* --- plugs ---------------------------------------------------------------- */

/* Plugs: the kernel holds back a device's requests to merge them, and unplugs
 * it explicitly or by a timer. */

struct plugs {
	bool plugged;
	uint64_t since;		/* when it was plugged last */
	double seconds;		/* plugged, in total */
	/* of explicit unplugs [0] and of those by timer [1] */
	uint32_t count[2];
	uint64_t requests[2];	/* released */
};

static inline void plugs_close(struct plugs *p, uint64_t time)
{
	if (!p->plugged)
		p->since = time;
	p->plugged = true;
}

/* ignored if not plugged */
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

/* The Q2D histogram (-A). */

enum { WAITS = 10 };

struct waits {
	uint64_t counts[WAITS];	/* below 5ms, 10ms, ... 1s, and the rest */
};

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
	char *name;		/* of its files: mapped, slashes replaced, or
				 * "major,minor" */
	const char *mapped;	/* its name by -M, or NULL */
	char *on_host;		/* with several hosts: HOST/NAME, which is then
				 * mapped, too */
	uint32_t index;		/* in order of appearance */
	bool remapper;		/* as far as known */
	bool awake;		/* had a Q or A; before, events are ignored */
	bool grouped;		/* one of those had a cgroup id */
	uint64_t first;		/* time of its first event, */
	uint64_t last;		/* and of the last that counted, or 0 */

	struct spans spans;	/* until the end as if it were no remapper */
	struct cell gaps;	/* from the system's last Q to its own */
	struct busy busy;
	uint32_t open;		/* root of its requests */

	struct cell blocks;	/* of completions, 512 bytes each */
	uint64_t queues, issues;	/* Qs (and Rs) and Ds */
	uint64_t active;	/* requests queued, not merged or issued */
	uint64_t active_sum;	/* of active at each Q and R */
	struct seeks queue_seeks, issue_seeks;
	struct plugs plugs;
	struct unplugs unplugs;
	struct waits waits;
	struct sizes queue_sizes, issue_sizes;
	struct iostat_device iostat;
	struct device_files files;
};

struct disks {
	struct disk **list;	/* in order of appearance */
	size_t count, size;
	struct hash by_number;
	uint64_t last_key;	/* of last, the last one found */
	struct disk *last;
	bool crowded;		/* more than DISKS_MAX were in the trace */
	const struct devices *run;	/* for names of hosts, or NULL */
};

/* an all-zero struct disks is empty */
void disks_free(struct disks *d);

/* the device of this origin_key(), or NULL */
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

/* A new one, its files opened; NULL and d->crowded: too many.  Dies without
 * memory. */
struct disk *disks_add(struct disks *d, const struct options *o, uint64_t key);

/* "major,minor", or on_host */
void disk_number(const struct disk *d, char text[DISK_LABEL]);

/* The mapped name, or "(major,minor)" with padding, cut at cut characters
 * unless it has a host's name. */
void disk_label(const struct disk *d, char label[DISK_LABEL], int cut);

/* the same for programs: no brackets, no padding */
void disk_plain_label(const struct disk *d, char label[DISK_LABEL]);

#endif
