/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remarks at the top of a page: faults of the trace, then findings, worst
 * first.
 */
#ifndef REPORT_REMARKS_H
#define REPORT_REMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/finding.h"

struct facts;			/* stat/facts.h */
struct finding_names;		/* findings/words.h */
struct findings;		/* findings/findings.h */

enum { REMARKS_MAX = 8, REMARK_TEXT_MAX = 768 };

enum remark_level { REMARK_PROBLEM, REMARK_WARNING, REMARK_NOTE };

struct remark {
	enum remark_level level;
	char head[REMARK_TEXT_MAX], text[REMARK_TEXT_MAX];
	bool timed;		/* from and to are set */
	uint64_t from, to;	/* of the report, ns */
	const char *rule;	/* of a finding that has a time: for its bands, */
	struct finding_span spans[FINDING_SPANS];	/* the same times */
	uint32_t span_count;
};

struct report_remarks {
	unsigned int count;
	struct remark list[REMARKS_MAX];
};

/* their sources */
struct remarks_of {
	const struct facts *facts;
	const struct findings *findings;	/* ended */
	/* of the other run, or NULL: rules that fired there are left out, and
	 * others have only their most severe finding */
	const struct findings *other;
	const struct finding_names *names;
	uint64_t ios;		/* that ended */
	const char *damage;	/* the first place, or NULL */
	size_t damages;
	uint64_t start, length;	/* the window, in times of findings */
	bool has_gap;		/* the first lost records: */
	uint64_t gap_from, gap_to;
};

void report_remarks_make(struct report_remarks *r, const struct remarks_of *o);

/* one more, empty; NULL: no room */
struct remark *remarks_add(struct report_remarks *r, enum remark_level level);

/* worst first; each level in the order of remarks_add() */
void remarks_sort(struct report_remarks *r);

/* "problem", "warning", "note" */
const char *remark_level_name(enum remark_level level);

#endif
