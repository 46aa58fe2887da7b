/* SPDX-License-Identifier: GPL-2.0-only */
/* Offsets that are worth being shown; see plane_range.h. */
#include <stdint.h>

#include "tools/iowatcher/options.h"
#include "tools/iowatcher/plane_range.h"
#include "tools/iowatcher/traced.h"

enum { PARTS = 10, LEAST_PERCENT = 5 };

/* --- all that there is ---------------------------------------------------- */

static size_t device_count(const struct traced *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->device_count; i++)
		n += t->devices[i].raster.any;
	return n;
}

double plane_range_base(const struct plane_range *r, const struct traced *t,
			size_t device)
{
	double base = 0;

	for (size_t i = 0; r->stacked && i < device; i++)
		if (t->devices[i].raster.any)
			base += (double)t->devices[i].raster.high;
	return base;
}

static bool find_ends(struct plane_range *r, const struct traced *traces,
		      size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < traces[i].device_count; k++) {
			const struct raster *d = &traces[i].devices[k].raster;
			double base = plane_range_base(r, &traces[i], k);
			double low = base + (double)d->low;
			double high = base + (double)d->high;

			if (!d->any)
				continue;
			if (!any || low < r->low)
				r->low = low;
			if (!any || high > r->high)
				r->high = high;
			any = true;
		}
	}
	return any;
}

/* --- what is nearly empty ------------------------------------------------- */

struct parts {
	const struct plane_range *r;
	const struct raster *raster;
	double base;		/* of the device */
	uint64_t hits[PARTS];
};

static void count_hits(void *ctx, const struct raster_cell *c)
{
	struct parts *p = ctx;
	double at = p->base + (double)c->sector +
		    (double)p->raster->height / 2 - p->r->low;
	int part = (int)(at / (p->r->high - p->r->low) * PARTS);

	if (part < 0)
		part = 0;
	p->hits[part < PARTS ? part : PARTS - 1] += c->count;
}

static void count_parts(struct parts *p, const struct traced *t)
{
	for (size_t i = 0; i < t->device_count; i++) {
		p->raster = &t->devices[i].raster;
		p->base = plane_range_base(p->r, t, i);
		raster_each(p->raster, count_hits, p);
	}
}

static bool is_thin(const struct parts *p, int part, uint64_t most)
{
	return (double)p->hits[part] < (double)most * LEAST_PERCENT / 100;
}

static void trim(struct plane_range *r, const struct parts *p)
{
	double low = r->low, part = (r->high - r->low) / PARTS;
	int first = 0, last = PARTS - 1;
	uint64_t most = 0;

	for (int i = 0; i < PARTS; i++)
		if (p->hits[i] > most)
			most = p->hits[i];
	while (first < last && is_thin(p, first, most))
		first++;
	while (last > first && is_thin(p, last, most))
		last--;
	r->low = low + first * part;
	r->high = low + (last + 1) * part;
}

bool plane_range_find(struct plane_range *r, const struct watched_span *wanted,
		      const struct traced *traces, size_t count)
{
	struct parts p = { .r = r };

	*r = (struct plane_range){ .stacked = false };
	for (size_t i = 0; i < count; i++)
		r->stacked |= device_count(&traces[i]) > 1;
	if (!find_ends(r, traces, count))
		return false;
	for (size_t i = 0; i < count; i++)
		count_parts(&p, &traces[i]);
	trim(r, &p);
	if (!r->stacked && wanted->low)
		r->low = (double)wanted->low;
	if (!r->stacked && wanted->high != UINT64_MAX)
		r->high = (double)wanted->high;
	return true;
}
