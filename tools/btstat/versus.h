/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --compare: reads the runs of two sides, one after the other, and shows what
 * is different.
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
 * --compare: findings that only one side has.
 *
 * A rule is on a side if it found something in any of its runs, on any device:
 * devices may have other names on the other side.  Of each rule a side keeps
 * the gravest finding of its first run that has any, as text, since nothing of
 * a run stays when it has been read.
 */

struct buf;			/* base/buf.h */
struct finding_names;		/* findings/words.h */
struct findings;		/* findings/findings.h */

/* what is kept of a rule; all-zero: it found nothing */
struct contrast_rule {
	char *text, *json;	/* ours */
	const char *run;	/* the name of the first, the caller's */
	unsigned int runs;	/* how many have it */
};

/* an all-zero struct but for width has no findings */
struct contrast {
	unsigned int width;	/* of lines */
	unsigned int runs[COMPARE_SIDES];
	struct contrast_rule rules[COMPARE_SIDES][FINDING_RULES];
};

/* one more run, with what was found in it; 0 or -ENOMEM */
int contrast_add(struct contrast *c, enum compare_side side, const char *run,
		 const struct findings *f, const struct finding_names *names);

/* what one side has and the other has not; nothing if there is no such */
void contrast_print(const struct contrast *c, struct buf *b);

/* the same as an array: side, run, runs, and what findings have in json */
void contrast_json(const struct contrast *c, struct buf *b);

void contrast_free(struct contrast *c);

/* --- versus --------------------------------------------------------------- */

struct look;			/* base/look.h */
struct stat_options;		/* tools/btstat/options.h */

struct versus_result {
	bool damaged;		/* something in the inputs */
	enum comparison_gate gate;	/* the gravest of all measures */
};

/* Writes the tables to b.  Ends the program if a name cannot be read; stops
 * reading when *stop is set. */
struct versus_result versus_run(const struct stat_options *o,
				const struct look *look, struct buf *b,
				const volatile sig_atomic_t *stop);

#endif
