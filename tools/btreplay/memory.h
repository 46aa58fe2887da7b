/*
 * Memory that I/Os read into and write from.
 *
 * Every I/O in flight reads into a place of its own, up to 1 MiB: some
 * devices check or decrypt data where it has been read to, which two I/Os at
 * once would spoil.  Longer ones share a place, as rare as they are.  What is
 * written are zeros, which all writes share.
 *
 * Pages come from the kernel when they are first used, so that a depth that
 * is never reached costs nothing.
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

/* where I/O number i may read so many bytes to */
static inline void *memory_get(const struct memory *m, unsigned int i,
			       uint32_t bytes)
{
	return bytes <= m->place ? m->places + i * m->place : m->longest;
}

void memory_free(struct memory *m);

#endif
