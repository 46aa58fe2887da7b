/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffers of many streams; see buffers.h. */
#include "file/buffers.h"

enum { AT_ONCE = 16 };		/* most buffers of a block */

void buffers_free(struct buffers *b)
{
	pages_free(&b->pages);
	*b = (struct buffers){ .next = NULL };
}

void buffers_expect(struct buffers *b, size_t count)
{
	b->expected += count;
}

uint8_t *buffers_take(struct buffers *b)
{
	size_t count = b->expected < AT_ONCE ? b->expected : AT_ONCE;

	if (!b->made) {
		b->next = count ? pages_add(&b->pages, count * BUFFERS_SIZE) :
				  NULL;
		if (!b->next)
			return NULL;
		b->made = count;
	}
	b->made--;
	b->expected--;
	b->next += BUFFERS_SIZE;
	return b->next - BUFFERS_SIZE;
}
