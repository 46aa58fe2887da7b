/* SPDX-License-Identifier: GPL-2.0-only */
/* Levels of a device; see levels.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "capacity/levels.h"
#include "request/io.h"

/* ns without a change in which slices are cut */
#define CUT_MOST (UINT64_C(1) << 36)

enum {
	PATH = 8192,		/* latest changes, a power of two */
	LAG = 8,		/* the part of its latency that a completion is
				 * counted before its end */
	LITTLE_OFF = 2,		/* percent of a mean level */
	EXACT_BITS = 4,		/* of LEVELS_EXACT */
	PART_BITS = 3
};

/* a level, from a moment on */
struct step {
	uint64_t time;
	uint32_t level;
};

struct levels {
	struct window window;
	uint64_t target;
	uint64_t since;		/* time is dealt up to here */
	uint32_t now;
	bool starved;
	unsigned int row;	/* of the level now */
	struct level *at;	/* or NULL: no memory */
	uint64_t steps;		/* changes so far */
	struct level *rows[LEVELS_ROWS];
	struct levels_sums sums;
	struct wide absorbed;
	uint64_t longest;	/* latency */
	struct servers servers;
	struct step path[PATH];
};

/* --- rows ----------------------------------------------------------------- */

unsigned int levels_row(uint32_t level)
{
	unsigned int bits, row;

	if (level < LEVELS_EXACT)
		return level;
	bits = 31 - (unsigned int)__builtin_clz(level);
	row = LEVELS_EXACT + (bits - EXACT_BITS) * LEVELS_PARTS +
	      (level >> (bits - PART_BITS)) - LEVELS_PARTS;
	return row < LEVELS_ROWS ? row : LEVELS_ROWS - 1;
}

uint32_t levels_low(unsigned int row)
{
	unsigned int past = row - LEVELS_EXACT;

	if (row < LEVELS_EXACT)
		return row;
	return (LEVELS_PARTS + past % LEVELS_PARTS) <<
	       (past / LEVELS_PARTS + EXACT_BITS - PART_BITS);
}

uint32_t levels_high(unsigned int row)
{
	return levels_low(row + 1) - 1;
}

const struct level *levels_at(const struct levels *l, unsigned int row)
{
	return l->rows[row];
}

uint64_t level_sum(const uint64_t numbers[LEVELS_GROUPS])
{
	uint64_t sum = 0;

	for (int i = 0; i < LEVELS_GROUPS; i++)
		sum += numbers[i];
	return sum;
}

double level_mean(const struct level *level, unsigned int row)
{
	uint64_t time = level_sum(level->time);

	if (!time || row < LEVELS_EXACT)
		return (levels_low(row) + levels_high(row)) / 2.0;
	return wide_double(level->area) / (double)time;
}

/* NULL: no memory */
static struct level *row_of(struct levels *l, unsigned int row)
{
	if (UNLIKELY(!l->rows[row])) {
		l->rows[row] = calloc(1, sizeof(*l->rows[row]));
		l->starved |= !l->rows[row];
	}
	return l->rows[row];
}

/* --- time ----------------------------------------------------------------- */

/* The group of a moment: each slice another one, and each eight slices begin with
 * another, so that no rhythm of the load is in one group only. */
static inline unsigned int group_at(uint64_t time)
{
	uint64_t slice = time >> LEVELS_SLICE;

	return (unsigned int)(slice + slice / LEVELS_GROUPS) % LEVELS_GROUPS;
}

/* Longer than a slice.  Whole rounds are dealt evenly. */
static COLD void deal(struct level *level, uint64_t from, uint64_t to)
{
	const uint64_t slice = UINT64_C(1) << LEVELS_SLICE;
	uint64_t rounds = (to - from) / (slice * LEVELS_GROUPS);

	for (int i = 0; i < LEVELS_GROUPS; i++)
		level->time[i] += rounds * slice;
	from += rounds * slice * LEVELS_GROUPS;
	while (from < to) {
		uint64_t end = (from | (slice - 1)) + 1;

		end = end < to && end > from ? end : to;
		level->time[group_at(from)] += end - from;
		from = end;
	}
}

/* Deals the time up to a moment. */
static void spend_to(struct levels *l, uint64_t to)
{
	uint64_t from = l->since, length = to - from;

	l->since = to;
	if (UNLIKELY(!l->at))
		return;
	if (LIKELY(!((from ^ to) >> LEVELS_SLICE)))
		l->at->time[group_at(from)] += length;
	else
		deal(l->at, from, to);
	if (!l->now)
		return;
	wide_join(&l->at->area, wide_product(length, l->now));
	servers_spend(&l->servers, l->row, l->now, length);
}

/* The slice ends before this moment, up to which nothing changes.  Without I/Os,
 * or for very long, it ends there. */
static APART void cut(struct levels *l, uint64_t until)
{
	uint64_t next;

	while ((next = servers_next(&l->servers)) <= until) {
		if (!l->now || until - next > CUT_MOST)
			next = until;
		if (next > l->since)
			spend_to(l, next);
		servers_cut(&l->servers, next, group_at(next), l->now);
	}
}

/* Deals the time since the last change. */
static void spend(struct levels *l, uint64_t until)
{
	if (UNLIKELY(until > l->window.end))
		until = l->window.end;
	if (until <= l->since)
		return;
	if (UNLIKELY(servers_next(&l->servers) <= until))
		cut(l, until);
	if (LIKELY(until > l->since))
		spend_to(l, until);
}

static void change(struct levels *l, uint64_t time, uint32_t level)
{
	spend(l, time);
	l->now = level;
	l->row = levels_row(level);
	l->at = row_of(l, l->row);
	l->path[l->steps++ % PATH] = (struct step){ time, level };
}

uint32_t levels_come(struct levels *l, uint64_t time)
{
	change(l, time, l->now + 1);
	return l->now;
}

/* what of a span is in the window, ns */
static uint64_t overlap(const struct levels *l, uint64_t from, uint64_t to)
{
	from = from > l->window.start ? from : l->window.start;
	to = to < l->window.end ? to : l->window.end;
	return to > from ? to - from : 0;
}

void levels_go(struct levels *l, uint64_t time, uint64_t came, bool absorbed)
{
	if (l->now)
		change(l, time, l->now - 1);
	if (UNLIKELY(absorbed))
		wide_add(&l->absorbed, overlap(l, came, time));
}

/* The level at a moment; the oldest known if that is too long ago.  Mostly it is
 * not: from the last change back in growing steps. */
static uint32_t level_then(const struct levels *l, uint64_t time)
{
	uint64_t oldest = l->steps > PATH ? l->steps - PATH : 0;
	uint64_t low = l->steps - 1, high = l->steps, step = 1;

	while (low > oldest && l->path[low % PATH].time > time) {
		high = low;
		low = low - oldest > step ? low - step : oldest;
		step *= 2;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (l->path[middle % PATH].time > time)
			high = middle;
		else
			low = middle;
	}
	return l->path[low % PATH].level;
}

/* --- records -------------------------------------------------------------- */

/* where its latency was: before the device, and there */
static void add_parts(struct level *level, const struct io *io)
{
	uint64_t served;

	if (!(io->has & 1u << IO_D2C))
		return;
	served = io->phase[IO_D2C];
	wide_add(&level->served, served);
	wide_add(&level->waited, io->total > served ? io->total - served : 0);
	level->parted++;
}

static int add_done(struct levels *l, const struct io *io)
{
	uint64_t end = io->time + io->total;
	uint32_t then = level_then(l, end - io->total / LAG);
	struct level *out = row_of(l, levels_row(then));
	struct level *in = row_of(l, levels_row(io->level));
	unsigned int group = group_at(end);

	if (UNLIKELY(!out || !in))
		return -ENOMEM;
	out->done[group]++;
	out->bytes += io->bytes;
	in->came[group]++;
	in->slow[group] += io->total >= l->target;
	add_parts(in, io);
	servers_done(&l->servers, end, io->total);
	l->sums.ios++;
	if (io->total > l->longest)
		l->longest = io->total;
	return histogram_add(&in->latency, io->total);
}

/* They come last.  One that is older than any that completed may never do so. */
static COLD void add_open(struct levels *l, const struct io *io)
{
	if (io->ended == IO_ENDED_OPEN && io->age <= l->longest)
		wide_add(&l->sums.open,
			 overlap(l, io->time, io->time + io->age));
}

int levels_add(struct levels *l, const struct io *io)
{
	if (UNLIKELY(l->starved))
		return -ENOMEM;
	if (!io->level)
		return 0;
	if (UNLIKELY(!io_completed(io))) {
		add_open(l, io);
		return 0;
	}
	wide_add(&l->sums.completed,
		 overlap(l, io->time, io->time + io->total));
	return io_in_window(io, &l->window) ? add_done(l, io) : 0;
}

/* --- the whole ------------------------------------------------------------ */

int levels_new(struct levels **out, const struct window *w, uint64_t target)
{
	struct levels *l = calloc(1, sizeof(*l));

	*out = l;
	if (!l)
		return -ENOMEM;
	l->window = *w;
	l->target = target;
	l->since = w->start;
	servers_init(&l->servers, w->start);
	l->at = row_of(l, 0);
	if (l->at)
		return 0;
	levels_free(l);
	*out = NULL;
	return -ENOMEM;
}

void levels_end(struct levels *l, uint64_t end)
{
	spend(l, end);
	servers_end(&l->servers);
	l->sums.from = l->window.start;
	l->sums.to = l->since;
	for (unsigned int i = 0; i < LEVELS_ROWS; i++)
		if (l->rows[i])
			wide_join(&l->sums.counted, l->rows[i]->area);
	l->sums.counted = wide_minus(l->sums.counted,
				     wide_less(l->sums.counted, l->absorbed) ?
				     l->sums.counted : l->absorbed);
}

const struct servers *levels_servers(const struct levels *l)
{
	return &l->servers;
}

void levels_sums(const struct levels *l, struct levels_sums *sums)
{
	*sums = l->sums;
}

bool levels_little(const struct levels_sums *sums)
{
	double counted = wide_double(sums->counted);
	double known = wide_double(wide_plus(sums->completed, sums->open));
	double off = counted > known ? counted - known : known - counted;

	return off * 100 <= counted * LITTLE_OFF;
}

void levels_free(struct levels *l)
{
	if (!l)
		return;
	for (unsigned int i = 0; i < LEVELS_ROWS; i++) {
		if (l->rows[i])
			histogram_free(&l->rows[i]->latency);
		free(l->rows[i]);
	}
	free(l);
}
