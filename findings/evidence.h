/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is gathered of a device for the rules to look at.
 */
#ifndef FINDINGS_EVIDENCE_H
#define FINDINGS_EVIDENCE_H

#include "findings/behind.h"
#include "findings/cpus.h"
#include "findings/delays.h"
#include "findings/facts.h"
#include "findings/faults.h"
#include "findings/flight.h"
#include "findings/people.h"
#include "findings/recent.h"
#include "findings/regions.h"
#include "findings/rhythm.h"
#include "findings/shape.h"
#include "findings/stalls.h"
#include "findings/times.h"

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
	struct people people;
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
