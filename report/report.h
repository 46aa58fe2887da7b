/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report: the data of a page, gathered in one pass and in bounded memory.
 *
 * Ios are kept as rows while there is room for all; after that they are counted
 * in a cube, and only excerpts have rows.
 *
 * Times are in ns from the start of the window.
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
	size_t rows;		/* at most */
	size_t excerpt_rows;	/* about, of a trace with more */
	report_name *name;	/* of processes, or NULL */
	const void *names;	/* passed to it */
	const struct cgroups *cgroups;	/* their names, or NULL */
	const struct reader *reader;	/* knows the losses */
};

/* I/Os of a device in flight at the end, and the oldest of them */
struct report_open {
	uint64_t count;
	uint64_t time, sector;	/* of the oldest; IO_NONE: none */
	uint32_t pid;
	uint16_t origin;
	uint8_t op;		/* enum io_op */
};

/* an open I/O which may have completed after until */
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
	struct report_folding folding;	/* after the end: the streams */
	struct report_lanes lanes;
	struct report_depths depths;	/* with open I/Os up to the end */
	struct report_open in_flight[REPORT_DISKS];
	struct report_rows open_rows;	/* all of these; by time at the end */
	struct report_doubt *doubts;	/* of these; after the end by id */
	size_t doubt_count, doubt_size;
	struct paces paces;
	struct report_slowest slowest[2];	/* by Q2C; by D2C without Q */

	bool kept;		/* all ios have rows: */
	struct report_rows rows;
	size_t room;		/* of these, for as many as may be kept */
	bool holed;		/* records are missing before hole */
	uint64_t hole;
	uint64_t early;		/* the first start, before the window */
	bool binned;		/* ios are counted here: */
	struct report_cube cube;
	struct report_excerpts excerpts;	/* with rows of these */
	struct report_sums *sums;	/* of streams, unless rows are kept */
	struct report_cgroup cgroups[REPORT_CGROUPS];	/* the same */
	uint32_t cgroup_count;
	bool grouped;		/* a row has one */
	uint64_t width;		/* after the end: of bins, if binned */

	struct sequence sequence;
	struct sequence_run runs[REPORT_DISKS][REPORT_OPS];
	uint64_t length;	/* of the window, after the end */

	/* ios: counted; never ended; without a Q on devices with some;
	 * passthrough commands, which count nowhere else */
	uint64_t count, open, ghosts, passthrough;
};

/* 0 and *r, or -ENOMEM */
int report_new(struct report **r, const struct report_options *o);

/* Whether to call report_settle() before the next io: now and then. */
static inline bool report_waits(const struct report *r)
{
	return report_depths_wait(&r->depths);
}

/* Later ios start at time or after it; 0 or -ENOMEM. */
int report_settle(struct report *r, uint64_t time);

/*
 * The next io, in the order of their ends.  in: it is in the window; others
 * only count as in flight if they are open at its end.  0 or -ENOMEM.
 */
int report_add(struct report *r, const struct io *io, bool in);

/* records were lost between these times, as those of ios */
int report_add_loss(struct report *r, uint64_t from, uint64_t to);

/* no more ios; length of the window; 0 or -ENOMEM */
int report_end(struct report *r, uint64_t length);

/* after the end, if rows are kept: counts them in the cube, too */
int report_bin(struct report *r);

/* after the end: folds all but so many streams */
int report_fold(struct report *r, uint32_t streams);

/* after the end, if binned: to so many bins at most */
int report_widen(struct report *r, uint32_t bins);

/*
 * After columns and tables are made: frees rows, counts by time and sums of
 * streams.  Names, streams, slowest and open rows and all counts stay.
 */
void report_drop(struct report *r);

/* after the end: the time up to which an I/O of open_rows is surely open, at
 * most r->length */
uint64_t report_until(const struct report *r, const struct report_row *row);

/* frees r; NULL is fine */
void report_free(struct report *r);

#endif
