/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of cgroups; see limits.h. */
#include <math.h>

#include "base/time.h"
#include "capacity/limits.h"

enum { P90 = 90 * HISTOGRAM_PERCENT };

/* a part of what completes at 90% of the capacity: a second */
static uint64_t share(const struct knee *k, uint64_t ios, uint64_t part)
{
	return (uint64_t)llround(k->rate.is * LIMITS_LEAVE / 100 *
				 (double)part / (double)ios);
}

static uint64_t target_of(double ns)
{
	return (uint64_t)ceil(ns * LIMITS_ABOVE / 100 / NS_PER_US);
}

/* Latencies of I/Os that came to levels above half the knee, up to it, or, if there
 * are none, to the least level. */
static int gather(struct histogram *sum, const struct levels *l, double knee)
{
	uint32_t most = (uint32_t)fmax(1, fmin(floor(knee), INT32_MAX));
	int err = 0;

	for (unsigned int i = levels_row(most / 2 + 1);
	     !err && i <= levels_row(most); i++)
		if (levels_at(l, i))
			err = histogram_merge(sum, &levels_at(l, i)->latency);
	for (unsigned int i = 1; !err && !sum->count && i < LEVELS_ROWS; i++)
		if (levels_at(l, i))
			err = histogram_merge(sum, &levels_at(l, i)->latency);
	return err;
}

int limits_find(struct limits *out, const struct levels *l, const struct knee *k,
		const struct mix *m)
{
	struct histogram sum = { .count = 0 };
	struct levels_sums sums;
	int err;

	*out = (struct limits){ .known = false };
	levels_sums(l, &sums);
	if ((k->state != KNEE_FOUND && k->state != KNEE_BELOW) || !sums.ios)
		return 0;
	out->known = true;
	out->rbps = share(k, sums.ios, m->bytes[MIX_READ]);
	out->wbps = share(k, sums.ios, m->bytes[MIX_WRITE]);
	out->riops = share(k, sums.ios, m->ios[MIX_READ]);
	out->wiops = share(k, sums.ios, m->ios[MIX_WRITE]);
	err = gather(&sum, l, k->level.is);
	if (!err && sum.count) {
		out->target = target_of((double)histogram_kth(&sum,
				histogram_rank(sum.count, P90)));
		out->target_mean = target_of(wide_double(sum.sum) /
					     (double)sum.count);
	}
	histogram_free(&sum);
	return err;
}
