/* SPDX-License-Identifier: GPL-2.0-only */
/* Holes in sequence numbers; see holes.h. */
#include <stdlib.h>
#include <string.h>

#include "file/holes.h"

void holes_free(struct holes *h)
{
	free(h->list);
	*h = (struct holes){ 0 };
}

/* Opens a place at index i; false when there is no room. */
static bool insert(struct holes *h, size_t i, uint32_t first, uint32_t last)
{
	if (h->count == h->size) {
		size_t size = h->size ? 2 * h->size : 16;
		struct hole *list;

		if (size > HOLES_MAX)
			return false;
		list = realloc(h->list, size * sizeof(*list));
		h->starved |= !list;
		if (!list)
			return false;
		h->list = list;
		h->size = size;
	}
	memmove(h->list + i + 1, h->list + i,
		(h->count - i) * sizeof(*h->list));
	h->list[i] = (struct hole){ first, last };
	h->count++;
	return true;
}

/* The index of the first hole that ends at or behind sequence. */
static size_t find(const struct holes *h, uint32_t sequence)
{
	size_t low = 0, high = h->count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (h->list[mid].last < sequence)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* A number that was missing has come; false when it was not missing. */
static bool close_hole(struct holes *h, uint32_t sequence)
{
	size_t i = find(h, sequence);
	struct hole *hole;

	if (i == h->count || h->list[i].first > sequence)
		return false;
	hole = &h->list[i];
	h->missing--;
	if (hole->first == hole->last) {
		memmove(hole, hole + 1,
			(--h->count - i) * sizeof(*hole));
	} else if (sequence == hole->first) {
		hole->first++;
	} else if (sequence == hole->last) {
		hole->last--;
	} else {
		uint32_t last = hole->last;

		hole->last = sequence - 1;
		if (!insert(h, i + 1, sequence + 1, last))
			h->more++;
	}
	return true;
}

/* first to last are missing; may touch or reach into known holes. */
static void open_hole(struct holes *h, uint32_t first, uint32_t last)
{
	size_t i = find(h, first ? first - 1 : 0), end = i;
	uint64_t had = 0;

	while (end < h->count && h->list[end].first <= last + (uint64_t)1) {
		struct hole *hole = h->list + end++;

		had += hole->last - hole->first + (uint64_t)1;
		first = hole->first < first ? hole->first : first;
		last = hole->last > last ? hole->last : last;
	}
	h->missing += last - first + (uint64_t)1 - had;
	if (end > i) {
		h->list[i] = (struct hole){ first, last };
		memmove(h->list + i + 1, h->list + end,
			(h->count - end) * sizeof(*h->list));
		h->count -= end - i - 1;
	} else if (!insert(h, i, first, last)) {
		h->more++;
	}
}

/* Numbers wrap after 2^32: what is less than half of that ahead is ahead. */
static bool is_ahead(uint32_t sequence, uint32_t next)
{
	return (int32_t)(sequence - next) > 0;
}

/* The numbers between two that have been seen; they may wrap. */
static void miss_between(struct holes *h, uint32_t low, uint32_t high)
{
	if (low + 1 == high)
		return;
	if (low + 1 <= high - 1) {
		open_hole(h, low + 1, high - 1);
		return;
	}
	open_hole(h, low + 1, UINT32_MAX);
	if (high)
		open_hole(h, 0, high - 1);
}

static bool is_early(uint32_t sequence, uint32_t first)
{
	return first - sequence - 1 < HOLES_EARLY;
}

void holes_see(struct holes *h, uint32_t sequence)
{
	/* the first number may have been 0, and just counted */
	h->begun = h->begun || h->next;
	if (h->begun && close_hole(h, sequence))
		return;
	if (h->begun && is_early(sequence, h->first)) {
		miss_between(h, sequence, h->first);
		h->first = sequence;
		return;
	}
	if (h->begun && is_ahead(sequence, h->next))
		miss_between(h, h->next - 1, sequence);
	else if (!h->begun || sequence != h->next)
		h->first = sequence;
	h->begun = true;
	h->next = sequence + 1;
}
