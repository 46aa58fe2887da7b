/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What btstat keeps of a run: which I/Os count, and where.
 */
#ifndef TOOLS_BTSTAT_TALLY_H
#define TOOLS_BTSTAT_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "cache/caches.h"
#include "expr/filter.h"
#include "stat/coverage.h"
#include "stat/group.h"
#include "stat/pace.h"
#include "tools/btstat/committed.h"
#include "tools/btstat/intervals.h"

/* --- maps ----------------------------------------------------------------- */

/* Heat maps of a run: one per device and operation, or one of all I/Os. */

struct heat;			/* stat/heat.h */
struct io;			/* request/io.h */

/* I/Os that would need another map are in the last one */
enum { MAPS_MAX = 64 };

struct map {
	struct heat *heat;
	uint64_t ios;
	uint32_t device, op;	/* the device's id, the op as of GROUP_OP */
	bool other;		/* also of further ones */
};

struct maps {
	unsigned int measure;
	uint64_t from;		/* start of the maps, ns */
	bool one;		/* one map of all I/Os */
	struct map list[MAPS_MAX];
	unsigned int count;
};

/* --- top ------------------------------------------------------------------ */

/* The slowest I/Os of a run. */

struct top_io {
	uint64_t id, time, sector, bytes, pid;
	uint64_t by;		/* the time that the list is sorted by */
	uint64_t q2c, i2d, d2c;	/* or IO_NONE; i2d: or m2d */
	bool open;		/* by and q2c are its age */
	uint32_t device;	/* its id */
	uint32_t op;		/* as of GROUP_OP */
	uint16_t origin, error;
};

struct top {
	unsigned int measure, max;
	struct heap heap;	/* the fastest first */
	struct top_io *list;
	unsigned int count;
};

/* --- tally ---------------------------------------------------------------- */

struct capacity;		/* capacity/capacity.h */
struct findings;		/* findings/findings.h */
struct ios;			/* request/ios.h */
struct saver;			/* tools/btstat/saver.h */
struct stat_options;		/* tools/btstat/options.h */

enum { TALLY_USERS = 2 };

extern const enum group_key tally_user_keys[TALLY_USERS];

struct tally {
	const struct stat_options *o;
	struct ios *ios;
	struct coverages coverages;
	struct paces paces;
	struct pace_open open;	/* of intervals */
	struct group *group;
	struct group_options group_options;	/* as it was made */
	struct filter filter;
	struct findings *findings;	/* NULL: some I/Os are left out */
	struct top top;
	struct maps maps;
	struct caches caches;
	struct committed committed;
	struct capacity *capacity;	/* or NULL */
	struct group *users[TALLY_USERS];	/* with it: by device and one
						 * of tally_user_keys */
	struct intervals *intervals;	/* the caller's, or NULL */
	struct saver *saver;	/* the caller's, or NULL */
	bool extra;		/* has top, maps, intervals or saver */
	bool of_all;		/* has capacity, or calls */
};

/* for I/Os of *ios, none of which has been read; t stays where it is.  0 or
 * -ENOMEM */
int tally_init(struct tally *t, const struct stat_options *o,
	       struct ios *ios);

/* Before the first I/O: pass I/Os there, too.  The caller keeps i and s. */
void tally_set_intervals(struct tally *t, struct intervals *i);
void tally_set_saver(struct tally *t, struct saver *s);

/* 0 or -ENOMEM */
int tally_add(struct tally *t, const struct io *io);

/* after the last I/O; 0 or -ENOMEM */
int tally_end(struct tally *t);

void tally_free(struct tally *t);

#endif
