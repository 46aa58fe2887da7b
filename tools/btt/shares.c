/* SPDX-License-Identifier: GPL-2.0-only */
/* What one process did on one device; see shares.h. */
#include <stdlib.h>

#include "base/msg.h"
#include "tools/btt/disk.h"
#include "tools/btt/memory.h"
#include "tools/btt/shares.h"

void shares_free(struct shares *s)
{
	for (struct share *it = s->first, *next; it; it = next) {
		next = it->next;
		free(it);
	}
	hash_free(&s->by_both);
	*s = (struct shares){ 0 };
}

static struct share *share_new(struct shares *s, struct process *p,
			       const struct disk *d)
{
	struct share *it = memory_check(malloc(sizeof(*it)));

	*it = (struct share){ .process = p, .disk = d, .next = s->first };
	for (enum span_twin t = 0; t < SPAN_TWINS; t++)
		it->cells[t] = CELL_EMPTY;
	s->first = it;
	return it;
}

APART struct share *shares_find(struct shares *s, struct process *p,
				const struct disk *d)
{
	uint64_t key = (uint64_t)p->index << 32 | d->index;
	void **place = memory_check(hash_place(&s->by_both, key));

	if (!*place)
		*place = share_new(s, p, d);
	p->share = *place;
	return *place;
}

void shares_sum(const struct shares *s)
{
	for (const struct share *it = s->first; it; it = it->next)
		for (enum span_twin t = 0; t < SPAN_TWINS; t++) {
			enum span span = span_of_twin(t, it->disk->remapper);

			cell_merge(&it->process->spans.cells[span],
				   &it->cells[t]);
		}
}
