/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What btreport gathers of a run while ios come, and what it knows in the end.
 */
#ifndef TOOLS_BTREPORT_GATHERING_H
#define TOOLS_BTREPORT_GATHERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/coverage.h"
#include "analysis/facts.h"
#include "emit/finding.h"
#include "emit/report/page.h"

struct btreport_options;	/* tools/btreport/options.h */
struct damage;			/* trace/hooks.h */
struct device;			/* trace/device.h */
struct findings;		/* analysis/findings/findings.h */
struct io;			/* request/io.h */
struct ios;			/* request/ios.h */

struct gathering {
	const struct btreport_options *o;
	struct ios *ios;
	struct report *report;
	struct findings *findings;
	struct coverages coverages;
	struct facts facts;	/* when it has ended */
	struct finding_names names;

	struct report_gap *gaps;	/* the first of them */
	size_t gap_count, gap_size;
	uint64_t missing;	/* records, when the last gap was added */
	char **damage;		/* lines about the first places */
	size_t damage_count, damage_size;
	size_t damages;		/* all of them */

	/* the device that was asked for last, and whether it is wanted */
	const struct device *disk;
	bool wanted;
};

/* 0 or -ENOMEM; *g and o stay where they are, and ios the caller's, which are
 * about to be read */
int gathering_init(struct gathering *g, const struct btreport_options *o,
		   struct ios *ios);

/* the next io; 0 or -ENOMEM */
int gathering_add(struct gathering *g, const struct io *io);

/* something in the input is not as it should be */
void gathering_add_damage(struct gathering *g, const struct damage *d);

/* no more ios; 0 or -ENOMEM */
int gathering_end(struct gathering *g);

void gathering_free(struct gathering *g);

#endif
