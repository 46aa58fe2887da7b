/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --compare: reads the runs of two sides and shows what differs.
 */
#ifndef TOOLS_BTSTAT_VERSUS_H
#define TOOLS_BTSTAT_VERSUS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "compare/comparison.h"
#include "compare/side.h"
#include "findings/finding.h"

/* --- contrast ------------------------------------------------------------- */

/*
 * Findings that only one side has.
 *
 * A side has a rule if it applies in any run, on any device, as device names
 * may differ between sides.  A side keeps one text per rule: the most severe
 * finding of the first run that has one.
 */

struct buf;			/* base/buf.h */
struct finding_names;		/* findings/words.h */
struct findings;		/* findings/findings.h */

/* all-zero: no finding */
struct contrast_rule {
	char *text, *json;	/* ours */
	const char *run;	/* the first one's name, the caller's */
	unsigned int runs;	/* that have it */
};

/* starts as all-zero but for width */
struct contrast {
	unsigned int width;	/* of lines */
	unsigned int runs[COMPARE_SIDES];
	struct contrast_rule rules[COMPARE_SIDES][FINDING_RULES];
};

/* adds a run and its findings; 0 or -ENOMEM */
int contrast_add(struct contrast *c, enum compare_side side, const char *run,
		 const struct findings *f, const struct finding_names *names);

/* the findings of only one side, or nothing */
void contrast_print(const struct contrast *c, struct buf *b);

/* as an array: side, run, runs, and the keys of a finding */
void contrast_json(const struct contrast *c, struct buf *b);

void contrast_free(struct contrast *c);

/* --- versus --------------------------------------------------------------- */

struct look;			/* base/look.h */
struct stat_options;		/* tools/btstat/options.h */

struct versus_result {
	bool damaged;		/* an input */
	enum comparison_gate gate;	/* the worst of all measures */
};

/* Writes the tables to b.  Ends the program if a name cannot be read; stops
 * reading when *stop is set. */
struct versus_result versus_run(const struct stat_options *o,
				const struct look *look, struct buf *b,
				const volatile sig_atomic_t *stop);

#endif
