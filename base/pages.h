/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory in blocks that are freed together.  The kernel makes all pages of a
 * block when it is added: one by one, at the first access to each, they would
 * take a third longer.
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

struct pages {
	struct pages_block {
		void *at;
		size_t bytes;
	} *blocks;
	size_t count, size;
};

/* an all-zero struct pages has none */
void pages_free(struct pages *p);

/* adds a block of zeros, at the start of a page; NULL: no memory */
void *pages_add(struct pages *p, size_t bytes);

#endif
