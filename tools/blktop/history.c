/* SPDX-License-Identifier: GPL-2.0-only */
/* The last intervals; see history.h. */
#include <errno.h>
#include <stdlib.h>

#include "stat/heat.h"
#include "stat/scale.h"
#include "tools/blktop/history.h"

static unsigned int rows_of(const struct sample *s)
{
	unsigned int rows = 0;

	for (unsigned int i = 0; i < s->table_count; i++)
		rows += s->tables[i].count;
	return rows;
}

static void drop_oldest(struct history *h)
{
	struct sample *s = h->samples[h->head];

	h->rows -= rows_of(s);
	h->head = (h->head + 1) % HISTORY_SAMPLES;
	h->count--;
	sample_free(s);
}

void history_add(struct history *h, struct sample *s)
{
	h->rows += rows_of(s);
	while (h->count == HISTORY_SAMPLES ||
	       (h->count && h->rows > HISTORY_ROWS))
		drop_oldest(h);
	h->samples[(h->head + h->count++) % HISTORY_SAMPLES] = s;
}

struct sample *history_get(const struct history *h, unsigned int back)
{
	if (back >= h->count)
		return NULL;
	return h->samples[(h->head + h->count - 1 - back) % HISTORY_SAMPLES];
}

void history_free(struct history *h)
{
	while (h->count)
		drop_oldest(h);
}

/* --- the map -------------------------------------------------------------- */

/* the cells used by any column */
struct range {
	unsigned int first, last;
};

static bool find_range(const struct history *h, unsigned int back,
		       unsigned int columns, struct range *r)
{
	bool any = false;

	*r = (struct range){ SAMPLE_CELLS, 0 };
	for (unsigned int c = 0; c < columns; c++) {
		const uint32_t *cells =
			history_get(h, back + c)->times.cells;

		for (unsigned int i = 0; i < SAMPLE_CELLS; i++) {
			if (!cells[i])
				continue;
			any = true;
			r->first = i < r->first ? i : r->first;
			r->last = i > r->last ? i : r->last;
		}
	}
	return any;
}

/* cells per step of each ladder, from fine to coarse */
static const struct {
	enum steps steps;
	unsigned int each;
} ladders[] = { { STEPS_6, 1 }, { STEPS_3, 2 }, { STEPS_1, 6 } };

enum { LADDERS = sizeof(ladders) / sizeof(*ladders) };

static unsigned int steps_in(const struct range *r, unsigned int each)
{
	return r->last / each - r->first / each + 1;
}

/* Adds unused cells on both sides, so that rows are shown. */
static void fill_range(struct range *r, unsigned int rows, unsigned int each)
{
	unsigned int first = r->first / each, last = r->last / each;
	unsigned int all = SAMPLE_CELLS / each, above;

	rows = rows < all ? rows : all;
	if (last - first + 1 >= rows)
		return;
	above = (rows - (last - first + 1)) / 2;
	last = last + above < all ? last + above : all - 1;
	first = last + 1 > rows ? last + 1 - rows : 0;
	r->first = first * each;
	r->last = (first + rows) * each - 1;
}

/* the finest that fits, or else the coarsest */
static unsigned int choose(const struct range *r, unsigned int rows, bool fine)
{
	unsigned int i = fine ? 0 : 1;

	while (i < LADDERS - 1 && steps_in(r, ladders[i].each) > rows)
		i++;
	return i;
}

static void fill_column(struct heat_map *m, unsigned int column,
			const struct sample *s, unsigned int first,
			unsigned int each)
{
	for (unsigned int i = 0; i < SAMPLE_CELLS; i++) {
		unsigned int row = i / each;
		uint64_t *cell;

		if (!s->times.cells[i] || row < first ||
		    row - first >= m->rows)
			continue;
		cell = &m->counts[(size_t)(row - first) * m->columns + column];
		*cell += s->times.cells[i];
		m->total += s->times.cells[i];
		m->most = *cell > m->most ? *cell : m->most;
	}
	if (s->errors)
		m->marks[column] |= HEAT_ERROR;
	if (s->newly_lost)
		m->marks[column] |= HEAT_LOST;
	m->all_marks |= m->marks[column];
}

unsigned int history_shown(const struct history *h, unsigned int back,
			   unsigned int columns)
{
	unsigned int there = back < h->count ? h->count - back : 0;

	return there < columns ? there : columns;
}

unsigned int history_stretch(const struct history *h, unsigned int back,
			     unsigned int columns)
{
	unsigned int shown = history_shown(h, back, columns), each = 1;

	while (shown && shown * each * 2 <= columns)
		each *= 2;
	return each;
}

static int make_cells(struct heat_map *m)
{
	m->counts = calloc((size_t)m->rows * m->columns, sizeof(*m->counts));
	m->marks = calloc(m->columns, 1);
	if (m->counts && m->marks)
		return 0;
	heat_map_free(m);
	return -ENOMEM;
}

int history_map(const struct history *h, unsigned int back,
		unsigned int columns, unsigned int rows, bool fine,
		struct heat_map *m)
{
	unsigned int shown = history_shown(h, back, columns), i, first;
	unsigned int stretch = history_stretch(h, back, columns);
	const struct sample *oldest = history_get(h, back + shown - 1);
	struct range r;

	*m = (struct heat_map){ .columns = shown * stretch, .width = 1 };
	if (!find_range(h, back, shown, &r))
		return 0;
	i = choose(&r, rows, fine);
	fill_range(&r, rows, ladders[i].each);
	first = r.first / ladders[i].each;
	m->rows = steps_in(&r, ladders[i].each);
	m->rows = m->rows < rows ? m->rows : rows;
	m->from = oldest->depth.from;
	m->width = (oldest->depth.to - oldest->depth.from) / stretch;
	m->width = m->width ? m->width : 1;
	m->steps = ladders[i].steps;
	m->step = SAMPLE_FIRST_STEP / ladders[i].each + first;
	if (make_cells(m))
		return -ENOMEM;
	for (unsigned int c = 0; c < m->columns; c++)
		fill_column(m, m->columns - 1 - c,
			    history_get(h, back + c / stretch), first,
			    ladders[i].each);
	return 0;
}
