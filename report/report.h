/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report: all that a page about a run of ios shows, gathered in one pass and
 * in memory that does not grow with the run.
 *
 * Each io is kept as a row, as long as there is room for all of them; beyond
 * that they are counted in a cube.  Then there are no rows.
 *
 * Times are from the begin of the window, in ns.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/cube.h"
#include "report/depths.h"
#include "report/disks.h"
#include "report/lanes.h"
#include "report/streams.h"
#include "report/excerpts.h"
#include "report/sums.h"
#include "stat/pace.h"
#include "stat/sequence.h"

struct cgroups;			/* run/cgroups.h */
struct io;			/* request/io.h */
struct reader;			/* run/reader.h */

struct report_options {
	uint64_t start;		/* of the window */
	size_t rows;		/* that are kept at most */
	size_t excerpt_rows;	/* that are kept of more than that, about */
	report_name *name;	/* of processes, or NULL */
	const void *names;	/* passed to it */
	const struct cgroups *cgroups;	/* what they are called, or NULL */
	const struct reader *reader;	/* knows what is missing */
};

/* I/Os of a device that are in flight at the end, and the oldest of them */
struct report_open {
	uint64_t count;
	uint64_t time, sector;	/* the oldest's; IO_NONE: it has none */
	uint32_t pid;
	uint16_t origin;
	uint8_t op;		/* enum io_op */
};

/* an I/O that is open, but may have completed: up to then it has not */
struct report_doubt {
	uint64_t id, until;
};

/* the control group of ios, on one device */
struct report_cgroup {
	uint64_t id;		/* as stat/group_row has it */
	uint32_t disk;
	struct report_sums sums;
};

enum { REPORT_CGROUPS = 256 };

struct report {
	struct report_options o;
	struct report_pids pids;
	struct report_disks disks;
	struct report_streams streams;
	struct report_folding folding;	/* behind the end: what streams are */
	struct report_lanes lanes;
	struct report_depths depths;	/* with what is open to the end */
	struct report_open in_flight[REPORT_DISKS];
	struct report_rows open_rows;	/* all of these; after the end in order
					 * of time */
	struct report_doubt *doubts;	/* of these; after the end by their
					 * ids */
	size_t doubt_count, doubt_size;
	struct paces paces;
	struct report_slowest slowest[2];	/* by Q2C; by D2C without Q */

	bool kept;		/* all ios are rows: */
	struct report_rows rows;
	bool holed;		/* records are missing, first before then: */
	uint64_t hole;
	uint64_t early;		/* how long before the window the first began */
	bool binned;		/* they are counted here: */
	struct report_cube cube;
	struct report_excerpts excerpts;	/* and of some there are rows */
	struct report_sums *sums;	/* of streams, unless rows are kept */
	struct report_cgroup cgroups[REPORT_CGROUPS];	/* the same */
	uint32_t cgroup_count;
	uint64_t width;		/* behind the end: of bins, if binned */

	struct sequence sequence;
	struct sequence_run runs[REPORT_DISKS][REPORT_OPS];
	uint64_t length;	/* of the window, when it has ended */

	/* ios: those that were counted; that never ended; and without a Q on
	 * devices that have some; passthrough commands, which are in none */
	uint64_t count, open, ghosts, passthrough;
};

/* 0 and *r, or -ENOMEM */
int report_new(struct report **r, const struct report_options *o);

/*
 * The next io, in the order in which they end; in: it is in the window, or is
 * open when that ends and the trace goes on (later): then it is in flight, but
 * counts in no table.  settled: those that come later began then at the
 * earliest.  0 or -ENOMEM.
 */
int report_add(struct report *r, const struct io *io, bool in,
	       uint64_t settled);

/* records were lost between these two, which are as an io's times */
int report_add_loss(struct report *r, uint64_t from, uint64_t to);

/* No more ios: the window is so long.  0 or -ENOMEM. */
int report_end(struct report *r, uint64_t length);

/* Behind the end, if rows are kept: they are counted in the cube, too. */
int report_bin(struct report *r);

/* Behind the end: no more than so many streams but those of others. */
int report_fold(struct report *r, uint32_t streams);

/* Behind the end, if binned: so many bins at most. */
int report_widen(struct report *r, uint32_t bins);

/*
 * Behind the end: frees rows and counts by time, of which columns have been
 * made, and sums of streams, of which tables have.  What is known of the whole
 * stays: names, streams, the slowest, what is open, how many there were of
 * what.
 */
void report_drop(struct report *r);

/* After the end: up to when an I/O of open_rows is sure to have been open:
 * r->length, or earlier. */
uint64_t report_until(const struct report *r, const struct report_row *row);

/* frees r; NULL is fine */
void report_free(struct report *r);

#endif
