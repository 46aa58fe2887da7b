/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cheap checksum: the sum of little-endian 64-bit words, the last one padded
 * with zeros.  It detects accidents, not attacks.
 */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

struct checksum {		/* all zero: of no bytes */
	uint64_t sum;
	uint64_t len;		/* bytes so far */
};

/* the result does not depend on how bytes are split into calls */
void checksum_add(struct checksum *c, const void *bytes, size_t len);

#endif
