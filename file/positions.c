/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of the begin of a trace file; see positions.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "file/positions.h"

void positions_free(struct positions *p)
{
	free(p->list);
	free(p->notes);
	*p = (struct positions){ 0 };
}

int positions_add(struct positions *p, const struct position *at)
{
	struct position *list = array_reserve(p->list, p->count, &p->size, 64,
					      sizeof(*list));

	if (!list)
		return -ENOMEM;
	p->list = list;
	list[p->count++] = *at;
	return 0;
}

int positions_add_note(struct positions *p, const struct passed_note *note)
{
	struct passed_note *notes;

	if (p->note_count >= POSITIONS_NOTES_MAX)
		return -E2BIG;
	notes = array_reserve(p->notes, p->note_count, &p->note_size, 64,
			      sizeof(*notes));
	if (!notes)
		return -ENOMEM;
	p->notes = notes;
	notes[p->note_count++] = *note;
	return 0;
}

/* How many positions have nothing but earlier events before them. */
static size_t before(const struct positions *p, uint64_t time)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (p->list[mid].most < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void positions_cut(struct positions *p, uint64_t time)
{
	size_t fit = before(p, time);
	uint64_t end;

	p->count = fit ? fit - 1 : 0;
	end = p->count ? p->list[p->count - 1].offset : 0;
	while (p->note_count && p->notes[p->note_count - 1].offset >= end)
		p->note_count--;
}
