/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a page says first of a run, in sentences: what is wrong with the trace,
 * then what is conspicuous, worst first.
 */
#ifndef REPORT_REMARKS_H
#define REPORT_REMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct facts;			/* stat/facts.h */
struct finding_names;		/* findings/words.h */
struct findings;		/* findings/findings.h */

enum { REMARKS_MAX = 8, REMARK_TEXT_MAX = 768 };

enum remark_level { REMARK_PROBLEM, REMARK_WARNING, REMARK_NOTE };

struct remark {
	enum remark_level level;
	char head[REMARK_TEXT_MAX], text[REMARK_TEXT_MAX];
	bool timed;		/* from and to are there */
	uint64_t from, to;	/* of the report, ns */
};

struct report_remarks {
	unsigned int count;
	struct remark list[REMARKS_MAX];
};

/* what they are about */
struct remarks_of {
	const struct facts *facts;
	const struct findings *findings;	/* ended */
	/* the same of another run, or NULL: rules that found something there
	 * are left out, and of the others only the gravest is said */
	const struct findings *other;
	const struct finding_names *names;
	uint64_t ios;		/* that ended */
	const char *damage;	/* the first place, or NULL */
	size_t damages;
	uint64_t start, length;	/* the window, in times of findings */
	bool has_gap;		/* where the first records are missing: */
	uint64_t gap_from, gap_to;
};

void report_remarks_make(struct report_remarks *r, const struct remarks_of *o);

/* one more, empty; NULL: there is no room */
struct remark *remarks_add(struct report_remarks *r, enum remark_level level);

/* the worst first, and of each level in the order in which they were added */
void remarks_sort(struct report_remarks *r);

/* "problem", "warning", "note" */
const char *remark_level_name(enum remark_level level);

#endif
