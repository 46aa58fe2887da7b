/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of a trigger, taken apart; see trigger.h for what it may be.
 */
#ifndef STAT_TRIGGER_PARSE_H
#define STAT_TRIGGER_PARSE_H

#include <stdint.h>

struct expr;			/* expr/expr.h */
struct expr_error;		/* expr/error.h */

enum trigger_kind {
	TRIGGER_IO,		/* an expression */
	TRIGGER_EXIT,
	TRIGGER_PERCENTILE,
	TRIGGER_MEAN,
	TRIGGER_MAX,
	TRIGGER_RATE,
	TRIGGER_COUNT,
	TRIGGER_DEPTH,
};

struct trigger_rule {
	enum trigger_kind kind;
	const char *name;	/* of a statistic: "p99" */
	uint32_t percentile;	/* in thousandths */
	int measure;		/* enum measure, or -1 */
	struct expr *expr;	/* owned; NULL: all ios */
	uint64_t value;		/* which must be exceeded: ns or a number */
	uint64_t over;		/* ns */
};

/* 0 and *r, whose expr is the caller's; -EINVAL and *why; or -ENOMEM */
int trigger_parse(struct trigger_rule *r, const char *text,
		  struct expr_error *why);

#endif
