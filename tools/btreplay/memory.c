/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that I/Os read into and write from; see memory.h. */
#include <errno.h>
#include <sys/mman.h>

#include "tools/btreplay/memory.h"

enum {
	PAGE = 4096,
	PLACE_MAX = 1 << 20,
	/* so much is there before the first I/O, as it costs time */
	READY = 8 << 20,
};

/* NULL for no bytes, and when there is no memory */
static uint8_t *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void make_ready(uint8_t *p, size_t size)
{
	for (size_t i = 0; i < size; i += PAGE)
		((volatile uint8_t *)p)[i] = 0;
}

/*
 * The kernel makes one I/O of a long one only if its memory has few pieces.
 * Zeros that are only ever read cost no memory even so.
 */
static void use_large_pages(uint8_t *p, size_t size)
{
	if (size > PLACE_MAX)
		madvise(p, size, MADV_HUGEPAGE);
}

static size_t pages(uint32_t bytes)
{
	return ((size_t)bytes + PAGE - 1) / PAGE * PAGE;
}

int memory_init(struct memory *m, unsigned int count, uint32_t longest_read,
		uint32_t longest_write)
{
	size_t places, longest = pages(longest_read);

	*m = (struct memory){ .count = count };
	m->place = longest < PLACE_MAX ? longest : PLACE_MAX;
	if (!m->place)
		m->place = PAGE;
	places = count * m->place;
	m->longest_size = longest > PLACE_MAX ? longest : 0;
	m->zeros_size = pages(longest_write);
	m->places = map(places);
	m->longest = m->longest_size ? map(m->longest_size) : NULL;
	m->zeros = m->zeros_size ? map(m->zeros_size) : NULL;
	if (!m->places || (m->longest_size && !m->longest) ||
	    (m->zeros_size && !m->zeros)) {
		memory_free(m);
		return -ENOMEM;
	}
	make_ready(m->places, places < READY ? places : READY);
	use_large_pages(m->longest, m->longest_size);
	use_large_pages(m->zeros, m->zeros_size);
	return 0;
}

static void unmap(uint8_t *p, size_t size)
{
	if (p)
		munmap(p, size);
}

void memory_free(struct memory *m)
{
	unmap(m->places, m->count * m->place);
	unmap(m->longest, m->longest_size);
	unmap(m->zeros, m->zeros_size);
	*m = (struct memory){ 0 };
}
