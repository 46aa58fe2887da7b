/* SPDX-License-Identifier: GPL-2.0-only */
/* What readers unpack, so that less is known of how they walk over it. */
#ifndef FUZZ_PACKED_BYTES_H
#define FUZZ_PACKED_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* gzip's or zstd's bytes */
static inline bool is_compressed(const uint8_t *bytes, size_t len)
{
	return (len > 1 && bytes[0] == 0x1f && bytes[1] == 0x8b) ||
	       (len > 3 && !memcmp(bytes, "\x28\xb5\x2f\xfd", 4));
}

#endif
