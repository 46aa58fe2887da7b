/* SPDX-License-Identifier: GPL-2.0-only */
/* How many I/Os and requests are in each device; see depths.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/depths.h"

enum {
	WIDTH = 4096,
	BATCH = 4096,		/* moments that are sorted at a time, at least */
	HELD = 1 << 18,		/* that wait at most */
};

/* at the same ns ends come before starts */
enum { ENDS, BEGINS };

void report_depths_init(struct report_depths *d)
{
	*d = (struct report_depths){
		.width = WIDTH, .exact = true, .due = BATCH,
	};
}

void report_depths_drop(struct report_depths *d)
{
	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++)
		for (unsigned int i = 0; i < REPORT_DEPTHS; i++) {
			free(d->of[kind][i].bins);
			d->of[kind][i].bins = NULL;
		}
	free(d->list);
	free(d->spare);
	free(d->late);
	d->list = d->spare = NULL;
	d->late = NULL;
}

void report_depths_free(struct report_depths *d)
{
	report_depths_drop(d);
	*d = (struct report_depths){ .width = 0 };
}

/* --- bins ----------------------------------------------------------------- */

static const struct report_depth_bin unused = { .min = UINT32_MAX };

static COLD int make_bins(struct report_depth *one)
{
	one->bins = malloc(REPORT_DEPTH_BINS * sizeof(*one->bins));
	if (!one->bins)
		return -ENOMEM;
	for (unsigned int i = 0; i < REPORT_DEPTH_BINS; i++)
		one->bins[i] = unused;
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

static void halve(struct report_depth_bin *bins)
{
	for (unsigned int i = 0; i < REPORT_DEPTH_BINS; i++) {
		struct report_depth_bin one = unused;

		if (2 * i + 1 < REPORT_DEPTH_BINS) {
			join(&one, &bins[2 * i]);
			join(&one, &bins[2 * i + 1]);
		}
		bins[i] = one;
	}
}

void report_depths_widen(struct report_depths *d, uint64_t times)
{
	for (; times > 1; times /= 2) {
		for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++)
			for (unsigned int i = 0; i < REPORT_DEPTHS; i++)
				if (d->of[kind][i].bins)
					halve(d->of[kind][i].bins);
		d->width *= 2;
		d->bins = (d->bins + 1) / 2;
	}
}

/* There are bins up to time, which is above 0. */
static void reach(struct report_depths *d, uint64_t time)
{
	while ((time - 1) / d->width >= REPORT_DEPTH_BINS)
		report_depths_widen(d, 2);
	if ((time - 1) / d->width >= d->bins)
		d->bins = (uint32_t)((time - 1) / d->width) + 1;
}

/* --- time ----------------------------------------------------------------- */

/* The depth is constant up to time; bins are 1 << shift wide. */
static inline void pass(struct report_depth *one, unsigned int shift,
			uint64_t time)
{
	uint32_t now = one->now;

	while (one->last < time) {
		struct report_depth_bin *b = &one->bins[one->last >> shift];
		uint64_t end = ((one->last >> shift) + 1) << shift, span;

		/* the last bin may end at 2^64 */
		if (end - 1 >= time)
			end = time;
		span = end - one->last;
		if (now < b->min)
			b->min = now;
		if (now > b->max)
			b->max = now;
		b->integral += now * span;
		b->busy += now ? span : 0;
		one->last = end;
	}
}

static inline int move(struct report_depth *one, unsigned int shift,
		       uint64_t time, uint32_t by)
{
	if (UNLIKELY(!one->bins) && make_bins(one))
		return -ENOMEM;
	pass(one, shift, time);
	one->now += by;
	return 0;
}

/* one starts or ends on a device, in all that it counts in */
static inline int move_all(struct report_depths *d, unsigned int shift,
			   const struct radix_item *moment)
{
	uint32_t by = moment->key & BEGINS ? 1 : UINT32_MAX;
	uint32_t disk = moment->index >> REPORT_IN_BITS;
	uint64_t time = moment->key >> 1;
	int err = 0;

	for (unsigned int kind = 0; kind < REPORT_DEPTH_KINDS; kind++) {
		struct report_depth *of = d->of[kind];

		if (!(moment->index >> kind & 1))
			continue;
		err |= move(&of[disk], shift, time, by);
		if (moment->index & REPORT_IN_ALL)
			err |= move(&of[REPORT_DEPTH_ALL], shift, time, by);
	}
	return err;
}

/* --- moments that wait ---------------------------------------------------- */

static size_t place(const struct report_depths *d, uint64_t time)
{
	size_t low = 0, high = d->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->list[middle].key >> 1 < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sort(struct report_depths *d)
{
	struct radix_item *sorted = radix_sort(d->list, d->spare, d->count);

	if (sorted != d->list) {
		d->spare = d->list;
		d->list = sorted;
	}
}

/* The first n are counted, and wait no more. */
static int take(struct report_depths *d, size_t n)
{
	unsigned int shift;
	int err = 0;

	if (!n)
		return 0;
	d->done = d->list[n - 1].key >> 1;
	if (d->done)
		reach(d, d->done);
	shift = (unsigned int)__builtin_ctzll(d->width);
	for (size_t i = 0; !err && i < n; i++)
		err = move_all(d, shift, &d->list[i]);
	d->count -= n;
	memmove(d->list, d->list + n, d->count * sizeof(*d->list));
	return err;
}

/* The rest is sorted again only with as many more. */
COLD int report_depths_count(struct report_depths *d, uint64_t time)
{
	size_t n;
	int err;

	sort(d);
	n = place(d, time);
	if (d->count >= HELD && n < d->count / 2)
		n = d->count / 2;
	err = take(d, n);
	d->due = 2 * d->count < HELD ? 2 * d->count : HELD;
	if (d->due < BATCH)
		d->due = BATCH;
	return err;
}

static COLD int grow(struct report_depths *d)
{
	size_t size = d->size ? 2 * d->size : 2 * BATCH;
	struct radix_item *list = array_resize(d->list, size, sizeof(*list));
	struct radix_item *spare;

	if (!list)
		return -ENOMEM;
	d->list = list;
	spare = array_resize(d->spare, size, sizeof(*spare));
	if (!spare)
		return -ENOMEM;
	d->spare = spare;
	d->size = size;
	return 0;
}

static inline uint32_t id_of(uint32_t disk, unsigned int what)
{
	return disk << REPORT_IN_BITS | what;
}

int report_depths_add(struct report_depths *d, uint32_t disk,
		      unsigned int what, uint64_t from, uint64_t to)
{
	struct radix_item *next;

	if (UNLIKELY(from < d->done)) {
		from = d->done;
		d->exact = false;
	}
	if (from >= to)
		return 0;
	if (UNLIKELY(d->count + 2 > d->size) && grow(d))
		return -ENOMEM;
	next = &d->list[d->count];
	next[0] = (struct radix_item){ from << 1 | BEGINS, id_of(disk, what),
				       0 };
	next[1] = (struct radix_item){ to << 1 | ENDS, id_of(disk, what), 0 };
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
	int err;

	sort(d);
	err = take(d, d->count);
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
