/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requests that ended last, and what happened to them in order of time.
 *
 * Requests come in the order in which they end.  What depends on how many were
 * under way at a time has to see their moments in order.  So each is held
 * until 1,024 others have ended behind it, and its moments come out in order:
 * exactly, as long as no request is overtaken by that many.  What comes too
 * late is taken for happening now.
 *
 * There is a queue for each kind of moment: as requests end nearly in the order
 * in which they begin, a moment belongs a few places from its queue's end, as
 * many as ended before it and began later.  Whichever queue's first is the
 * earliest comes out next.
 */
#ifndef FINDINGS_RECENT_H
#define FINDINGS_RECENT_H

#include "base/hint.h"
#include "base/histogram.h"
#include "findings/served.h"

/* --- recent --------------------------------------------------------------- */

enum {
	RECENT_MAX = 1024,
	RECENT_KEYS = 2 * RECENT_MAX,	/* room in a queue, behind */
	RECENT_NEAR = 12,	/* places that are tried before halving */

	/* bits of a key, from the lowest: the slot, the moment, its time */
	RECENT_SLOT_BITS = 10,
	RECENT_TIME_SHIFT = RECENT_SLOT_BITS + 2,
};

/* an all-zero one is empty */
struct recent {
	struct served slots[RECENT_MAX];	/* a ring */
	uint32_t first, count;
	uint64_t now;		/* the time of the last moment */

	/*
	 * recent.c's: keys of moments to come, ascending, from next up to tail,
	 * which is the same for all and counted from RECENT_NEAR.  What is
	 * before the first is less than any, what is behind the last greater.
	 */
	uint64_t *next[SERVED_MOMENTS];	/* in keys; NULL: there was none yet */
	uint32_t tail;
	uint64_t keys[SERVED_MOMENTS][RECENT_NEAR + RECENT_KEYS + 1];
};

static inline bool recent_full(const struct recent *r)
{
	return r->count == RECENT_MAX;
}

/* one more; there must be room */
void recent_add(struct recent *r, const struct served *s);

/* when the oldest ended; there must be one */
static inline uint64_t recent_oldest_end(const struct recent *r)
{
	return r->slots[r->first].end;
}

/* forgets the oldest, all of whose moments have been seen */
void recent_drop(struct recent *r);

/* --- the moments, in order ------------------------------------------------ */

/* the way through them: kept by the caller from start to stop, as copies that
 * the compiler can hold in registers */
struct recent_way {
	uint64_t *next[SERVED_MOMENTS];
	uint64_t end;		/* keys below are wanted */
};

/* Begins with the first that has not been seen; none is later than until.
 * There must have been one. */
static inline struct recent_way recent_start(const struct recent *r,
					     uint64_t until)
{
	struct recent_way w;

	if (until > SERVED_LATEST)
		until = SERVED_LATEST;
#pragma GCC unroll 4
	for (int m = 0; m < SERVED_MOMENTS; m++)
		w.next[m] = r->next[m];
	w.end = (until + 1) << RECENT_TIME_SHIFT;
	return w;
}

/* what comes next; SERVED_MOMENTS: nothing */
static inline enum served_moment recent_which(const struct recent_way *w)
{
	uint64_t begun = *w->next[SERVED_BEGUN], waits = *w->next[SERVED_WAITS];
	uint64_t issued = *w->next[SERVED_ISSUED], done = *w->next[SERVED_DONE];

	if (done < issued) {
		if (done < begun && done < waits)
			return done < w->end ? SERVED_DONE : SERVED_MOMENTS;
	} else if (issued < begun && issued < waits) {
		return issued < w->end ? SERVED_ISSUED : SERVED_MOMENTS;
	}
	if (begun < waits)
		return begun < w->end ? SERVED_BEGUN : SERVED_MOMENTS;
	return waits < w->end ? SERVED_WAITS : SERVED_MOMENTS;
}

/* takes it: of what it is; its time is r->now */
static inline const struct served *recent_take(struct recent *r,
					       struct recent_way *w,
					       enum served_moment which)
{
	uint64_t key = *w->next[which]++, time = key >> RECENT_TIME_SHIFT;

	if (LIKELY(time > r->now))
		r->now = time;
	return &r->slots[key % (1 << RECENT_SLOT_BITS)];
}

/* Those that were taken do not come again. */
static inline void recent_stop(struct recent *r, const struct recent_way *w)
{
#pragma GCC unroll 4
	for (int m = 0; m < SERVED_MOMENTS; m++) {
		r->next[m] = w->next[m];
		r->next[m][-1] = 0;
	}
}

/* --- flight --------------------------------------------------------------- */

/*
 * How many requests were under way at a time: seen moment by moment, in order
 * (recent.h), so that time can be summed by what else was going on.
 *
 * Only requests that complete are counted, and each only while it is among the
 * 1,024 that ended last.
 */

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
