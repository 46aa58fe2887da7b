/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What btstat keeps of a run while ios come: which of them count, and where.
 */
#ifndef TOOLS_BTSTAT_TALLY_H
#define TOOLS_BTSTAT_TALLY_H

#include <stdint.h>

#include "expr/filter.h"
#include "stat/coverage.h"
#include "stat/group.h"
#include "stat/pace.h"
#include "tools/btstat/intervals.h"
#include "tools/btstat/maps.h"
#include "tools/btstat/top.h"

struct findings;		/* findings/findings.h */
struct io;			/* request/io.h */
struct ios;			/* request/ios.h */
struct saver;			/* tools/btstat/saver.h */
struct stat_options;		/* tools/btstat/options.h */

struct tally {
	const struct stat_options *o;
	const struct ios *ios;
	struct coverages coverages;
	struct paces paces;
	struct pace_open open;	/* of intervals */
	struct group *group;
	struct group_options group_options;	/* as it was made */
	struct filter filter;
	struct findings *findings;	/* or NULL: some ios are left out */
	struct top top;
	struct maps maps;
	struct intervals *intervals;	/* the caller's, or NULL */
	struct saver *saver;	/* the same */
	bool extra;		/* ios go elsewhere, too: top, maps, these two */
};

/* the ios that come are those of *ios; 0 or -ENOMEM */
int tally_init(struct tally *t, const struct stat_options *o,
	       const struct ios *ios);

/* Before the first io: they go there as well, which the caller keeps. */
void tally_set_intervals(struct tally *t, struct intervals *i);
void tally_set_saver(struct tally *t, struct saver *s);

/* 0 or -ENOMEM */
int tally_add(struct tally *t, const struct io *io);

/* no more ios come; 0 or -ENOMEM */
int tally_end(struct tally *t);

void tally_free(struct tally *t);

#endif
