/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many requests were under way at a time: seen moment by moment, in order
 * (recent.h), so that time can be summed by what else was going on.
 *
 * Only requests that complete are counted, and each only while it is among the
 * 1,024 that ended last.
 */
#ifndef FINDINGS_FLIGHT_H
#define FINDINGS_FLIGHT_H

#include "base/hint.h"
#include "base/histogram.h"
#include "findings/recent.h"

/* depths when requests are issued, each with a count; the last has all above */
enum { FLIGHT_DEPTHS = 256 };

/* requests with data, by the depth that they found, themselves included */
struct flight_depth {
	uint64_t count, took, bytes;	/* ns in the device */
};

struct flight {
	uint64_t last;		/* time of the last moment */
	uint32_t depth;		/* issued and not done */
	uint32_t waiting;	/* ready and not issued */
	uint32_t flushing;	/* flushes of depth, */
	uint64_t flushes_from;	/* since when there is any */
	uint32_t most;		/* greatest depth */
	uint64_t flushed;	/* ns with a flush under way */
	/* ns by depth; and those by all that waited meanwhile */
	uint64_t spent[RECENT_MAX + 1], waited[RECENT_MAX + 1];
	struct histogram flushes;	/* D2C of these */
	struct histogram thinks;	/* from a completion to what was queued
					 * next */
	struct flight_depth depths[FLIGHT_DEPTHS];
	bool any;		/* requests with data are done, */
	uint64_t done;		/* the last of them then */
};

void flight_free(struct flight *f);

/* --- what happened next, and when ---------------------------------------- */

/* slow path of flight_done(); 0, or -ENOMEM */
int flight_flush_done(struct flight *f, const struct served *s, uint64_t now);

static inline void flight_pass_time(struct flight *f, uint64_t now)
{
	uint64_t span = now - f->last;

	f->last = now;
	f->spent[f->depth] += span;
	f->waited[f->depth] += span * f->waiting;
}

/* 0, or -ENOMEM */
static inline int flight_begun(struct flight *f, const struct served *s,
			       uint64_t now)
{
	/* what comes too late tells nothing of the time before it */
	if (!s->data || !f->any || s->at[SERVED_BEGUN] < now || f->done >= now)
		return 0;
	return histogram_add(&f->thinks, now - f->done);
}

static inline void flight_ready(struct flight *f, uint64_t now)
{
	flight_pass_time(f, now);
	f->waiting++;
}

static inline void flight_count_depth(struct flight *f, const struct served *s)
{
	uint32_t depth = f->depth < FLIGHT_DEPTHS ? f->depth
						   : FLIGHT_DEPTHS - 1;

	f->depths[depth].count++;
	f->depths[depth].took += served_device_time(s);
	f->depths[depth].bytes += s->bytes;
}

static inline void flight_issued(struct flight *f, const struct served *s,
				 uint64_t now)
{
	flight_pass_time(f, now);
	f->waiting--;
	if (UNLIKELY(s->flush) && !f->flushing++)
		f->flushes_from = now;
	if (++f->depth > f->most)
		f->most = f->depth;
	if (LIKELY(s->data))
		flight_count_depth(f, s);
}

/* 0, or -ENOMEM */
static inline int flight_done(struct flight *f, const struct served *s,
			      uint64_t now)
{
	flight_pass_time(f, now);
	f->depth--;
	if (s->data) {
		f->any = true;
		f->done = now;
	}
	return UNLIKELY(s->flush) ? flight_flush_done(f, s, now) : 0;
}

/* --- what came of it ------------------------------------------------------ */

/* ns with a depth of 1 and more */
uint64_t flight_busy(const struct flight *f);

/* with a depth of 1 */
static inline uint64_t flight_alone(const struct flight *f)
{
	return f->spent[1];
}

/*
 * Of the time that requests waited for the device: thousandths while at least
 * nine tenths of most were under way, and at most half of it.  False: none
 * waited.
 */
bool flight_waits(const struct flight *f, uint64_t *full, uint64_t *room);

/* the median of the depths that requests found, or 0 */
uint32_t flight_median_depth(const struct flight *f);

/* requests that found a depth from low to high; *depths is the sum of these */
struct flight_depth flight_between(const struct flight *f, uint32_t low,
				   uint32_t high, uint64_t *depths);

#endif
