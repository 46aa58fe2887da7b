/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine's clock and the time of day; see host_clock.h. */
#include <math.h>

#include "base/time.h"
#include "machine/card.h"
#include "run/host_clock.h"

/* what keeps the time of day right does it by this much at most: what is more
 * was set */
#define DRIFT_MAX 500e-6
/* by which two readings of the clocks may differ for other reasons */
#define READING (100 * 1000)
/* between a card's pair and a trace's note, which are read within a second */
#define SAME_START NS_PER_SECOND
#define US_NS 1000

struct pair {
	uint64_t wall, time;
};

static bool find_pair(const struct card *c, const char *const keys[2],
		      struct pair *p)
{
	return card_number(c, keys[0], &p->wall) &&
	       card_number(c, keys[1], &p->time);
}

static int64_t epoch_of(const struct pair *p)
{
	return (int64_t)(p->wall - p->time);
}

/* From here to there: slowly, or at once. */
static void find_drift(struct host_clock *c, const struct pair *start,
		       const struct pair *end)
{
	int64_t moved = (int64_t)((uint64_t)epoch_of(end) -
				  (uint64_t)epoch_of(start));
	double span = (double)(end->time - start->time);

	if (end->time <= start->time)
		return;
	if (fabs((double)moved) <= DRIFT_MAX * span)
		c->drift = (double)moved / span;
	else if (fabs((double)moved) > DRIFT_MAX * span + READING)
		c->step = moved;
	c->from = start->time;
}

/* The larger of both ends; what is not synchronised may be anything. */
static uint64_t find_error(const struct card *c)
{
	uint64_t us, worst = 0;

	if (!card_flag(c, "clock.start.synchronised") ||
	    !card_number(c, "clock.start.maxerror_us", &worst))
		return HOST_CLOCK_UNKNOWN;
	if (card_number(c, "clock.end.maxerror_us", &us) && us > worst)
		worst = us;
	return worst < UINT64_MAX / US_NS ? worst * US_NS :
					    HOST_CLOCK_UNKNOWN;
}

static bool is_near(int64_t a, int64_t b)
{
	uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b :
				 (uint64_t)b - (uint64_t)a;

	return apart <= SAME_START;
}

void host_clock_find(struct host_clock *c, bool noted, uint64_t epoch,
		     const struct card *card)
{
	static const char *const starts[] = { "clock.start.realtime_ns",
					      "clock.start.monotonic_ns" };
	static const char *const ends[] = { "clock.end.realtime_ns",
					    "clock.end.monotonic_ns" };
	struct pair start, end;

	*c = (struct host_clock){ .known = noted, .epoch = epoch,
				  .error = HOST_CLOCK_UNKNOWN };
	if (!find_pair(card, starts, &start))
		return;
	c->foreign = noted && !is_near(epoch_of(&start), (int64_t)epoch);
	if (c->foreign)
		return;
	c->known = true;
	c->epoch = (uint64_t)epoch_of(&start);
	c->error = find_error(card);
	if (find_pair(card, ends, &end))
		find_drift(c, &start, &end);
}

uint64_t host_clock_drifted(const struct host_clock *c, uint64_t time)
{
	double since = (double)(int64_t)(time - c->from);

	return time + c->epoch + (uint64_t)(int64_t)llrint(since * c->drift);
}
