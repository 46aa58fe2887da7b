/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts of a run; see facts.h. */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "blktrace.h"
#include "record/payload.h"
#include "request/ios.h"
#include "request/joiner.h"
#include "run/device.h"
#include "stat/facts.h"
#include "stat/group.h"

/* Whether the CPU has events.  Old versions do not number by CPU.  Numbers in
 * dumps are not checked, but their lanes always have events. */
static bool has_events(const struct lane *l)
{
	return l && (l->holes.begun || l->device->holes.begun || l->filtered);
}

static void mark_cpus(const struct device *dev, bool seen[BLK_CPU_MAX])
{
	for (uint32_t cpu = 0; cpu < dev->cpus && cpu < BLK_CPU_MAX; cpu++)
		seen[cpu] |= has_events(dev->lanes[cpu]);
}

static unsigned int count_cpus(const struct devices *d)
{
	bool seen[BLK_CPU_MAX] = { false };
	unsigned int n = 0;

	for (uint32_t i = 0; i < d->count; i++)
		mark_cpus(d->list[i], seen);
	for (uint32_t cpu = 0; cpu < BLK_CPU_MAX; cpu++)
		n += seen[cpu];
	return n;
}

static void find_span(struct facts *f, const struct window *w)
{
	f->windowed = w->start || reader_goes_on(f->reader);
	f->from = w->start;
	f->length = f->end > w->start ? f->end - w->start : 0;
}

/* All devices are, or none is. */
static bool are_untimed(const struct devices *d)
{
	bool all = d->count;

	for (uint32_t i = 0; i < d->count; i++)
		all &= d->list[i]->imported_times == IMPORTED_NONE;
	return all;
}

void facts_find(struct facts *f, const struct ios *ios,
		const struct coverages *c, const struct window *w)
{
	const struct joiner_counts *counts = ios_counts(ios);

	*f = (struct facts){ .ios = ios, .reader = ios_reader(ios),
			     .coverages = c };
	f->records = ios_events(ios);
	f->end = ios_end(ios);
	f->ghosts = counts->leftovers[JOINER_GHOST_C];
	f->cpus = count_cpus(reader_devices(f->reader));
	f->untimed = are_untimed(reader_devices(f->reader));
	f->has_wall = f->records && !reader_wall(f->reader, 0, &f->wall);
	find_span(f, w);
	reader_loss(f->reader, READER_ALL, &f->loss);
	for (uint32_t i = 0; i < c->count; i++)
		coverage_merge(&f->all, &c->list[i]);
}

uint64_t facts_ios(const struct facts *f)
{
	return f->all.ios + f->ghosts;
}

/* --- missing I/Os --------------------------------------------------------- */

/* sum over a device, or over all for READER_ALL */
static uint64_t sum_up(const struct facts *f, uint32_t device,
		       uint64_t (*count)(const struct coverage *c,
					 uint64_t lost))
{
	bool all = device == READER_ALL;
	uint32_t end = reader_devices(f->reader)->count;
	uint64_t sum = 0;

	for (uint32_t i = all ? 0 : device; i < (all ? end : device + 1); i++) {
		struct coverage c = coverages_get(f->coverages, i);
		struct loss loss;

		reader_loss(f->reader, i, &loss);
		sum += count(&c, loss.missing);
	}
	return sum;
}

/* missing I/Os of which no record is left, at most */
static uint64_t lost_ios(const struct facts *f, uint32_t device)
{
	return sum_up(f, device, coverage_gone);
}

/* measured I/Os with the completion of another, at most */
static uint64_t wrong_ios(const struct facts *f, uint32_t device)
{
	return sum_up(f, device, coverage_wrong);
}

uint64_t facts_astray(const struct facts *f, uint32_t device)
{
	return sum_up(f, device, coverage_astray);
}

uint64_t facts_missing(const struct facts *f)
{
	return facts_device_missing(f, READER_ALL);
}

static struct coverage coverage_of(const struct facts *f, uint32_t device)
{
	return device == READER_ALL ? f->all :
				      coverages_get(f->coverages, device);
}

static uint64_t ghosts_of(const struct facts *f, uint32_t device)
{
	const struct devices *d = reader_devices(f->reader);

	if (device == READER_ALL)
		return f->ghosts;
	return device < d->count ? ios_ghosts(f->ios, d->list[device]) : 0;
}

uint64_t facts_device_missing(const struct facts *f, uint32_t device)
{
	struct coverage c = coverage_of(f, device);

	return c.ios - coverage_measured(&c) + ghosts_of(f, device) +
	       lost_ios(f, device);
}

struct doubt facts_device_doubt(const struct facts *f, uint32_t device)
{
	struct coverage c = coverage_of(f, device);

	return (struct doubt){ facts_device_missing(f, device),
			       c.unsure + wrong_ios(f, device) };
}

struct doubt facts_row_doubt(const struct facts *f,
			     const struct group_row *row, uint32_t device)
{
	struct coverage c = coverage_of(f, device);
	struct doubt d = { row->unmeasured, row->unsure };

	if (coverage_needs_q(&c))
		d.missing += row->no_q;
	d.missing += ghosts_of(f, device) + lost_ios(f, device);
	d.wrong += wrong_ios(f, device);
	return d;
}

bool facts_mixed_up(const struct facts *f, uint32_t device)
{
	struct coverage c = coverage_of(f, device);

	return c.loose || (c.unsure && ghosts_of(f, device));
}

bool facts_lossy(const struct facts *f, uint32_t device)
{
	return !reader_whole(f->reader, device);
}

bool facts_imported(const struct facts *f, char text[FACTS_IMPORTED])
{
	const struct devices *d = reader_devices(f->reader);
	const char *first = NULL;
	bool all = true;
	size_t n;

	for (uint32_t i = 0; i < d->count; i++) {
		const char *one = d->list[i]->imported;

		first = first ? first : one;
		all &= one && !strcmp(one, first);
	}
	if (!first)
		return false;
	n = escape_text(text, FACTS_IMPORTED, first, strlen(first));
	if (!all)
		snprintf(text + n, FACTS_IMPORTED - n, " (not all devices)");
	return true;
}
