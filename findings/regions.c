/* SPDX-License-Identifier: GPL-2.0-only */
/* Where requests are slow; see regions.h. */
#include <string.h>

#include "base/wide.h"
#include "findings/regions.h"

enum {
	SHORTEST = 3,		/* sectors of a cell: 4 KiB */
	SOONEST = 20,		/* ns of a bit: a millisecond */
	BITS = 64,
	TWENTIETHS = 20,
	RATIO_MOST = 1000000,	/* more is as much */
};

/* Bits 0 and 1 become bit 0, 2 and 3 bit 1, ...: at each step joins the even
 * groups of bits. */
static uint64_t fold_bits(uint64_t bits)
{
	static const uint64_t groups[] = {
		0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
		0x0000ffff0000ffff, 0x00000000ffffffff
	};

	bits = (bits | bits >> 1) & 0x5555555555555555;
	for (unsigned int i = 0; i < 5; i++)
		bits = (bits | bits >> (1 << i)) & groups[i];
	return bits;
}

static void fold_time(struct regions *r)
{
	for (int i = 0; i < REGIONS_CELLS; i++) {
		r->cells[i].seen = fold_bits(r->cells[i].seen);
		r->cells[i].seen_slow = fold_bits(r->cells[i].seen_slow);
	}
	r->span++;
}

static void merge_cell(struct region *to, const struct region *from)
{
	to->count += from->count;
	to->slow += from->slow;
	to->ratios += from->ratios;
	to->seen |= from->seen;
	to->seen_slow |= from->seen_slow;
}

static void fold_cells(struct regions *r)
{
	for (uint32_t i = 0; i < REGIONS_CELLS; i++) {
		struct region cell = r->cells[i];

		memset(&r->cells[i], 0, sizeof(cell));
		merge_cell(&r->cells[(i + (r->base & 1)) / 2], &cell);
	}
	r->base >>= 1;
	r->shift++;
}

/* Moves cells so that the first is that number; used ones stay within. */
static void move_base(struct regions *r, uint64_t base)
{
	uint64_t up = base < r->base ? r->base - base : 0;
	uint64_t down = base > r->base ? base - r->base : 0;
	size_t size = sizeof(r->cells[0]);

	if (up) {
		memmove(r->cells + up, r->cells, (REGIONS_CELLS - up) * size);
		memset(r->cells, 0, up * size);
	} else if (down) {
		memmove(r->cells, r->cells + down,
			(REGIONS_CELLS - down) * size);
		memset(r->cells + REGIONS_CELLS - down, 0, down * size);
	}
	r->base = base;
}

/* Makes room for all sectors from low to before high. */
static void reach(struct regions *r)
{
	uint64_t first, last;

	while (((r->high - 1) >> r->shift) - (r->low >> r->shift) >=
	       REGIONS_CELLS)
		fold_cells(r);
	first = r->low >> r->shift;
	last = (r->high - 1) >> r->shift;
	/* room is left where it grew */
	if (first < r->base)
		move_base(r, last < REGIONS_CELLS ? 0
						   : last - REGIONS_CELLS + 1);
	else if (last - r->base >= REGIONS_CELLS)
		move_base(r, first);
}

static void begin(struct regions *r, const struct served *s)
{
	r->shift = SHORTEST;
	r->span = SOONEST;
	r->base = s->sector >> SHORTEST;
	r->low = s->sector;
	r->high = s->sector + 1;
	r->begin = s->at[SERVED_ISSUED];
}

static struct region *cell_of(struct regions *r, uint64_t sector)
{
	if (sector < r->low || sector >= r->high) {
		r->low = sector < r->low ? sector : r->low;
		r->high = sector >= r->high ? sector + 1 : r->high;
		reach(r);
	}
	return &r->cells[(sector >> r->shift) - r->base];
}

static uint64_t bit_of(struct regions *r, uint64_t issued)
{
	uint64_t since = issued > r->begin ? issued - r->begin : 0;

	while (since >> r->span >= BITS)
		fold_time(r);
	return 1ULL << (since >> r->span);
}

void regions_add(struct regions *r, const struct served *s, uint64_t usual)
{
	uint64_t took = served_device_time(s), bit, ratio;
	struct region *cell;

	if (s->sector == UINT64_MAX)
		return;
	if (!r->count++)
		begin(r, s);
	bit = bit_of(r, s->at[SERVED_ISSUED]);
	cell = cell_of(r, s->sector);
	cell->count++;
	cell->seen |= bit;
	if (took < REGIONS_TIMES * usual)
		return;
	ratio = wide_share(took, 1000, usual);
	cell->ratios += ratio < RATIO_MOST ? ratio : RATIO_MOST;
	cell->slow++;
	cell->seen_slow |= bit;
	r->lost += took - usual;
}

/* Which twentieths a cell's spans of time lie in, by their middle, as bits. */
static uint32_t twentieths(const struct regions *r, uint64_t bits,
			   uint64_t from, uint64_t to)
{
	uint32_t found = 0;

	for (uint64_t i = 0; i < BITS; i++) {
		uint64_t at = r->begin + (i << r->span) + (1ULL << r->span) / 2;
		uint64_t which;

		if (!(bits >> i & 1))
			continue;
		at = at < from ? from : at >= to ? to - 1 : at;
		which = wide_share(at - from, TWENTIETHS, to - from);
		found |= 1U << which;
	}
	return found;
}

static uint32_t part_of(const struct regions *r, uint32_t i)
{
	uint64_t first = (r->base + i) << r->shift;
	uint64_t middle = first + (1ULL << r->shift) / 2;

	middle = middle < r->low ? r->low
				 : middle >= r->high ? r->high - 1 : middle;
	return (uint32_t)wide_share(middle - r->low, REGIONS_PARTS,
				    r->high - r->low);
}

void regions_parts(const struct regions *r, uint64_t from, uint64_t to,
		   struct region_part parts[REGIONS_PARTS])
{
	uint32_t seen[REGIONS_PARTS] = { 0 }, slow[REGIONS_PARTS] = { 0 };

	memset(parts, 0, REGIONS_PARTS * sizeof(*parts));
	for (uint32_t i = 0; i < REGIONS_CELLS && from < to; i++) {
		const struct region *cell = &r->cells[i];
		uint32_t k = cell->count ? part_of(r, i) : 0;

		parts[k].count += cell->count;
		parts[k].slow += cell->slow;
		parts[k].ratios += cell->ratios;
		seen[k] |= twentieths(r, cell->seen, from, to);
		slow[k] |= twentieths(r, cell->seen_slow, from, to);
	}
	for (uint32_t k = 0; k < REGIONS_PARTS; k++) {
		parts[k].times = (uint32_t)__builtin_popcount(seen[k]);
		parts[k].slow_times = (uint32_t)__builtin_popcount(slow[k]);
	}
}

uint64_t regions_border(const struct regions *r, uint32_t part)
{
	return r->low + wide_share(r->high - r->low, part, REGIONS_PARTS);
}
