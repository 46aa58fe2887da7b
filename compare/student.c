/* SPDX-License-Identifier: GPL-2.0-only */
/* Student's t; see student.h. */
#include <math.h>

#include "compare/student.h"

/* with more than these t is the normal distribution's, to four digits */
enum { MANY = 20000 };

/*
 * The sum of the finite series for the share within t, where the angle is
 * atan(t / sqrt(freedom)): each term is the one before it, times the square of
 * the cosine, times a ratio of neighbouring integers.
 */
static double series(double cosine, unsigned int freedom)
{
	double term = freedom % 2 ? cosine : 1, sum = 0;

	if (freedom == 1)
		return 0;
	for (unsigned int i = freedom % 2 ? 3 : 2; i <= freedom; i += 2) {
		sum += term;
		term *= cosine * cosine * (i - 1) / i;
	}
	return sum;
}

double student_within(double t, unsigned int freedom)
{
	double angle = atan(t / sqrt(freedom));
	double sum;

	if (freedom > MANY)
		return erf(t * M_SQRT1_2);
	sum = sin(angle) * series(cos(angle), freedom);
	return freedom % 2 ? (angle + sum) * M_2_PI : sum;
}

double student_reach(double confidence, unsigned int freedom)
{
	double low = 0, high = 1;

	while (student_within(high, freedom) < confidence && high < 1e12)
		high *= 2;
	for (unsigned int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (student_within(middle, freedom) < confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}
