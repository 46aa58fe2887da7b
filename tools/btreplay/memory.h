/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that I/Os read into and write from.
 *
 * Every I/O in flight has a place of its own to read into, up to 1 MiB: some
 * devices check or decrypt data in place, which two I/Os at once would spoil.
 * Longer ones are rare and share a place.  Writes write zeros, and share them.
 *
 * The kernel allocates pages when they are first used, so a depth that is never
 * reached costs nothing.
 */
#ifndef TOOLS_BTREPLAY_MEMORY_H
#define TOOLS_BTREPLAY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct memory {
	uint8_t *places;	/* of each I/O in flight */
	size_t place;		/* bytes of one */
	unsigned int count;
	uint8_t *longest;	/* where longer ones are read to, or NULL */
	size_t longest_size;
	uint8_t *zeros;		/* what is written, or NULL */
	size_t zeros_size;
};

/*
 * For count I/Os at a time, reads and writes of so many bytes at most; 0 or
 * -ENOMEM.
 */
int memory_init(struct memory *m, unsigned int count, uint32_t longest_read,
		uint32_t longest_write);

/* where I/O number i reads so many bytes to */
static inline void *memory_get(const struct memory *m, unsigned int i,
			       uint32_t bytes)
{
	return bytes <= m->place ? m->places + i * m->place : m->longest;
}

void memory_free(struct memory *m);

#endif
