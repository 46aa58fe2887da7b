/* SPDX-License-Identifier: GPL-2.0-only */
/* How many requests were under way at a time; see flight.h. */
#include "findings/flight.h"

void flight_free(struct flight *f)
{
	histogram_free(&f->flushes);
	histogram_free(&f->thinks);
}

int flight_flush_done(struct flight *f, const struct served *s, uint64_t now)
{
	if (!--f->flushing)
		f->flushed += now - f->flushes_from;
	return histogram_add(&f->flushes, served_device_time(s));
}

uint64_t flight_busy(const struct flight *f)
{
	uint64_t sum = 0;

	for (uint32_t depth = 1; depth <= f->most; depth++)
		sum += f->spent[depth];
	return sum;
}

bool flight_waits(const struct flight *f, uint64_t *full, uint64_t *room)
{
	struct wide all = { 0, 0 }, high = all, low = all;

	for (uint32_t depth = 0; depth <= f->most; depth++) {
		wide_add(&all, f->waited[depth]);
		if (10 * depth >= 9 * f->most)
			wide_add(&high, f->waited[depth]);
		if (2 * depth <= f->most)
			wide_add(&low, f->waited[depth]);
	}
	if (wide_is_zero(all))
		return false;
	*full = wide_divide(wide_times(high, 1000), all, NULL).low;
	*room = wide_divide(wide_times(low, 1000), all, NULL).low;
	return true;
}

uint32_t flight_median_depth(const struct flight *f)
{
	uint64_t all = 0, count = 0;
	uint32_t depth = 0;

	for (uint32_t i = 0; i < FLIGHT_DEPTHS; i++)
		all += f->depths[i].count;
	while (all && 2 * count < all)
		count += f->depths[depth++].count;
	return depth ? depth - 1 : 0;
}

struct flight_depth flight_between(const struct flight *f, uint32_t low,
				   uint32_t high, uint64_t *depths)
{
	struct flight_depth sum = { 0 };

	*depths = 0;
	for (uint32_t i = low; i <= high && i < FLIGHT_DEPTHS; i++) {
		sum.count += f->depths[i].count;
		sum.took += f->depths[i].took;
		sum.bytes += f->depths[i].bytes;
		*depths += f->depths[i].count * i;
	}
	return sum;
}
