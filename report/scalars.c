/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums by stream and time; see scalars.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hint.h"
#include "report/scalars.h"

/* scalars that are kept before pairs of bins become one: 36 MiB */
enum { KEPT_MAX = 1 << 19 };

int scalars_init(struct scalars *s, uint64_t width, uint32_t limit)
{
	*s = (struct scalars){ .width = width, .limit = limit,
			       .kept_max = KEPT_MAX };
	s->bins = calloc(limit, sizeof(*s->bins));
	return s->bins ? 0 : -ENOMEM;
}

void scalars_free(struct scalars *s)
{
	for (uint32_t i = 0; s->bins && i < s->limit; i++)
		free(s->bins[i].list);
	free(s->bins);
	*s = (struct scalars){ .bins = NULL };
}

/* --- a bin ---------------------------------------------------------------- */

/* where stream stands in a bin, or would */
static uint32_t find(const struct scalar_bin *b, uint32_t stream)
{
	uint32_t low = 0, high = b->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (b->list[middle].stream < stream)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static COLD struct scalar *insert(struct scalars *s, struct scalar_bin *b,
				  uint32_t at, uint32_t stream)
{
	size_t size = b->size;
	struct scalar *list = array_reserve(b->list, b->count, &size, 4,
					    sizeof(*list));

	if (!list)
		return NULL;
	b->list = list;
	b->size = (uint32_t)size;
	memmove(list + at + 1, list + at, (b->count - at) * sizeof(*list));
	list[at] = (struct scalar){ .stream = stream };
	b->count++;
	s->kept++;
	return list + at;
}

static inline struct scalar *scalar_of(struct scalars *s, struct scalar_bin *b,
				       uint32_t stream)
{
	uint32_t at = find(b, stream);

	if (LIKELY(at < b->count && b->list[at].stream == stream))
		return b->list + at;
	return insert(s, b, at, stream);
}

void scalar_join(struct scalar *to, const struct scalar *from)
{
	to->ios += from->ios;
	to->blocks += from->blocks;
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		to->phases[i] += from->phases[i];
	if (to->q2c < from->q2c)
		to->q2c = from->q2c;
	if (to->d2c < from->d2c)
		to->d2c = from->d2c;
	to->busy += from->busy;
}

static void clear_bin(struct scalars *s, struct scalar_bin *b)
{
	s->kept -= b->count;
	free(b->list);
	*b = (struct scalar_bin){ .list = NULL };
}

/* --- bins that become one ------------------------------------------------- */

/* what one has, under the numbers that map has, or its own; it is empty then */
static int move(struct scalars *s, struct scalar_bin *to,
		struct scalar_bin *from, const uint32_t *map)
{
	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t stream = from->list[i].stream;
		struct scalar *one;

		if (map)
			stream = map[stream];
		if (stream == UINT32_MAX)
			continue;
		one = scalar_of(s, to, stream);
		if (!one)
			return -ENOMEM;
		scalar_join(one, &from->list[i]);
	}
	clear_bin(s, from);
	return 0;
}

static int halve(struct scalars *s)
{
	uint32_t count = (s->count + 1) / 2;
	int err = 0;

	for (uint32_t i = 0; !err && i < count; i++) {
		if (i) {
			s->bins[i] = s->bins[2 * i];
			s->bins[2 * i] = (struct scalar_bin){ .list = NULL };
		}
		if (2 * i + 1 < s->count)
			err = move(s, &s->bins[i], &s->bins[2 * i + 1], NULL);
	}
	s->count = count;
	s->width *= 2;
	return err;
}

int scalars_widen(struct scalars *s, uint64_t times)
{
	int err = 0;

	for (; !err && times > 1; times /= 2)
		err = halve(s);
	return err;
}

int scalars_map(struct scalars *s, const uint32_t *map)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < s->count; i++) {
		struct scalar_bin old = s->bins[i];

		s->bins[i] = (struct scalar_bin){ .list = NULL };
		err = move(s, &s->bins[i], &old, map);
		free(old.list);
	}
	return err;
}

/* --- what comes ----------------------------------------------------------- */

/* the bin of a time, which may be behind all so far; NULL: no memory */
static inline struct scalar_bin *bin_at(struct scalars *s, uint64_t time)
{
	while (UNLIKELY(time / s->width >= s->limit ||
			(s->kept > s->kept_max && s->count > 1)))
		if (halve(s))
			return NULL;
	if (time / s->width >= s->count)
		s->count = (uint32_t)(time / s->width) + 1;
	return &s->bins[time / s->width];
}

int scalars_add(struct scalars *s, uint64_t time, uint32_t stream,
		const struct report_row *row)
{
	struct scalar_bin *b = bin_at(s, time);
	struct scalar *one = b ? scalar_of(s, b, stream) : NULL;
	uint64_t phases[REPORT_PHASES], ns;

	if (!one)
		return -ENOMEM;
	one->ios++;
	one->blocks += row->blocks;
	report_row_phases(row, phases);
	for (unsigned int i = 0; i < REPORT_PHASES; i++)
		one->phases[i] += phases[i];
	if (report_row_span(row, REPORT_Q2C, &ns) && ns > one->q2c)
		one->q2c = ns;
	if (report_row_span(row, REPORT_D2C, &ns) && ns > one->d2c)
		one->d2c = ns;
	return 0;
}

int scalars_add_busy(struct scalars *s, uint32_t stream, uint64_t from,
		     uint64_t to)
{
	while (from < to) {
		struct scalar_bin *b = bin_at(s, from);
		struct scalar *one = b ? scalar_of(s, b, stream) : NULL;
		uint64_t end = (from / s->width + 1) * s->width;

		if (!one)
			return -ENOMEM;
		/* the last bin may end at 2^64 */
		if (end - 1 >= to)
			end = to;
		one->busy += end - from;
		from = end;
	}
	return 0;
}
