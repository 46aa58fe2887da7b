/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is kept of one trace for its graphs: fixed memory, however long it is.
 *
 * What the device did is counted by requests, as they complete; where there are
 * none, by ios; where nothing completes as the trace has no such events, when
 * requests are issued, else when ios are queued.  Of a trace of completions only
 * these are all that is known.  So a device that makes no requests, above one
 * that does, is not counted twice.
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
 * Processes of a trace, by pid while it is read, by name once it has been: of
 * one name they are one.  kworker/u8:1 is kworker, as is every other.
 */

struct reader;			/* run/reader.h */

/* so many pids are told apart; later ones are one */
enum { CALLERS_MAX = 16384 };

struct caller {
	uint16_t origin;
	uint32_t pid;
	uint32_t name;		/* its number, from 0 in the order of pids */
};

struct callers {
	struct hash by_pid;	/* of a person, its number */
	struct caller *list;
	uint32_t count;
	size_t size;
	char **names;		/* all different */
	uint32_t name_count;
};

/* --- traced --------------------------------------------------------------- */

struct io;			/* request/io.h */
struct watch_options;		/* tools/iowatcher/options.h */
struct watched_name;

/* what completions are counted of, in the order of preference */
enum traced_source {
	TRACED_REQUESTS,
	TRACED_IOS,
	TRACED_ISSUES,
	TRACED_QUEUES,
	TRACED_REQUEST_ENDS,	/* of which nothing else is in the trace */
	TRACED_ENDS,
	TRACED_SOURCES,
	TRACED_DEPTHS = TRACED_ISSUES	/* those before it have a depth */
};

/* one device's offsets */
struct traced_device {
	char *name;		/* once the trace has been read */
	struct raster raster;
	struct touches touches;	/* of enum rate_class; nothing if no movie is
				 * wanted */
};

struct traced {
	const char *label;	/* "" if there is none */
	struct rates rates[TRACED_SOURCES];
	struct depth_bins depth[TRACED_DEPTHS];
	bool any[TRACED_SOURCES];
	struct traced_device *devices;	/* by their ids */
	size_t device_count;
	struct callers callers;	/* -P: classes of rasters are of them; else
				 * they are enum rate_class */
	struct cpu_times cpus;	/* from the file beside it, or none */
	uint64_t end;		/* of the trace, or of what is wanted, ns */
	uint64_t ios;		/* that are in some graph */
	uint64_t missing;	/* events that are known to be lost */
	bool damaged;
};

/* Reads a trace.  What is wrong with it has been reported, and what could be
 * read of it is there; a name that means nothing ends the program. */
void traced_read(struct traced *t, const struct watch_options *o,
		 const struct watched_name *name);

/* what its lines are of, or TRACED_SOURCES: there is nothing */
enum traced_source traced_source(const struct traced *t);

void traced_free(struct traced *t);

#endif
