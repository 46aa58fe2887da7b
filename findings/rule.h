/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rule, as data: how grave, what is looked at, from which numbers on, and
 * which others explain it.
 */
#ifndef FINDINGS_RULE_H
#define FINDINGS_RULE_H

#include "findings/finding.h"

struct evidence;		/* findings/evidence.h */
struct rule;

/*
 * Sets the numbers of f and its lost time as far as there is evidence, and
 * returns whether that reaches the rule's limits.
 */
typedef bool rule_test(const struct evidence *e, const struct rule *r,
		       struct finding *f);

/* what a rule asks for; where there is nothing, 0 */
struct rule_limits {
	uint64_t ios;		/* of them at least */
	uint64_t count;		/* of what is conspicuous */
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
};

#endif
