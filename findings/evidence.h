/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The evidence gathered about a device, which rules test.
 */
#ifndef FINDINGS_EVIDENCE_H
#define FINDINGS_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "base/wide.h"
#include "findings/behind.h"
#include "findings/changes.h"
#include "findings/course.h"
#include "findings/finding.h"
#include "findings/faults.h"
#include "findings/processes.h"
#include "findings/recent.h"
#include "findings/regions.h"
#include "findings/rhythm.h"
#include "findings/served.h"

/* --- cpus ----------------------------------------------------------------- */

/*
 * Which CPUs issue requests with data, and which complete them.  CPUs from
 * 1,023 on count as one.
 */

struct io;			/* request/io.h */

enum { CPUS_SEEN = 1024 };

struct cpus {
	uint64_t issues[CPUS_SEEN], completions[CPUS_SEEN];
	uint64_t count;		/* requests of which both are known */
};

struct cpus_share {
	uint32_t cpu;		/* with most completions */
	uint64_t completions;
	uint64_t issues;	/* its own */
	uint32_t issuers;	/* CPUs that issue */
	uint64_t alike;		/* times 1,000: effective number of issuers,
				 * as if all issued equally */
};

void cpus_share(const struct cpus *c, struct cpus_share *share);

/* --- delays --------------------------------------------------------------- */

/*
 * Where requests with data spend their time before the device: exact sums.
 */

enum delays_where {
	DELAYS_REQUEST,		/* Q2G */
	DELAYS_PLUG,		/* G2I */
	DELAYS_SCHEDULER,	/* I2D */
	DELAYS_WHERE
};

struct delays {
	struct wide total;	/* ns from Q to C, of those with a Q */
	struct wide sums[DELAYS_WHERE];
	uint64_t counts[DELAYS_WHERE];
	uint64_t often[DELAYS_WHERE];	/* of these, 1 ms and more */
	uint64_t gained;	/* merges into requests long in a plug */
};

/* --- shape ---------------------------------------------------------------- */

/*
 * Sizes, alignment and order of requests: parts of split ios, sequential ones,
 * block boundaries, writeback.  Exact sums; histograms of sizes.
 */

/* boundaries of 1 << 0 to 1 << 7 sectors and more */
enum { SHAPE_BORDERS = 8 };

struct shape_stream {		/* reads, writes */
	uint64_t count, merged;	/* requests; ios that joined them */
	uint64_t sequential;	/* start at the end of their process's last */
	struct histogram sizes;	/* of these, bytes */
};

struct shape {
	uint64_t count, bytes;	/* of requests with data */
	uint64_t parents, parts;
	uint64_t part_bytes;	/* of parts, without writeback */
	struct histogram part_sizes;
	struct shape_stream streams[2];	/* by enum served_op */
	uint64_t writes, write_bytes, kworker_bytes;
	uint64_t borders[SHAPE_BORDERS];	/* writes, by the largest
						 * boundary of both ends */
};

/* writes that do not start and end at multiples of block bytes */
uint64_t shape_misaligned(const struct shape *h, uint32_t block);

/* the most frequent size of a part, or 0 */
uint64_t shape_part_size(const struct shape *h);

/* --- evidence ------------------------------------------------------------- */

struct evidence {
	const struct device *disk;
	struct findings_facts facts;
	uint64_t from, to;	/* of the trace: ns, set at the end */
	bool completions;	/* the trace has some, of any device */
	uint64_t flushes;	/* ios that requested one */

	struct behind behind;
	struct changes changes;	/* from course, at the end */
	struct course course;
	struct cpus cpus;
	struct delays delays;
	struct faults faults;
	struct flight flight;
	struct processes processes;
	struct recent recent;
	struct regions regions;
	struct rhythm rhythm;
	struct shape shape;
	struct stalls stalls;	/* of all; and of reads, of writes */
	struct stalls stalls_of[SERVED_WRITE + 1];
	struct times times;
};

/* empty, for a device; 0 and *e, or -ENOMEM */
int evidence_new(struct evidence **e, const struct device *disk,
		 findings_name *name, const void *names);

/* the device's next io; 0, or -ENOMEM */
int evidence_add(struct evidence *e, const struct io *io);

/* no more; from and to of the trace; 0, or -ENOMEM */
int evidence_end(struct evidence *e, uint64_t from, uint64_t to);

/* ns that the trace lasted, at least 1 */
uint64_t evidence_length(const struct evidence *e);

void evidence_free(struct evidence *e);

#endif
