/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of an interval; see interval.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/hint.h"
#include "blktrace.h"
#include "tools/blkiomon/interval.h"
#include "tools/blkiomon/pairs.h"

/* --- text --------------------------------------------------------------- */

static const char *const titles[FIGURES] = {
	[SIZE_READ] = "sizes read (bytes)",
	[SIZE_WRITE] = "sizes write (bytes)",
	[LATENCY_READ] = "d2c read (usec)",
	[LATENCY_WRITE] = "d2c write (usec)",
	[SPEED_READ] = "throughput read (bytes/msec)",
	[SPEED_WRITE] = "throughput write (bytes/msec)",
};

/* 39 digits at most, and a NUL */
enum { WIDE_DIGITS = 40 };

static const char *wide_text(struct wide v, char text[WIDE_DIGITS])
{
	char *p = text + WIDE_DIGITS - 1;

	*p = '\0';
	do {
		struct wide digit;

		v = wide_divide(v, wide_of(10), &digit);
		*--p = (char)('0' + (int)digit.low);
	} while (!wide_is_zero(v));
	return p;
}

static double average(const struct cell *c)
{
	return c->num ? (double)c->sum / (double)c->num : 0;
}

/* The mean of squares less the square of the mean, in this order of steps. */
static double variance(const struct cell *c)
{
	double num = (double)c->num, sum = (double)c->sum;

	return c->num ? (wide_double(c->squares) - sum * sum / num) / num : 0;
}

static void cell_line(FILE *out, const char *title, const struct cell *c)
{
	char squares[WIDE_DIGITS];

	/* 1.3.0: without values the minimum is shown as -1 */
	fprintf(out, "%s: num %" PRIu64 ", min %" PRId64 ", max %" PRIu64
		", sum %" PRIu64 ", squ %s, avg %.1f, var %.1f\n",
		title, c->num, (int64_t)c->min, c->max, c->sum,
		wide_text(c->squares, squares), average(c), variance(c));
}

/* Four to a line; the last bucket has its lower limit, not its upper. */
static void histogram_lines(FILE *out, const struct scale *h,
			    const uint32_t *buckets)
{
	unsigned int last = h->buckets - 1;

	fprintf(out, "%s:\n", h->title);
	for (unsigned int n = 0; n < last; n++)
		fprintf(out, "   %10" PRIu64 ":%6" PRIu32 "%s",
			scale_limit(h, n), buckets[n],
			n % 4 == 3 ? "\n" : "");
	fprintf(out, "    >%8" PRIu64 ":%6" PRIu32 "\n",
		scale_limit(h, last - 1), buckets[last]);
}

void report_text(FILE *out, const struct device_sums *a, time_t at)
{
	char when[32];

	fprintf(out, "\ntime: %s", ctime_r(&at, when));
	fprintf(out, "device: %" PRIu32 ",%" PRIu32 "\n", BLK_MAJOR(a->device),
		BLK_MINOR(a->device));
	for (int i = 0; i < FIGURES; i++)
		cell_line(out, titles[i], &a->cells[i]);
	histogram_lines(out, &size_scale, a->sizes);
	histogram_lines(out, &latency_scale, a->latencies);
	fprintf(out, "bidirectional requests: %" PRIu64 "\n",
		a->bidirectional);
}

/* --- records ------------------------------------------------------------ */

static uint8_t *put(uint8_t *p, uint64_t v, unsigned int bytes)
{
	for (unsigned int i = bytes; i-- > 0; v >>= 8)
		p[i] = (uint8_t)v;
	return p + bytes;
}

static uint8_t *put_buckets(uint8_t *p, const uint32_t *buckets,
			    unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		p = put(p, buckets[i], 4);
	return p;
}

static uint8_t *put_cell(uint8_t *p, const struct cell *c)
{
	p = put(p, c->min, 8);
	p = put(p, c->max, 8);
	p = put(p, c->sum, 8);
	p = put(p, wide_clamp(c->squares), 8);
	return put(p, c->num, 8);
}

void report_binary(uint8_t raw[REPORT_SIZE], const struct device_sums *a,
		   time_t at)
{
	uint8_t *p = put(raw, (uint64_t)at, 8);

	p = put_buckets(p, a->sizes, SIZE_BUCKETS);
	p = put_buckets(p, a->latencies, LATENCY_BUCKETS);
	p = put(p, a->device, 4);
	for (int i = 0; i < FIGURES; i++)
		p = put_cell(p, &a->cells[i]);
	put(p, a->bidirectional, 8);
}

/* --- interval ------------------------------------------------------------- */

enum { FIRST_DEVICES = 8 };

const struct scale size_scale = {
	"sizes histogram (bytes)", SIZE_BUCKETS, 10,
};

const struct scale latency_scale = {
	"d2c histogram (usec)", LATENCY_BUCKETS, 3,
};

uint64_t scale_limit(const struct scale *h, unsigned int n)
{
	return n ? (uint64_t)1 << h->shift << (n - 1) : 0;
}

/* The first bucket whose limit is not below value: no search and no branch. */
static inline unsigned int bucket_of(const struct scale *h, uint64_t value)
{
	uint64_t beyond = (value - !!value) >> h->shift;
	unsigned int digits = 63 - (unsigned int)__builtin_clzll(2 * beyond + 1);
	unsigned int n = !!value + digits;

	return n < h->buckets ? n : h->buckets - 1;
}

static inline void add(struct cell *c, uint64_t value)
{
	if (value < c->min)
		c->min = value;
	if (value > c->max)
		c->max = value;
	c->sum += value;
	wide_join(&c->squares, wide_product(value, value));
	c->num++;
}

/* --- devices ----------------------------------------------------------- */

static int make_room(struct interval *l)
{
	struct device_sums *devices;

	if (l->count == INTERVAL_DEVICES)
		return -E2BIG;
	devices = array_reserve(l->devices, l->count, &l->size, FIRST_DEVICES,
				sizeof(*devices));
	if (!devices)
		return -ENOMEM;
	l->devices = devices;
	return 0;
}

static int add_device(struct interval *l, uint32_t device)
{
	int err = make_room(l);
	struct device_sums *a;

	if (!err)
		err = hash_put(&l->by_device, device,
			       (void *)((uintptr_t)l->count + 1));
	if (err)
		return err;
	a = &l->devices[l->count++];
	*a = (struct device_sums){ .device = device };
	for (int i = 0; i < FIGURES; i++)
		a->cells[i].min = UINT64_MAX;
	return 0;
}

/* Makes the device the last one; 0, or as interval_add(). */
static COLD int find_device(struct interval *l, uint32_t device)
{
	void *value = hash_get(&l->by_device, device);
	int err = value ? 0 : add_device(l, device);

	if (!err)
		l->last = value ? (uint32_t)(uintptr_t)value - 1 :
				  l->count - 1;
	return err;
}

/* 0 and *a, the device's sums; or as interval_add(). */
static inline int sums_of(struct interval *l, uint32_t device,
			  struct device_sums **a)
{
	int err = 0;

	if (!l->count || l->devices[l->last].device != device)
		err = find_device(l, device);
	if (!err)
		*a = &l->devices[l->last];
	return err;
}

/* --- booking ------------------------------------------------------------ */

/* What takes less than a microsecond is taken to last one. */
static uint64_t speed_of(uint64_t bytes, uint64_t usec)
{
	return bytes * 1000 / (usec ? usec : 1);
}

/* The kernel gives it the READ bit, although nothing is read. */
static bool is_flush(const struct seen *issue, uint32_t categories)
{
	return !issue->bytes &&
	       (categories & (BLK_TC_BIT(BLK_TC_WRITE) |
			      BLK_TC_BIT(BLK_TC_FLUSH))) ==
		       BLK_TC_BIT(BLK_TC_FLUSH);
}

/* Reads and writes are next to each other. */
int interval_add(struct interval *l, const struct seen *issue,
		 const struct seen *completion)
{
	uint64_t usec = (completion->time - issue->time) / 1000;
	uint32_t categories = completion->categories;
	size_t write = !(categories & BLK_TC_BIT(BLK_TC_READ));
	struct device_sums *a;
	struct cell *cells;
	int err = sums_of(l, issue->device, &a);

	if (err)
		return err;
	a->sizes[bucket_of(&size_scale, issue->bytes)]++;
	a->latencies[bucket_of(&latency_scale, usec)]++;
	if (is_flush(issue, categories))
		return 0;
	if (write && !(categories & BLK_TC_BIT(BLK_TC_WRITE))) {
		a->bidirectional++;
		return 0;
	}
	cells = a->cells + write;
	add(&cells[SIZE_READ], issue->bytes);
	add(&cells[LATENCY_READ], usec);
	add(&cells[SPEED_READ], speed_of(issue->bytes, usec));
	return 0;
}

void interval_clear(struct interval *l)
{
	hash_free(&l->by_device);
	l->count = l->last = 0;
}

void interval_free(struct interval *l)
{
	hash_free(&l->by_device);
	free(l->devices);
	*l = (struct interval){ 0 };
}
