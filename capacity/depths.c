/* SPDX-License-Identifier: GPL-2.0-only */
/* Levels in few rows; see depths.h. */
#include <math.h>

#include "base/time.h"
#include "capacity/depths.h"

void depths_free(struct depths *d)
{
	histogram_free(&d->latency);
}

static int add(struct depths *d, const struct level *level)
{
	for (int g = 0; g < LEVELS_GROUPS; g++) {
		d->time[g] += (double)level->time[g];
		d->done[g] += (double)level->done[g];
	}
	d->mean += wide_double(level->area);	/* ns, until all are added */
	d->all_time += (double)level_sum(level->time);
	d->all_done += (double)level_sum(level->done);
	d->bytes += level->bytes;
	d->parted += level->parted;
	wide_join(&d->waited, level->waited);
	wide_join(&d->served, level->served);
	return histogram_merge(&d->latency, &level->latency);
}

/* the row after the one that ends with high */
static void begin(struct depths *d, uint32_t high)
{
	uint32_t low = high + 1;
	uint32_t power = UINT32_C(1) << (31 - (unsigned int)__builtin_clz(low));

	*d = (struct depths){
		.low = low, .high = low + (power > 1 ? power / 2 : 1) - 1,
	};
}

int depths_next(struct depths *d, const struct levels *l)
{
	int err = 0;

	while (d->high < levels_high(LEVELS_ROWS - 1)) {
		depths_free(d);
		begin(d, d->high);
		for (unsigned int i = levels_row(d->low);
		     !err && i <= levels_row(d->high); i++)
			if (levels_at(l, i))
				err = add(d, levels_at(l, i));
		if (err)
			return err;
		d->mean /= fmax(d->all_time, 1);
		if (d->all_time > 0)
			return 1;
	}
	depths_free(d);
	return 0;
}

struct knee_range depths_rate(const struct depths *d)
{
	double without[LEVELS_GROUPS];

	for (int g = 0; g < LEVELS_GROUPS; g++) {
		double left = d->all_time - d->time[g];

		without[g] = left > 0 ? (d->all_done - d->done[g]) *
					NS_PER_SECOND / left : 0;
	}
	return knee_range_of(d->all_done * NS_PER_SECOND / d->all_time,
			     without, 0);
}

uint64_t depths_waited(const struct depths *d)
{
	return wide_over(d->waited, d->parted).low;
}

uint64_t depths_served(const struct depths *d)
{
	return wide_over(d->served, d->parted).low;
}

uint64_t depths_percentile(const struct depths *d, uint32_t p)
{
	return histogram_kth(&d->latency, histogram_rank(d->latency.count, p));
}
