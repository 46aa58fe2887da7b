/* SPDX-License-Identifier: GPL-2.0-only */
/* Few spans, or many; see spans.h. */
#include <errno.h>
#include <stdlib.h>

#include "stat/spans.h"

void spans_free(struct spans *s)
{
	free(s->few);
	histogram_free(&s->many);
	*s = (struct spans){ .count = 0 };
}

int spans_copy(const struct spans *s, struct histogram *to)
{
	int err = histogram_merge(to, &s->many);

	for (uint32_t i = 0; !err && i < s->count; i++)
		err = histogram_add(to, s->few[i]);
	return err;
}

/* They become many. */
static int spill(struct spans *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		int err = histogram_add(&s->many, s->few[i]);

		if (err)
			return err;
	}
	free(s->few);
	s->few = NULL;
	s->count = s->size = 0;
	return 0;
}

static int grow(struct spans *s)
{
	uint32_t size = s->size ? 2 * s->size : 4;
	uint64_t *few = realloc(s->few, size * sizeof(*few));

	if (!few)
		return -ENOMEM;
	s->few = few;
	s->size = size;
	return 0;
}

int spans_add(struct spans *s, uint64_t span)
{
	int err = 0;

	if (s->count == SPANS_FEW)
		err = spill(s);
	if (err)
		return err;
	if (s->many.count)
		return histogram_add(&s->many, span);
	if (s->count == s->size)
		err = grow(s);
	if (!err)
		s->few[s->count++] = span;
	return err;
}

int spans_move(struct spans *s, struct spans *other)
{
	int err = 0;

	if (!s->count && !s->many.count) {
		free(s->few);
		*s = *other;
		*other = (struct spans){ .count = 0 };
		return 0;
	}
	if (other->many.count) {
		err = spill(s);
		if (!err)
			err = histogram_merge(&s->many, &other->many);
	}
	for (uint32_t i = 0; !err && i < other->count; i++)
		err = spans_add(s, other->few[i]);
	spans_free(other);
	return err;
}
