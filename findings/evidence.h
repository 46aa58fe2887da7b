/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is gathered of a device for the rules to look at.
 */
#ifndef FINDINGS_EVIDENCE_H
#define FINDINGS_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "base/wide.h"
#include "findings/behind.h"
#include "findings/facts.h"
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
	uint32_t cpu;		/* which completes most */
	uint64_t completions;
	uint64_t issues;	/* its own */
	uint32_t issuers;	/* CPUs that issue */
	uint64_t alike;		/* times 1,000: so many CPUs would issue, if
				 * all that do did equally much */
};

void cpus_share(const struct cpus *c, struct cpus_share *share);

/* --- delays --------------------------------------------------------------- */

/*
 * Where requests with data spend their time before the device: sums, exactly.
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
	uint64_t often[DELAYS_WHERE];	/* of these: a millisecond and more */
	uint64_t gained;	/* ios that joined those long in a plug */
};

/* --- shape ---------------------------------------------------------------- */

/*
 * What requests look like: parts of split ios, pieces one behind the other,
 * borders, and who wrote.  Sums, exactly; sizes in histograms.
 */

/* borders at 1 << 0 to 1 << 7 sectors, or better */
enum { SHAPE_BORDERS = 8 };

struct shape_stream {		/* reads, writes */
	uint64_t count, merged;	/* requests; ios that joined them */
	uint64_t sequential;	/* begin where their process's last ended */
	struct histogram sizes;	/* of these, bytes */
};

struct shape {
	uint64_t count, bytes;	/* of requests with data */
	uint64_t wholes, parts;
	uint64_t part_bytes;	/* of parts, but those of kworkers */
	struct histogram part_sizes;
	struct shape_stream streams[2];	/* by enum served_op */
	uint64_t writes, write_bytes, kworker_bytes;
	uint64_t borders[SHAPE_BORDERS];	/* writes, by the best border
						 * that both ends lie on */
};

/* writes that do not begin and end at multiples of so many bytes */
uint64_t shape_misaligned(const struct shape *h, uint32_t block);

/* the most frequent size of a part, or 0 */
uint64_t shape_part_size(const struct shape *h);

/* --- evidence ------------------------------------------------------------- */

struct evidence {
	const struct device *disk;
	struct findings_facts facts;
	uint64_t from, to;	/* of the trace: ns, set in the end */
	bool completions;	/* the trace has them, of whatever device */
	uint64_t flushes;	/* ios that asked for one */

	/* the order is that of the files' names, which say what each is */
	struct behind behind;
	struct cpus cpus;
	struct delays delays;
	struct faults faults;
	struct flight flight;
	struct processes processes;
	struct recent recent;
	struct regions regions;
	struct rhythm rhythm;
	struct shape shape;
	struct stalls stalls;
	struct times times;
};

/* nothing of a device so far; 0 and *e, or -ENOMEM */
int evidence_new(struct evidence **e, const struct device *disk,
		 findings_name *name, const void *names);

/* the device's next io; 0, or -ENOMEM */
int evidence_add(struct evidence *e, const struct io *io);

/* all have come, from this time to that; 0, or -ENOMEM */
int evidence_end(struct evidence *e, uint64_t from, uint64_t to);

/* ns that the trace lasted, at least 1 */
uint64_t evidence_length(const struct evidence *e);

void evidence_free(struct evidence *e);

#endif
