/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison is about, and what it and its sides are called. */
#ifndef COMPARE_COMPARISON_OPTIONS_H
#define COMPARE_COMPARISON_OPTIONS_H

#include "compare/compare.h"

struct comparison_options {
	struct compare_options compare;
	const char *phase;	/* "Q2C": stays the caller's, as do these: */
	const char *name[COMPARE_SIDES];	/* what was read: "vda" */
};

#endif
