/* SPDX-License-Identifier: GPL-2.0-only */
/* A tournament tree; see bracket.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/bracket.h"

int bracket_init(struct bracket *b, uint32_t players)
{
	uint32_t size = 2;

	while (size < players)
		size *= 2;
	*b = (struct bracket){ .size = size };
	b->times = malloc(size * sizeof(*b->times));
	b->stamps = malloc(size * sizeof(*b->stamps));
	b->winner = malloc(2 * size * sizeof(*b->winner));
	if (!b->times || !b->stamps || !b->winner) {
		bracket_free(b);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < size; i++) {
		b->times[i] = b->stamps[i] = BRACKET_OUT;
		b->winner[size + i] = i;
	}
	for (uint32_t i = size; i-- > 1;)
		b->winner[i] = b->winner[2 * i];
	return 0;
}

void bracket_free(struct bracket *b)
{
	free(b->times);
	free(b->stamps);
	free(b->winner);
	*b = (struct bracket){ 0 };
}
