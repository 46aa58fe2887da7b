/* SPDX-License-Identifier: GPL-2.0-only */
/* Accounts as text and as records; see report.h. */
#include <inttypes.h>
#include <string.h>

#include "blktrace.h"
#include "tools/blkiomon/interval.h"
#include "tools/blkiomon/report.h"

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
