/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All rules.  Words for them are in emit/finding.
 */
#ifndef ANALYSIS_FINDINGS_RULES_H
#define ANALYSIS_FINDINGS_RULES_H

#include "analysis/findings/rule.h"

extern const struct rule findings_rules[FINDING_RULES];

#endif
