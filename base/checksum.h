/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A checksum of bytes that is nearly free: the sum of their little-endian
 * 64-bit words, the last filled up with zeros.  It finds what is lost, changed
 * or added by accident; it is no protection against anybody.
 */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

struct checksum {		/* all zero: of no bytes */
	uint64_t sum;
	uint64_t len;		/* bytes so far */
};

/* len more bytes, however many at a time */
void checksum_add(struct checksum *c, const void *bytes, size_t len);

#endif
