/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buckets of spans: eight a power of two, so that each is 9 % wide.
 */
#ifndef REPORT_BUCKET_H
#define REPORT_BUCKET_H

#include <stdint.h>

enum { REPORT_BUCKETS = 64 * 8 };

/* floor(8 * log2(ns)); of 0: 0 */
static inline unsigned int report_bucket(uint64_t ns)
{
	/* 2^63 times the eighth roots of 2, rounded up: what is above such a
	 * power is not below it in whole numbers */
	static const uint64_t roots[8] = {
		UINT64_C(1) << 63, UINT64_C(10058158527438640871),
		UINT64_C(10968499650544839024), UINT64_C(11961233684655323371),
		UINT64_C(13043817825332782213), UINT64_C(14224384202002324190),
		UINT64_C(15511800964685064949), UINT64_C(16915738899553466671),
	};
	/* 0 has the bucket of 1 */
	uint64_t least = ns ? ns : 1;
	unsigned int zeros = (unsigned int)__builtin_clzll(least);
	uint64_t high = least << zeros;
	unsigned int i;

	i = high >= roots[4] ? 4 : 0;
	i += high >= roots[i + 2] ? 2 : 0;
	i += high >= roots[i + 1] ? 1 : 0;
	return 8 * (63 - zeros) + i;
}

#endif
