/* SPDX-License-Identifier: GPL-2.0-only */
/* How many I/Os and requests are in each device; see depths.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/depths.h"

enum {
	WIDTH = 4096,
	BATCH = 4096,		/* moments that are counted at a time, about */
	FIRST_SIZE = 4096,	/* starts or ends */
	HELD = 1 << 18,		/* moments that wait at most */
};

/* for report_depths.alone: before the first */
enum { NOBODY = REPORT_DISKS };

enum { KINDS = REPORT_IN_IOS | REPORT_IN_REQUESTS };

void report_depths_init(struct report_depths *d)
{
	*d = (struct report_depths){
		.width = WIDTH, .exact = true, .due = BATCH, .alone = NOBODY,
	};
}

static void free_queue(struct report_depth_queue *q)
{
	free(q->list);
	free(q->far);
	*q = (struct report_depth_queue){ .list = NULL };
}

void report_depths_drop(struct report_depths *d)
{
	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++)
		for (unsigned int i = 0; i < REPORT_DEPTHS; i++) {
			free(d->of[kind][i].bins);
			d->of[kind][i].bins = NULL;
		}
	free_queue(&d->starts);
	free_queue(&d->ends);
	free(d->late);
	d->late = NULL;
}

void report_depths_free(struct report_depths *d)
{
	report_depths_drop(d);
	*d = (struct report_depths){ .width = 0 };
}

/* --- bins ----------------------------------------------------------------- */

static const struct report_depth_bin unused = { .min = UINT32_MAX };

/* The bin of the next moment is looked up: but for 0, which is in the first. */
static void forget_bin(struct report_depth *one)
{
	one->bin = one->bins;
	one->until = one->last ? one->last - 1 : 0;
}

static COLD int make_bins(struct report_depth *one)
{
	one->bins = malloc(REPORT_DEPTH_BINS * sizeof(*one->bins));
	if (!one->bins)
		return -ENOMEM;
	for (unsigned int i = 0; i < REPORT_DEPTH_BINS; i++)
		one->bins[i] = unused;
	forget_bin(one);
	return 0;
}

static void join(struct report_depth_bin *to,
		 const struct report_depth_bin *from)
{
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	to->integral += from->integral;
	to->busy += from->busy;
}

/* That many bins each become one. */
static void join_bins(struct report_depth *of, uint64_t times)
{
	struct report_depth_bin *bins = of->bins;

	for (uint64_t i = 0, from = 0; i < REPORT_DEPTH_BINS; i++) {
		struct report_depth_bin one = unused;
		uint64_t end = from + times;

		for (; from < end && from < REPORT_DEPTH_BINS; from++)
			join(&one, &bins[from]);
		bins[i] = one;
	}
	forget_bin(of);
}

void report_depths_widen(struct report_depths *d, uint64_t times)
{
	if (times <= 1)
		return;
	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++)
		for (unsigned int i = 0; i < REPORT_DEPTHS; i++)
			if (d->of[kind][i].bins)
				join_bins(&d->of[kind][i], times);
	d->width *= times;
	d->bins = (uint32_t)((d->bins + times - 1) / times);
}

/* There are bins up to time, which is above 0. */
static void reach(struct report_depths *d, uint64_t time)
{
	uint64_t times = 1;

	while ((time - 1) / d->width / times >= REPORT_DEPTH_BINS)
		times *= 2;
	report_depths_widen(d, times);
	if ((time - 1) / d->width >= d->bins)
		d->bins = (uint32_t)((time - 1) / d->width) + 1;
}

/* --- time ----------------------------------------------------------------- */

/* The depth is constant for a while, within a bin. */
static inline void stay(struct report_depth_bin *b, uint32_t now, uint64_t span)
{
	if (now < b->min)
		b->min = now;
	if (now > b->max)
		b->max = now;
	b->integral += now * span;
	b->busy += now ? span : 0;
}

static APART void pass_bins(struct report_depth *one, unsigned int shift,
			    uint64_t time)
{
	uint64_t within = (UINT64_C(1) << shift) - 1, last = one->last;
	struct report_depth_bin *bin = NULL;

	while (last < time) {
		/* the last bin may end at 2^64 */
		uint64_t until = last | within;
		uint64_t end = until >= time ? time : until + 1;

		bin = &one->bins[last >> shift];
		stay(bin, one->now, end - last);
		last = end;
	}
	one->bin = bin;
	one->until = (last - 1) | within;
	one->last = last;
}

/* The depth is constant up to time; bins are 1 << shift wide. */
static inline void pass(struct report_depth *one, unsigned int shift,
			uint64_t time)
{
	if (one->last >= time)
		return;
	if (UNLIKELY(time - 1 > one->until)) {
		pass_bins(one, shift, time);
		return;
	}
	stay(one->bin, one->now, time - one->last);
	one->last = time;
}

/* --- the depths of a span ------------------------------------------------- */

/* what a moment changes */
struct targets {
	uint32_t id;
	unsigned int count;
	struct report_depth *of[2 * REPORT_DEPTH_KINDS];
};

static int add_target(struct targets *t, struct report_depth *one)
{
	t->of[t->count++] = one;
	return one->bins ? 0 : make_bins(one);
}

/* Those of all devices are the first one's, as long as a kind is just of it. */
static APART int find_targets(struct report_depths *d, uint32_t id,
			      struct targets *t)
{
	unsigned int all = id & REPORT_IN_ALL ? d->mixed : 0;
	int err = 0;

	*t = (struct targets){ .id = id };
	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++) {
		if (!(id >> kind & 1))
			continue;
		err |= add_target(t, &d->of[kind][id >> REPORT_IN_BITS]);
		if (all >> kind & 1)
			err |= add_target(t, &d->of[kind][REPORT_DEPTH_ALL]);
	}
	return err;
}

/* --- moments that wait ---------------------------------------------------- */

static size_t waiting(const struct report_depth_queue *q)
{
	return q->count - q->head;
}

/* There is room for n more, where others have left, or in a longer list. */
static APART int make_room(struct report_depth_queue *q, size_t n)
{
	size_t size = q->size ? q->size : FIRST_SIZE;
	struct radix_item *list;

	if (q->head > q->size / 2) {
		memmove(q->list, q->list + q->head,
			waiting(q) * sizeof(*q->list));
		q->count -= q->head;
		q->head = 0;
	}
	while (size < q->count + n)
		size *= 2;
	if (size == q->size)
		return 0;
	list = array_resize(q->list, size, sizeof(*list));
	if (!list)
		return -ENOMEM;
	q->list = list;
	q->size = size;
	return 0;
}

/* Merges n sorted ones into the list, which has room, from the end. */
static void merge(struct report_depth_queue *q, const struct radix_item *new,
		  size_t n)
{
	struct radix_item *old = q->list + q->count, *to = old + n;
	const struct radix_item *first = q->list + q->head;

	q->count += n;
	while (n) {
		if (old > first && old[-1].key > new[n - 1].key)
			*--to = *--old;
		else
			*--to = new[--n];
	}
}

/* What came far from its place gets there. */
static APART int settle_far(struct report_depth_queue *q)
{
	size_t n = q->far_count;
	struct radix_item *spare = array_resize(NULL, n, sizeof(*spare));

	if (!spare || make_room(q, n)) {
		free(spare);
		return -ENOMEM;
	}
	merge(q, radix_sort(q->far, spare, n), n);
	q->far_count = 0;
	free(spare);
	return 0;
}

static int settle(struct report_depths *d)
{
	int err = d->starts.far_count ? settle_far(&d->starts) : 0;

	return err || !d->ends.far_count ? err : settle_far(&d->ends);
}

/* the sorted ones before time */
static size_t place(const struct report_depth_queue *q, uint64_t time)
{
	size_t low = q->head, high = q->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (q->list[middle].key < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - q->head;
}

/* The number of starts among the next n moments. */
static size_t starts_of(const struct report_depths *d, size_t n)
{
	const struct radix_item *start = d->starts.list + d->starts.head;
	const struct radix_item *end = d->ends.list + d->ends.head;
	size_t low = n > waiting(&d->ends) ? n - waiting(&d->ends) : 0;
	size_t high = n < waiting(&d->starts) ? n : waiting(&d->starts);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start[middle].key < end[n - middle - 1].key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* the time of the last of the next n moments, of which that many are starts */
static uint64_t time_of(const struct report_depths *d, size_t n, size_t starts)
{
	const struct report_depth_queue *s = &d->starts, *e = &d->ends;
	uint64_t start = starts ? s->list[s->head + starts - 1].key : 0;
	uint64_t end = n > starts ? e->list[e->head + n - starts - 1].key : 0;

	return start > end ? start : end;
}

/* moments of both queues, in order */
struct turns {
	const struct radix_item *start, *end;	/* the next of each, */
	const struct radix_item *starts, *ends;	/* after the last of each */
};

/* The next one, and by how much a depth changes then: at the same ns ends come
 * before starts. */
static inline const struct radix_item *next(struct turns *t, uint32_t *by)
{
	bool start = t->end == t->ends ||
		     (t->start != t->starts && t->start->key < t->end->key);

	*by = start ? 1 : UINT32_MAX;
	return start ? t->start++ : t->end++;
}

/* Most moments are of the device that the one before of that kind was of.  (No
 * id is 0, which is in no depth.) */
static int move_all(struct report_depths *d, unsigned int shift,
		    struct turns turns, size_t n)
{
	struct targets kinds[1 << REPORT_IN_BITS];
	uint32_t by;

	memset(kinds, 0, sizeof(kinds));
	for (; n; n--) {
		const struct radix_item *moment = next(&turns, &by);
		uint32_t id = moment->index;
		struct targets *t = &kinds[id & ((1 << REPORT_IN_BITS) - 1)];

		if (UNLIKELY(t->id != id) && find_targets(d, id, t))
			return -ENOMEM;
		for (unsigned int i = 0, count = t->count; i < count; i++) {
			struct report_depth *one = t->of[i];

			pass(one, shift, moment->key);
			one->now += by;
		}
	}
	return 0;
}

/* The next n are counted, and wait no more. */
static int take(struct report_depths *d, size_t n)
{
	struct turns turns;
	size_t starts;

	if (!n)
		return 0;
	starts = starts_of(d, n);
	d->done = time_of(d, n, starts);
	if (d->done)
		reach(d, d->done);
	turns = (struct turns){
		d->starts.list + d->starts.head, d->ends.list + d->ends.head,
		d->starts.list + d->starts.count, d->ends.list + d->ends.count,
	};
	d->starts.head += starts;
	d->ends.head += n - starts;
	d->count -= n;
	return move_all(d, (unsigned int)__builtin_ctzll(d->width), turns, n);
}

APART int report_depths_count(struct report_depths *d, uint64_t time)
{
	size_t n;
	int err = settle(d);

	if (err)
		return err;
	n = place(&d->starts, time) + place(&d->ends, time);
	if (d->count >= HELD && n < d->count / 2)
		n = d->count / 2;
	err = take(d, n);
	d->due = 2 * d->count < HELD ? 2 * d->count : HELD;
	if (d->due < BATCH)
		d->due = BATCH;
	return err;
}

static COLD int put_far(struct report_depth_queue *q,
			const struct radix_item *one)
{
	struct radix_item *list = array_reserve(q->far, q->far_count,
						&q->far_size, FIRST_SIZE,
						sizeof(*list));

	if (!list)
		return -ENOMEM;
	q->far = list;
	list[q->far_count++] = *one;
	return 0;
}

static APART int put_before(struct report_depth_queue *q,
			    const struct radix_item *one)
{
	size_t n = waiting(q), at;

	if (q->count == q->size && make_room(q, 1))
		return -ENOMEM;
	at = radix_place(q->list + q->head, n, one->key);
	if (UNLIKELY(at > n))
		return put_far(q, one);
	q->list[q->head + at] = *one;
	q->count++;
	return 0;
}

/* Most come in order, or nearly. */
static inline int put(struct report_depth_queue *q, uint64_t time, uint32_t id)
{
	const struct radix_item one = { time, id, 0 };
	size_t n = q->count;

	if (UNLIKELY(n == q->size || n == q->head) || q->list[n - 1].key > time)
		return put_before(q, &one);
	q->list[n] = one;
	q->count = n + 1;
	return 0;
}

/* --- one device or several ------------------------------------------------ */

/* so far all counts in one device, as it did in the other one */
static int copy(struct report_depth *to, const struct report_depth *from)
{
	if (!from->bins)
		return 0;
	to->bins = array_copy(from->bins, REPORT_DEPTH_BINS,
			      sizeof(*from->bins));
	if (!to->bins)
		return -ENOMEM;
	to->now = from->now;
	to->last = from->last;
	forget_bin(to);
	return 0;
}

/* From now on these kinds are counted for all devices together, too. */
static int part(struct report_depths *d, unsigned int kinds)
{
	int err = 0;

	kinds &= KINDS & ~d->mixed;
	for (unsigned int kind = 0; d->alone != NOBODY &&
	     kind < REPORT_DEPTH_KINDS; kind++)
		if (kinds >> kind & 1)
			err |= copy(&d->of[kind][REPORT_DEPTH_ALL],
				    &d->of[kind][d->alone]);
	d->mixed |= kinds;
	return err;
}

/* The first span of a device, or one that is not in all. */
static COLD int meet(struct report_depths *d, uint32_t disk, unsigned int what)
{
	if (d->alone != NOBODY || !(what & REPORT_IN_ALL))
		return part(d, what);
	d->alone = disk;
	return 0;
}

/* --- spans ---------------------------------------------------------------- */

static inline uint32_t id_of(uint32_t disk, unsigned int what)
{
	return disk << REPORT_IN_BITS | what;
}

int report_depths_add(struct report_depths *d, uint32_t disk,
		      unsigned int what, uint64_t from, uint64_t to)
{
	uint32_t id = id_of(disk, what);

	if (UNLIKELY(from < d->done)) {
		from = d->done;
		d->exact = false;
	}
	if (from >= to)
		return 0;
	if (UNLIKELY(what & KINDS & ~d->mixed &&
		     (d->alone != disk || !(what & REPORT_IN_ALL))) &&
	    meet(d, disk, what))
		return -ENOMEM;
	if (put(&d->starts, from, id) || put(&d->ends, to, id))
		return -ENOMEM;
	d->count += 2;
	return 0;
}

int report_depths_add_open(struct report_depths *d, uint32_t disk,
			   unsigned int what, uint64_t from, uint64_t to)
{
	struct report_depth_late *list;

	if (from >= d->done)
		return report_depths_add(d, disk, what, from, to);
	list = array_reserve(d->late, d->late_count, &d->late_size, 64,
			     sizeof(*list));
	if (!list)
		return -ENOMEM;
	d->late = list;
	list[d->late_count++] = (struct report_depth_late){
		from, to, id_of(disk, what),
	};
	return 0;
}

void report_depths_doubt(struct report_depths *d, uint32_t disk,
			 unsigned int what)
{
	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++) {
		if (!(what >> kind & 1))
			continue;
		d->of[kind][disk].bound = true;
		if (what & REPORT_IN_ALL)
			d->of[kind][REPORT_DEPTH_ALL].bound = true;
	}
}

COLD void report_depths_unsure(struct report_depths *d, uint32_t disk,
			       unsigned int what, uint64_t ns)
{
	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++) {
		if (!(what >> kind & 1))
			continue;
		wide_add(&d->of[kind][disk].unsure, ns);
		if (what & REPORT_IN_ALL)
			wide_add(&d->of[kind][REPORT_DEPTH_ALL].unsure, ns);
	}
}

/* --- the end -------------------------------------------------------------- */

/* late ones of a series, by the bin in which they start or end */
struct change {
	uint32_t begun, over;
	uint32_t cut;		/* begun before the bin, and over within it */
	uint64_t integral;	/* modulo 2^64 */
	uint64_t busy;		/* of the one that was there longest */
};

static void add_change(const struct report_depths *d, struct change *list,
		       const struct report_depth_late *late, uint64_t end)
{
	struct change *from = &list[late->from / d->width];
	struct change *to = &list[(late->to - 1) / d->width];
	uint64_t first = (late->from / d->width + 1) * d->width;
	uint64_t last = ((late->to - 1) / d->width + 1) * d->width;
	uint64_t span = (first < end ? first : end) - late->from;
	uint64_t rest = (last < end ? last : end) - late->to;

	from->begun++;
	from->integral += span;
	if (from->busy < span)
		from->busy = span;
	to->over++;
	to->cut += from != to && rest;
	to->integral -= rest;
}

/* In a bin in which one starts or ends, others have been counted already: there
 * the least, the most and the busy time are bounds. */
static void apply(const struct report_depths *d, struct report_depth *one,
		  const struct change *list, uint64_t end)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->bins; i++) {
		struct report_depth_bin *b = &one->bins[i];
		uint64_t left = end - i * d->width;
		uint64_t width = left < d->width ? left : d->width;

		b->integral += n * width + list[i].integral;
		b->min += n - list[i].cut;
		b->max += n - list[i].cut;
		if (n > list[i].cut)
			b->busy = width;
		else if (b->busy < list[i].busy)
			b->busy = list[i].busy;
		n += list[i].begun - list[i].over;
	}
}

/* whether what has an id counts in that series */
static bool is_in(uint32_t id, unsigned int kind, uint32_t number)
{
	return id >> kind & 1 && (number == id >> REPORT_IN_BITS ||
		(number == REPORT_DEPTH_ALL && id & REPORT_IN_ALL));
}

static int add_late(struct report_depths *d, unsigned int kind,
		    uint32_t number, uint64_t end)
{
	struct change *list = calloc(REPORT_DEPTH_BINS, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < d->late_count; i++)
		if (is_in(d->late[i].id, kind, number))
			add_change(d, list, &d->late[i], end);
	apply(d, &d->of[kind][number], list, end);
	free(list);
	return 0;
}

static void sum_up(const struct report_depths *d, struct report_depth *one)
{
	for (uint32_t i = 0; i < d->bins; i++) {
		const struct report_depth_bin *b = &one->bins[i];

		if (b->min > b->max)
			continue;
		wide_add(&one->integral, b->integral);
		one->busy += b->busy;
		if (b->max > one->max)
			one->max = b->max;
	}
}

static int end_one(struct report_depths *d, unsigned int kind, uint32_t number,
		   uint64_t end)
{
	struct report_depth *one = &d->of[kind][number];
	int err = 0;

	if (!one->bins)
		return 0;
	pass(one, (unsigned int)__builtin_ctzll(d->width), end);
	if (d->late_count)
		err = add_late(d, kind, number, end);
	sum_up(d, one);
	return err;
}

int report_depths_end(struct report_depths *d, uint64_t end)
{
	int err = settle(d);

	if (!err)
		err = take(d, d->count) | part(d, KINDS);
	if (end)
		reach(d, end);
	for (size_t i = 0; i < d->late_count; i++)
		if (d->late[i].to > end)
			d->late[i].to = end;
	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++)
		for (uint32_t i = 0; !err && i < REPORT_DEPTHS; i++)
			err = end_one(d, kind, i, end);
	return err;
}
