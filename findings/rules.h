/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All rules.  Words for them are in findings/words.
 */
#ifndef FINDINGS_RULES_H
#define FINDINGS_RULES_H

#include "findings/judge.h"

extern const struct rule findings_rules[FINDING_RULES];

#endif
