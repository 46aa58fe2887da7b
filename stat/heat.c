/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A heat map; see heat.h.
 *
 * Columns are powers of two of ns, so a shift finds one.  Within a decade,
 * cells are stored row by row, so joining columns walks over neighbours.
 */
#include "stat/heat.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DECADES = 20 };

struct heat {
	unsigned int columns;	/* allocated */
	unsigned int used;	/* up to the latest time */
	unsigned int shift;	/* a column is 2^shift ns */
	uint64_t from;
	enum steps steps;
	unsigned int rows;	/* in all decades */
	unsigned int per_decade;
	uint64_t *decades[DECADES];	/* NULL: without spans */
	unsigned char *marks;
	uint64_t lows[STEPS_MAX];	/* steps_low() of each row */
};

int heat_new(struct heat **h, const struct heat_size *size)
{
	struct heat *n = calloc(1, sizeof(*n));

	if (!n)
		return -ENOMEM;
	n->marks = calloc(size->columns, sizeof(*n->marks));
	if (!n->marks) {
		free(n);
		return -ENOMEM;
	}
	n->columns = size->columns;
	n->from = size->from;
	n->steps = size->steps;
	n->rows = steps_count(size->steps);
	n->per_decade = n->rows / DECADES;
	for (unsigned int i = 0; i < n->rows; i++)
		n->lows[i] = steps_low(n->steps, i);
	*h = n;
	return 0;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	for (unsigned int i = 0; i < DECADES; i++)
		free(h->decades[i]);
	free(h->marks);
	free(h);
}

/* --- columns -------------------------------------------------------------- */

static void halve_counts(uint64_t *row, unsigned int columns)
{
	for (unsigned int i = 0; i < columns / 2; i++)
		row[i] = row[2 * i] + row[2 * i + 1];
	memset(row + columns / 2, 0, columns / 2 * sizeof(*row));
}

static void halve_marks(unsigned char *marks, unsigned int columns)
{
	for (unsigned int i = 0; i < columns / 2; i++)
		marks[i] = marks[2 * i] | marks[2 * i + 1];
	memset(marks + columns / 2, 0, columns / 2);
}

/* Joins columns in pairs. */
static void halve(struct heat *h)
{
	for (unsigned int d = 0; d < DECADES; d++) {
		if (!h->decades[d])
			continue;
		for (unsigned int i = 0; i < h->per_decade; i++)
			halve_counts(h->decades[d] + i * h->columns,
				     h->columns);
	}
	halve_marks(h->marks, h->columns);
	h->used = (h->used + 1) / 2;
	h->shift++;
}

/* column of a time that is not before the first */
static unsigned int column_of(struct heat *h, uint64_t time)
{
	uint64_t since = time - h->from;

	/* ends: there are two columns, and no shift is above 63 */
	while (since >> h->shift >= h->columns)
		halve(h);
	since >>= h->shift;
	if (h->used <= since)
		h->used = (unsigned int)since + 1;
	return (unsigned int)since;
}

/* --- counting ------------------------------------------------------------- */

static unsigned int row_of(const struct heat *h, uint64_t span)
{
	unsigned int low = 0, high = h->rows;

	/* as steps_find(), with precomputed steps */
	if (span == UINT64_MAX)
		span--;
	while (high - low > 1) {
		unsigned int mid = (low + high) / 2;

		if (h->lows[mid] <= span)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* cells of a row, made if missing; NULL: no memory */
static uint64_t *cells_of(struct heat *h, unsigned int row)
{
	uint64_t **decade = &h->decades[row / h->per_decade];

	if (!*decade)
		*decade = calloc((size_t)h->per_decade * h->columns,
				 sizeof(**decade));
	if (!*decade)
		return NULL;
	return *decade + (size_t)(row % h->per_decade) * h->columns;
}

int heat_add(struct heat *h, uint64_t time, uint64_t span)
{
	uint64_t *cells;

	if (time < h->from)
		return 0;
	cells = cells_of(h, row_of(h, span));
	if (!cells)
		return -ENOMEM;
	cells[column_of(h, time)]++;
	return 0;
}

void heat_mark(struct heat *h, uint64_t time, enum heat_mark mark)
{
	if (time >= h->from)
		h->marks[column_of(h, time)] |= (unsigned char)mark;
}

void heat_end(struct heat *h, uint64_t time)
{
	if (time >= h->from)
		column_of(h, time);
}

/* --- maps ----------------------------------------------------------------- */

static const uint64_t *row_cells(const struct heat *h, unsigned int row)
{
	const uint64_t *decade = h->decades[row / h->per_decade];

	if (!decade)
		return NULL;
	return decade + (size_t)(row % h->per_decade) * h->columns;
}

static bool row_is_empty(const struct heat *h, unsigned int row)
{
	const uint64_t *cells = row_cells(h, row);

	for (unsigned int i = 0; cells && i < h->used; i++) {
		if (cells[i])
			return false;
	}
	return true;
}

/* the first and last row with counts; false: none */
static bool row_range(const struct heat *h, unsigned int *first,
		      unsigned int *last)
{
	unsigned int low = 0, high = h->rows;

	while (low < high && row_is_empty(h, low))
		low++;
	while (high > low && row_is_empty(h, high - 1))
		high--;
	*first = low;
	*last = high - 1;
	return low < high;
}

/* sets the rows of a map for counts from first to last */
static void set_rows(struct heat_map *m, const struct heat *h,
		     unsigned int first, unsigned int last, unsigned int rows)
{
	uint64_t low = h->lows[first], high = h->lows[last];

	m->steps = steps_choose(h->steps, low, high, rows);
	m->step = steps_find(m->steps, low);
	m->rows = steps_find(m->steps, high) - m->step + 1;
}

static void add_row(struct heat_map *m, const struct heat *h, unsigned int row,
		    unsigned int fold)
{
	const uint64_t *cells = row_cells(h, row);
	unsigned int to = steps_find(m->steps, h->lows[row]) - m->step;

	for (unsigned int i = 0; cells && i < h->used; i++) {
		uint64_t *sum = &m->counts[(size_t)to * m->columns + i / fold];

		*sum += cells[i];
		m->total += cells[i];
		if (*sum > m->most)
			m->most = *sum;
	}
}

static void add_marks(struct heat_map *m, const struct heat *h,
		      unsigned int fold)
{
	for (unsigned int i = 0; i < h->used; i++) {
		m->marks[i / fold] |= h->marks[i];
		m->all_marks |= h->marks[i];
	}
}

/* time of n columns, saturated */
static uint64_t columns_time(const struct heat *h, unsigned int n)
{
	if (n > UINT64_MAX >> h->shift)
		return UINT64_MAX;
	return (uint64_t)n << h->shift;
}

int heat_map_make(struct heat_map *m, const struct heat *h,
		  unsigned int columns, unsigned int rows)
{
	unsigned int fold = h->used ? (h->used + columns - 1) / columns : 1;
	unsigned int first, last;

	*m = (struct heat_map){ .from = h->from,
				.width = columns_time(h, fold),
				.columns = (h->used + fold - 1) / fold };
	if (!row_range(h, &first, &last))
		return 0;
	set_rows(m, h, first, last, rows);
	m->counts = calloc((size_t)m->rows * m->columns, sizeof(*m->counts));
	m->marks = calloc(m->columns, sizeof(*m->marks));
	if (!m->counts || !m->marks) {
		heat_map_free(m);
		return -ENOMEM;
	}
	for (unsigned int i = first; i <= last; i++)
		add_row(m, h, i, fold);
	add_marks(m, h, fold);
	return 0;
}

void heat_map_free(struct heat_map *m)
{
	free(m->counts);
	free(m->marks);
	m->counts = NULL;
	m->marks = NULL;
}

uint64_t heat_map_end(const struct heat_map *m)
{
	uint64_t most = UINT64_MAX - m->from;

	if (m->columns && m->width > most / m->columns)
		return UINT64_MAX;
	return m->from + m->columns * m->width;
}

/* --- shades --------------------------------------------------------------- */

/* no number here exceeds the range of double */
static long double power(uint64_t base, unsigned int times)
{
	long double p = 1;

	while (times--)
		p *= (long double)base;
	return p;
}

/* The least n (2 at least) with n^down >= most^up, without a logarithm. */
static uint64_t root(uint64_t most, unsigned int up, unsigned int down)
{
	long double goal = power(most, up);
	uint64_t low = 2, high = most > 2 ? most : 2;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (power(mid, down) < goal)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void heat_map_shades(const struct heat_map *m, unsigned int shades,
		     uint64_t start[])
{
	start[0] = 1;
	/* Borders are half-way between steps, so that the last shade is not for
	 * the greatest count only. */
	for (unsigned int i = 1; i < shades; i++)
		start[i] = root(m->most, 2 * i - 1, 2 * (shades - 1));
}
