/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened in an interval, device by device: sizes, latencies and
 * throughput of the requests that were completed.
 */
#ifndef TOOLS_BLKIOMON_INTERVAL_H
#define TOOLS_BLKIOMON_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "base/hash.h"
#include "base/wide.h"

/* --- report --------------------------------------------------------------- */

/*
 * The sums of an interval as text for people, and as a record for programs.
 */

struct device_sums;			/* tools/blkiomon/interval.h */

/* the text to out, whose error state shows a failure; at: the interval's end */
void report_text(FILE *out, const struct device_sums *a, time_t at);

/*
 * The record, big-endian whatever the machine; layout: blkiomon(8), section
 * BINARY OUTPUT.  Squares beyond 64 bits are shown as the greatest number.
 */
enum { REPORT_SIZE = 424 };
void report_binary(uint8_t raw[REPORT_SIZE], const struct device_sums *a,
		   time_t at);

/* --- interval ------------------------------------------------------------- */

struct seen;			/* tools/blkiomon/pairs.h */

/* what is measured, reads and writes apart, in the order of binary records */
enum figure {
	SIZE_READ,		/* bytes */
	SIZE_WRITE,
	LATENCY_READ,		/* us from issue to completion */
	LATENCY_WRITE,
	SPEED_READ,		/* bytes per ms */
	SPEED_WRITE,
	FIGURES
};

struct cell {
	uint64_t min;		/* UINT64_MAX as long as num is 0 */
	uint64_t max, sum, num;
	struct wide squares;	/* sum of the values' squares, which can
				 * need 70 bits */
};

enum { SIZE_BUCKETS = 16, LATENCY_BUCKETS = 25 };

/* Bucket n of a histogram holds values up to its limit, the last the rest. */
struct scale {
	const char *title;	/* with its unit */
	unsigned int buckets;	/* bucket 0 is for value 0 alone */
	unsigned int shift;	/* bucket 1's limit is 2^shift, the next's twice
				 * that, and so on */
};

extern const struct scale size_scale, latency_scale;

/* limit of bucket n, which is not the last */
uint64_t scale_limit(const struct scale *h, unsigned int n);

struct device_sums {
	uint32_t device;
	struct cell cells[FIGURES];
	uint32_t sizes[SIZE_BUCKETS];
	uint32_t latencies[LATENCY_BUCKETS];
	uint64_t bidirectional;	/* neither read nor write */
};

/* so many devices are believed of an interval */
enum { INTERVAL_DEVICES = 4096 };

struct interval {
	struct device_sums *devices;	/* in order of appearance */
	uint32_t count;
	uint32_t last;		/* the device that was looked for last */
	size_t size;
	struct hash by_device;	/* device to index of the sums plus 1 */
};

/* An all-zero struct interval is an empty one. */

/* one request; 0, -ENOMEM, or -E2BIG when there are too many devices */
int interval_add(struct interval *l, const struct seen *issue,
		 const struct seen *completion);

/* begins the next interval; pointers into the interval are void */
void interval_clear(struct interval *l);

void interval_free(struct interval *l);

#endif
