/* SPDX-License-Identifier: GPL-2.0-only */
/* Student's t: how far a mean of few numbers may lie from the true one. */
#ifndef COMPARE_STUDENT_H
#define COMPARE_STUDENT_H

/*
 * The t which two-sided intervals of that confidence (above 0, below 1) reach
 * to, in standard errors, for that many degrees of freedom, at least 1:
 * 2.228 for 0.95 and 10.
 */
double student_reach(double confidence, unsigned int freedom);

/* how likely |t| or less is */
double student_within(double t, unsigned int freedom);

#endif
