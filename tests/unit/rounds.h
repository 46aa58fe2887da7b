/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often tests do what is drawn at random.
 */
#ifndef TESTS_UNIT_ROUNDS_H
#define TESTS_UNIT_ROUNDS_H

#include <stdlib.h>

/* N rounds; a fifth of them under valgrind or another checker that stands in front
 * of the program (WRAP, from unit.t) and takes some thirty times as long. */
static inline int rounds(int n)
{
	return getenv("WRAP") ? n / 5 : n;
}

#endif
