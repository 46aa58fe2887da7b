/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --compare: findings that only one side has.
 *
 * A rule is on a side if it found something in any of its runs, on any device:
 * devices may have other names on the other side.  Of each rule a side keeps
 * the gravest finding of its first run that has any, as text, since nothing of
 * a run stays when it has been read.
 */
#ifndef TOOLS_BTSTAT_CONTRAST_H
#define TOOLS_BTSTAT_CONTRAST_H

#include <stddef.h>

#include "compare/side.h"
#include "findings/finding.h"

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

#endif
