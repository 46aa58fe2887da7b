/* SPDX-License-Identifier: GPL-2.0-only */
/* Touched parts of a device by time; see touches.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stat/raster.h"
#include "stat/touches.h"

/* initial size of a cell: 2^10 ns, 8 sectors */
enum { WIDTH = 1 << 10, HEIGHT = 8 };

/* fraction of all rows by which the first row moves */
enum { BASE_STEPS = 8 };

enum { WORD = 64 };

void touches_init(struct touches *t, uint64_t from)
{
	*t = (struct touches){ .from = from, .width = WIDTH, .height = HEIGHT,
			       .rows = TOUCHES_ROWS };
}

void touches_free(struct touches *t)
{
	free(t->bits);
}

/* --- bits ----------------------------------------------------------------- */

static size_t words_of(const struct touches *t)
{
	return t->rows / WORD;
}

static size_t column_nr(unsigned int class, unsigned int column)
{
	return (size_t)class * TOUCHES_COLUMNS + column;
}

static uint64_t *column_of(const struct touches *t, size_t nr)
{
	return t->bits + nr * words_of(t);
}

/* Pages that are never written take no memory. */
static int allocate(struct touches *t)
{
	const size_t columns = TOUCHES_CLASSES * TOUCHES_COLUMNS;
	size_t words = columns * words_of(t);

	t->bits = calloc(1, words * sizeof(*t->bits) +
			 columns * sizeof(*t->used));
	if (!t->bits)
		return -ENOMEM;
	t->used = (bool *)(t->bits + words);
	return 0;
}

static uint64_t bits_from(unsigned int bit)
{
	return ~0ULL << bit;
}

static void set_bits(uint64_t *words, uint64_t from, uint64_t to)
{
	uint64_t last = (to - 1) / WORD, word = from / WORD;
	uint64_t bits = bits_from((unsigned int)(from % WORD));

	for (; word < last; word++, bits = ~0ULL)
		words[word] |= bits;
	words[last] |= bits & ~0ULL >> (WORD - 1 - (to - 1) % WORD);
}

/* The first row from row on that is set (flip 0) or clear (flip ~0), or
 * t->rows. */
static unsigned int find(const struct touches *t, const uint64_t *words,
			 unsigned int row, uint64_t flip)
{
	size_t word = row / WORD;
	uint64_t bits;

	if (row >= t->rows)
		return t->rows;
	bits = (words[word] ^ flip) & bits_from(row % WORD);
	while (!bits && ++word < words_of(t))
		bits = words[word] ^ flip;
	return bits ? (unsigned int)(word * WORD) +
			      (unsigned int)__builtin_ctzll(bits) : t->rows;
}

bool touches_next(const struct touches *t, unsigned int class,
		  unsigned int column, struct touches_run *run)
{
	size_t nr = column_nr(class, column);

	if (!t->bits || !t->used[nr])
		return false;
	run->from = find(t, column_of(t, nr), run->to, 0);
	run->to = find(t, column_of(t, nr), run->from, ~0ULL);
	return run->from < t->rows;
}

/* --- wider columns -------------------------------------------------------- */

/* Joins two consecutive columns. */
static void join_columns(struct touches *t, size_t to, size_t from)
{
	const uint64_t *one = column_of(t, from), *other = one + words_of(t);
	uint64_t *words = column_of(t, to);
	bool any = t->used[from] || t->used[from + 1];

	for (size_t i = 0; (any || t->used[to]) && i < words_of(t); i++)
		words[i] = one[i] | other[i];
	t->used[to] = any;
}

static void clear_column(struct touches *t, size_t nr)
{
	if (t->used[nr])
		memset(column_of(t, nr), 0, words_of(t) * sizeof(*t->bits));
	t->used[nr] = false;
}

static void fold_columns(struct touches *t)
{
	for (unsigned int i = 0; i < TOUCHES_CLASSES; i++) {
		size_t first = column_nr(i, 0);
		size_t half = first + TOUCHES_COLUMNS / 2;

		for (size_t k = first; k < half; k++)
			join_columns(t, k, first + 2 * (k - first));
		for (size_t k = half; k < first + TOUCHES_COLUMNS; k++)
			clear_column(t, k);
	}
	t->width *= 2;
}

/* --- other rows ----------------------------------------------------------- */

static void set_rows(const struct touches *t, size_t nr, uint64_t from,
		     uint64_t to)
{
	set_bits(column_of(t, nr), from, to);
	t->used[nr] = true;
}

/* Copies the set bits of a column to to. */
static void move_column(const struct touches *t, const struct touches *to,
			unsigned int class, unsigned int column)
{
	struct touches_run run = { 0, 0 };

	while (touches_next(t, class, column, &run)) {
		uint64_t sector = t->base - to->base + run.from * t->height;
		uint64_t last = t->base - to->base + run.to * t->height - 1;

		set_rows(to, column_nr(class, column), sector / to->height,
			 last / to->height + 1);
	}
}

/* Moves all bits to to, which starts no later. */
static int move_to(struct touches *t, struct touches *to)
{
	if (!t->bits) {
		*t = *to;
		return 0;
	}
	if (allocate(to))
		return -ENOMEM;
	for (unsigned int i = 0; i < TOUCHES_CLASSES; i++)
		for (unsigned int k = 0; k < TOUCHES_COLUMNS; k++)
			move_column(t, to, i, k);
	free(t->bits);
	*t = *to;
	return 0;
}

int touches_limit(struct touches *t, unsigned int rows)
{
	struct touches to = *t;

	if (rows >= t->rows)
		return 0;
	/* the same height in sectors */
	to.height *= t->rows / rows;
	to.rows = rows;
	return move_to(t, &to);
}

/* Start of rows: not the lowest sector, or each lower one moves all bits. */
static uint64_t base_of(const struct touches *to)
{
	uint64_t step = to->height * (to->rows / BASE_STEPS);

	return to->low / step * step;
}

static int reach_sectors(struct touches *t, const struct raster_mark *m)
{
	struct touches to = *t;

	if (!t->bits || m->sector < t->low)
		to.low = m->sector;
	if (!t->bits || m->end > t->high)
		to.high = m->end;
	to.base = base_of(&to);
	while ((to.high - 1 - to.base) / to.height >= to.rows) {
		to.height *= 2;
		to.base = base_of(&to);
	}
	if (t->bits && to.height == t->height && to.base == t->base) {
		*t = to;
		return 0;
	}
	return move_to(t, &to);
}

/* --- marks ---------------------------------------------------------------- */

/* without length, or beyond the last sector: one sector */
static struct raster_mark settled(const struct raster_mark *m)
{
	struct raster_mark own = *m;

	if (own.sector == UINT64_MAX)
		own.sector--;
	if (own.end <= own.sector)
		own.end = own.sector + 1;
	return own;
}

int touches_add(struct touches *t, const struct raster_mark *m)
{
	const struct raster_mark own = settled(m);
	uint64_t column;
	int err = 0;

	if (own.time < t->from)
		return 0;
	if (!t->bits || own.sector < t->low || own.end > t->high)
		err = reach_sectors(t, &own);
	if (!err && !t->bits)
		err = allocate(t);
	if (err)
		return err;
	while ((column = (own.time - t->from) / t->width) >= TOUCHES_COLUMNS)
		fold_columns(t);
	set_rows(t, column_nr(own.class, (unsigned int)column),
		 (own.sector - t->base) / t->height,
		 (own.end - 1 - t->base) / t->height + 1);
	return 0;
}
