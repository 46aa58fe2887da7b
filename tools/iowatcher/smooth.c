/* SPDX-License-Identifier: GPL-2.0-only */
/* Rolling means; see smooth.h. */
#include <math.h>

#include "tools/iowatcher/smooth.h"

/* The mean at one place; the sum is made anew each time, as one that is carried
 * on keeps the rounding of all before. */
static double mean_at(const double *x, const double *y, size_t at,
		      double window)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = at + 1; i-- && x[at] - x[i] < window;) {
		if (isnan(y[i]))
			continue;
		sum += y[i];
		n++;
	}
	return n ? sum / (double)n : NAN;
}

void smooth(const double *x, double *y, size_t count, double window)
{
	/* from the end, so that what is still needed is as it was */
	for (size_t i = count; i--;)
		if (!isnan(y[i]))
			y[i] = mean_at(x, y, i, window);
}
