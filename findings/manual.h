/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The manual's entry of each rule: what a finding means, when the rule fires,
 * by what evidence, what else may explain it, and what to do.
 */
#ifndef FINDINGS_MANUAL_H
#define FINDINGS_MANUAL_H

#include <stdio.h>

#include "findings/finding.h"

/*
 * Prints a rule's entry: a heading, then its fields in lines of at most width;
 * its thresholds are those of findings/rules.c.  0, or -ENOMEM.
 */
int finding_rule_print(FILE *out, enum finding_rule rule, unsigned int width);

#endif
