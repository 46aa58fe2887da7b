/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All rules as data: severity, test, thresholds, and the rules whose findings
 * explain it.  Their texts are in words.c and manual.c.
 */
#ifndef FINDINGS_RULES_H
#define FINDINGS_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "findings/changes.h"
#include "findings/finding.h"

struct evidence;		/* findings/evidence.h */
struct rule;

/*
 * Sets the numbers of f and its lost time as far as there is evidence, and
 * returns whether that reaches the rule's limits.
 */
typedef bool rule_test(const struct evidence *e, const struct rule *r,
		       struct finding *f);

/* the thresholds of a rule; 0: none */
struct rule_limits {
	uint64_t ios;		/* at least */
	uint64_t count;		/* of conspicuous ones */
	uint64_t share;		/* thousandths */
	uint64_t often;		/* thousandths */
	uint64_t rate;		/* a second */
	uint64_t ratio;		/* thousandths */
	uint64_t span;		/* ns */
	uint64_t spread;	/* thousandths to both sides */
	uint64_t depth;
	uint64_t bytes;
};

struct rule {
	enum finding_severity severity;
	rule_test *test;
	struct rule_limits limits;
	uint32_t silent;	/* if one of these was found: 1 << rule */
	enum change_cause cause;	/* for judge_change */
	bool leads;		/* before others of its severity: it explains
				 * them */
};

extern const struct rule findings_rules[FINDING_RULES];

#endif
