/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of one trace for its graphs, in fixed memory.
 *
 * I/O is counted by completed requests; without requests, by ios; without any
 * completions in the trace, by issues, else by queued ios.  A trace of only
 * completions is counted by these.  So a stacked device is not counted twice.
 */
#ifndef TOOLS_IOWATCHER_TRACED_H
#define TOOLS_IOWATCHER_TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "stat/depth_bins.h"
#include "stat/raster.h"
#include "stat/rates.h"
#include "stat/touches.h"
#include "tools/iowatcher/cpu_times.h"

/* --- callers -------------------------------------------------------------- */

/*
 * Processes of a trace, by pid while reading and by name after it; all kworkers
 * are one.
 */

struct reader;			/* run/reader.h */

/* distinct pids; later ones are one */
enum { CALLERS_MAX = 16384 };

struct caller {
	uint16_t origin;
	uint32_t pid;
	uint32_t name;		/* its number, from 0 in the order of pids */
};

struct callers {
	struct hash by_pid;	/* to numbers in list */
	struct caller *list;
	uint32_t count;
	size_t size;
	char **names;		/* distinct */
	uint32_t name_count;
};

/* --- traced --------------------------------------------------------------- */

struct io;			/* request/io.h */
struct watch_options;		/* tools/iowatcher/options.h */
struct watched_name;

/* the events counted, in the order of preference */
enum traced_source {
	TRACED_REQUESTS,
	TRACED_IOS,
	TRACED_ISSUES,
	TRACED_QUEUES,
	TRACED_REQUEST_ENDS,	/* without other events of them */
	TRACED_ENDS,
	TRACED_SOURCES,
	TRACED_DEPTHS = TRACED_ISSUES	/* earlier ones have a depth */
};

/* one device's offsets */
struct traced_device {
	char *name;		/* after reading */
	struct raster raster;
	struct touches touches;	/* of enum rate_class; empty without a movie */
};

struct traced {
	const char *label;	/* or "" */
	char *host;		/* that recorded it, or "" */
	uint64_t began;		/* its first event, ns since 1970; 0: unknown */
	struct rates rates[TRACED_SOURCES];
	struct depth_bins depth[TRACED_DEPTHS];
	bool any[TRACED_SOURCES];
	struct traced_device *devices;	/* by their ids */
	size_t device_count;
	struct callers callers;	/* -P: for classes of rasters; else these are
				 * enum rate_class */
	struct cpu_times cpus;	/* from the file beside it, if any */
	uint64_t end;		/* of the trace, or of the window, ns */
	uint64_t ios;		/* in some graph */
	uint64_t missing;	/* events known to be lost */
	bool damaged;
};

/* Reads a trace as far as possible, and reports faults; a name without a trace
 * ends the program. */
void traced_read(struct traced *t, const struct watch_options *o,
		 const struct watched_name *name);

/* the source of its lines, or TRACED_SOURCES for none */
enum traced_source traced_source(const struct traced *t);

void traced_free(struct traced *t);

#endif
