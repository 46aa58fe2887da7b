/*
 * What happened in an interval, device by device: sizes, latencies and
 * throughput of the requests that were completed.
 */
#ifndef TOOLS_BLKIOMON_LEDGER_H
#define TOOLS_BLKIOMON_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct event;			/* trace/record.h */

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

/* a square can need 70 bits, and there may be many */
__extension__ typedef unsigned __int128 ledger_wide;

struct cell {
	uint64_t min;		/* UINT64_MAX as long as num is 0 */
	uint64_t max, sum, num;
	ledger_wide squares;	/* sum of the values' squares */
};

enum { SIZE_BUCKETS = 16, LATENCY_BUCKETS = 25 };

/* Bucket n of a histogram holds values up to its limit, the last the rest. */
struct histogram {
	const char *title;	/* with its unit */
	unsigned int buckets;	/* bucket 0 is for value 0 alone */
	unsigned int shift;	/* bucket 1's limit is 2^shift, the next's twice
				 * that, and so on */
};

extern const struct histogram size_histogram, latency_histogram;

/* limit of bucket n, which is not the last */
uint64_t histogram_limit(const struct histogram *h, unsigned int n);

struct account {
	uint32_t device;
	struct cell cells[FIGURES];
	uint32_t sizes[SIZE_BUCKETS];
	uint32_t latencies[LATENCY_BUCKETS];
	uint64_t bidirectional;	/* neither read nor write */
};

/* so many devices are believed of an interval */
enum { LEDGER_ACCOUNTS = 4096 };

struct ledger {
	struct account *accounts;	/* in order of appearance */
	uint32_t count, size;
	struct hash by_device;	/* device to index of the account plus 1 */
};

/* An all-zero struct ledger is an empty one. */

/* one request; 0, -ENOMEM, or -E2BIG when there are too many devices */
int ledger_book(struct ledger *l, const struct event *issue,
		const struct event *completion);

/* begins the next interval; pointers into the ledger are void */
void ledger_clear(struct ledger *l);

void ledger_free(struct ledger *l);

#endif
