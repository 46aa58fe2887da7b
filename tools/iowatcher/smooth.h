/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rolling means of numbers over time.
 */
#ifndef TOOLS_IOWATCHER_SMOOTH_H
#define TOOLS_IOWATCHER_SMOOTH_H

#include <stddef.h>

/*
 * Each of count y becomes the mean of itself and those before it that are less
 * than so much of x away; x rises.  NaN stays, and is in no mean.
 */
void smooth(const double *x, double *y, size_t count, double window);

#endif
