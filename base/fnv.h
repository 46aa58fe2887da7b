/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 64-bit FNV-1a: a hash that is the same in each run and on each machine, for
 * names of things that are stored.  Whoever can choose the bytes can find
 * others with the same hash; tables in memory have base/hash.h.
 */
#ifndef BASE_FNV_H
#define BASE_FNV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FNV_BASIS 0xcbf29ce484222325u

/* of the bytes after those of hash; of none FNV_BASIS */
static inline uint64_t fnv_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3u;
	return hash;
}

/* without its NUL */
static inline uint64_t fnv_text(uint64_t hash, const char *text)
{
	return fnv_bytes(hash, text, strlen(text));
}

#endif
