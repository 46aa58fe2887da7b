/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requests that ended last, and their moments in order of time.
 *
 * Requests come in the order of their ends, but depths need their moments in
 * order.  So each request is held until 1,024 others have ended after it, which
 * is exact unless more than that overtake one.  A moment that is late counts as
 * now.
 *
 * Each kind of moment has a queue.  Requests end nearly in the order of their
 * starts, so a moment belongs a few places from its queue's end.  The earliest
 * of the queues' heads comes out next.
 */
#ifndef FINDINGS_RECENT_H
#define FINDINGS_RECENT_H

#include "base/hint.h"
#include "base/histogram.h"
#include "findings/served.h"

/* --- recent --------------------------------------------------------------- */

enum {
	RECENT_MAX = 1024,
	RECENT_KEYS = 2 * RECENT_MAX,	/* room in a queue */
	RECENT_NEAR = 12,	/* places tried before halving */

	/* bits of a key, from the lowest: the slot, the moment, its time */
	RECENT_SLOT_BITS = 10,
	RECENT_TIME_SHIFT = RECENT_SLOT_BITS + 2,
};

/* an all-zero one is empty */
struct recent {
	struct served slots[RECENT_MAX];	/* a ring */
	uint32_t first, count;
	uint64_t now;		/* the time of the last moment */

	/* recent.c's: keys of moments to come, ascending, from next up to tail,
	 * which all queues share, counted from RECENT_NEAR; between sentinels
	 * */
	uint64_t *next[SERVED_MOMENTS];	/* in keys; NULL: none yet */
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

/* drops the oldest, after its last moment */
void recent_drop(struct recent *r);

/* --- the moments, in order ------------------------------------------------ */

/* a position in them, the caller's from start to stop: copies that fit into
 * registers */
struct recent_way {
	uint64_t *next[SERVED_MOMENTS];
	uint64_t end;		/* keys below are wanted */
};

/* From the first unseen moment up to until.  There must have been one. */
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

/* the next one; SERVED_MOMENTS: none */
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

/* takes it: its request; its time is r->now */
static inline const struct served *recent_take(struct recent *r,
					       struct recent_way *w,
					       enum served_moment which)
{
	uint64_t key = *w->next[which]++, time = key >> RECENT_TIME_SHIFT;

	if (LIKELY(time > r->now))
		r->now = time;
	return &r->slots[key % (1 << RECENT_SLOT_BITS)];
}

/* taken ones do not come again */
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
 * Depth: requests in flight, moment by moment and in order (recent.h), and time
 * summed by depth.
 *
 * Only completed requests count, and only the 1,024 that ended last.
 */

/* depths at issue, each with a count; the last has all above */
enum { FLIGHT_DEPTHS = 256 };

/* requests with data, by the depth at their issue, themselves included */
struct flight_depth {
	uint64_t count, took, bytes;	/* ns in the device */
};

struct flight {
	uint64_t last;		/* time of the last moment */
	uint32_t depth;		/* issued and not done */
	uint32_t waiting;	/* ready and not issued */
	uint32_t flushing;	/* flushes of depth, */
	uint64_t flushes_from;	/* start of the first of them */
	uint32_t most;		/* greatest depth */
	uint64_t flushed;	/* ns with a flush in flight */
	/* ns by depth; and times the number that waited meanwhile */
	uint64_t spent[RECENT_MAX + 1], waited[RECENT_MAX + 1];
	struct histogram flushes;	/* D2C of these */
	struct histogram thinks;	/* from a completion to the next Q */
	struct flight_depth depths[FLIGHT_DEPTHS];
	bool any;		/* a request with data is done, */
	uint64_t done;		/* the last one here */
};

void flight_free(struct flight *f);

/* --- moments -------------------------------------------------------------- */

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
	/* a late one says nothing about the time before it */
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

/* --- results -------------------------------------------------------------- */

/* ns with a depth of 1 or more */
uint64_t flight_busy(const struct flight *f);

/* with a depth of 1 */
static inline uint64_t flight_alone(const struct flight *f)
{
	return f->spent[1];
}

/*
 * Of the time that requests waited for the device: thousandths at a depth of
 * nine tenths of most or more (full), and of half or less (room).  False: none
 * waited.
 */
bool flight_waits(const struct flight *f, uint64_t *full, uint64_t *room);

/* the median of depths at issue, or 0 */
uint32_t flight_median_depth(const struct flight *f);

/* requests issued at depths from low to high; *depths is the sum of these */
struct flight_depth flight_between(const struct flight *f, uint32_t low,
				   uint32_t high, uint64_t *depths);

#endif
