/* SPDX-License-Identifier: GPL-2.0-only */
/* When a device was busy; see busy.h. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "tools/btt/busy.h"
#include "tools/btt/memory.h"

enum { FIRST_SIZE = 64 };

void busy_init(struct busy *b, bool keep_all)
{
	*b = (struct busy){ .crowd = 2 * BUSY_KEPT, .keep_all = keep_all };
}

void busy_free(struct busy *b)
{
	free(b->list);
	*b = (struct busy){ 0 };
}

/* --- adding -------------------------------------------------------------- */

/* the first period ending at time or later */
static size_t first_reaching(const struct busy *b, uint64_t time)
{
	size_t low = 0, high = b->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (b->list[middle].end < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct busy *b, size_t at, struct period p)
{
	b->list = memory_check(array_reserve(b->list, b->count, &b->size,
					     FIRST_SIZE, sizeof(*b->list)));
	memmove(b->list + at + 1, b->list + at,
		(b->count - at) * sizeof(*b->list));
	b->list[at] = p;
	b->count++;
}

/* merges the periods that the one at this place touches */
static void swallow(struct busy *b, size_t at)
{
	struct period *p = &b->list[at];
	size_t next = at + 1;

	for (; next < b->count && b->list[next].start <= p->end; next++)
		if (b->list[next].end > p->end)
			p->end = b->list[next].end;
	if (next == at + 1)
		return;
	memmove(p + 1, b->list + next, (b->count - next) * sizeof(*p));
	b->count -= next - (at + 1);
}

/* p touches, or is before, more than the last period */
static void join(struct busy *b, struct period p)
{
	size_t at = first_reaching(b, p.start);
	struct period *there = b->list + at;

	if (there->start > p.end) {
		insert(b, at, p);
		return;
	}
	if (p.start < there->start)
		there->start = p.start;
	if (p.end > there->end)
		there->end = p.end;
	swallow(b, at);
}

/* fast if it extends or follows the last period */
void busy_add(struct busy *b, uint64_t start, uint64_t end)
{
	struct period *last = b->count ? &b->list[b->count - 1] : NULL;
	struct period p = { start, end };

	/* the clocks of CPUs may differ */
	if (UNLIKELY(start > end))
		p = (struct period){ end, start };
	if (!last || last->end < p.start)
		insert(b, b->count, p);
	else if (last->start <= p.start)
		last->end = last->end > p.end ? last->end : p.end;
	else
		join(b, p);
}

/* --- sums ---------------------------------------------------------------- */

void busy_flush(struct busy *b, uint64_t before)
{
	size_t bound = b->count > BUSY_KEPT ? b->count - BUSY_KEPT : 0;
	size_t n = 0;

	for (; n < bound && b->list[n].end < before; n++) {
		b->settled_time += b->list[n].end - b->list[n].start;
		b->settled_end = b->list[n].end;
	}
	b->settled += n;
	b->count -= n;
	memmove(b->list, b->list + n, b->count * sizeof(*b->list));
	/* a stuck request prevents settling: try less often */
	if (b->count > b->crowd / 2)
		b->crowd *= 2;
}

struct busy_sums busy_sums(const struct busy *b)
{
	struct busy_sums sums = {
		.periods = b->settled + b->count,
		.time = b->settled_time,
		.end = b->count ? b->list[b->count - 1].end : b->settled_end,
	};

	for (size_t i = 0; i < b->count; i++)
		sums.time += b->list[i].end - b->list[i].start;
	return sums;
}
