/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory whose pages are made at once; see pages.h. */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/array.h"
#include "base/pages.h"

void pages_free(struct pages *p)
{
	for (size_t i = 0; i < p->count; i++)
		munmap(p->blocks[i].at, p->blocks[i].bytes);
	free(p->blocks);
	*p = (struct pages){ .count = 0 };
}

void *pages_add(struct pages *p, size_t bytes)
{
	struct pages_block *blocks = array_reserve(p->blocks, p->count,
						   &p->size, 8,
						   sizeof(*blocks));
	void *at;

	if (!blocks)
		return NULL;
	p->blocks = blocks;
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	blocks[p->count++] = (struct pages_block){ at, bytes };
	return at;
}
