/* SPDX-License-Identifier: GPL-2.0-only */
/* Rates in bins; see rates.h. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/histogram.h"
#include "base/wide.h"
#include "stat/rates.h"

/* --- spans ---------------------------------------------------------------- */

void spans_free(struct spans *s)
{
	free(s->few);
	histogram_free(&s->many);
	*s = (struct spans){ .count = 0 };
}

/* Adds all to a histogram; 0, or what that returns. */
static int spans_copy(const struct spans *s, struct histogram *to)
{
	int err = histogram_merge(to, &s->many);

	for (uint32_t i = 0; !err && i < s->count; i++)
		err = histogram_add(to, s->few[i]);
	return err;
}

/* Moves the few to the histogram. */
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

/* 0, or what histogram_add() returns */
static int spans_add(struct spans *s, uint64_t span)
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

/* Moves all of other to s.  0 or -errno, and then some are lost. */
static int spans_move(struct spans *s, struct spans *other)
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

/* --- rates ---------------------------------------------------------------- */

int rates_init(struct rates *r, uint64_t from, uint64_t width,
	       unsigned int count)
{
	*r = (struct rates){ .from = from, .width = width, .count = count };
	r->bins = calloc(count, sizeof(*r->bins));
	return r->bins ? 0 : -ENOMEM;
}

void rate_sum_free(struct rate_sum *s)
{
	histogram_free(&s->spans);
}

void rates_free(struct rates *r)
{
	for (unsigned int i = 0; r->bins && i < r->count; i++)
		spans_free(&r->bins[i].spans);
	free(r->bins);
	r->bins = NULL;
}

static int move_bin(struct rate_bin *to, struct rate_bin *b)
{
	for (int c = 0; c < RATE_CLASSES; c++) {
		to->count[c] += b->count[c];
		to->bytes[c] = wide_clamped_sum(to->bytes[c], b->bytes[c]);
		b->count[c] = b->bytes[c] = 0;
	}
	return spans_move(&to->spans, &b->spans);
}

/* Joins bins in pairs. */
static int halve(struct rates *r)
{
	int err = 0;

	for (unsigned int i = 1; !err && i < r->count; i++)
		err = move_bin(&r->bins[i / 2], &r->bins[i]);
	r->width *= 2;
	return err;
}

int rates_add(struct rates *r, uint64_t time, enum rate_class class,
	      uint64_t bytes, uint64_t span)
{
	struct rate_bin *b;
	int err;

	if (time < r->from)
		return 0;
	while ((time - r->from) / r->width >= r->count) {
		err = halve(r);
		if (err)
			return err;
	}
	b = &r->bins[(time - r->from) / r->width];
	b->count[class]++;
	b->bytes[class] = wide_clamped_sum(b->bytes[class], bytes);
	return span == UINT64_MAX ? 0 : spans_add(&b->spans, span);
}

/* the first bin that starts at time or later */
static uint64_t first_at(const struct rates *r, uint64_t time)
{
	uint64_t bin;

	if (time <= r->from)
		return 0;
	bin = (time - r->from - 1) / r->width + 1;
	return bin < r->count ? bin : r->count;
}

static int add_bin(struct rate_sum *to, const struct rate_bin *b)
{
	for (int c = 0; c < RATE_CLASSES; c++) {
		to->count[c] += b->count[c];
		to->bytes[c] = wide_clamped_sum(to->bytes[c], b->bytes[c]);
	}
	return spans_copy(&b->spans, &to->spans);
}

int rates_sum(const struct rates *r, uint64_t from, uint64_t to,
	      struct rate_sum *sum)
{
	uint64_t end = first_at(r, to);

	*sum = (struct rate_sum){ .count = { 0 } };
	for (uint64_t i = first_at(r, from); i < end; i++) {
		int err = add_bin(sum, &r->bins[i]);

		if (err) {
			rate_sum_free(sum);
			return err;
		}
	}
	return 0;
}
