/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of histograms that can be merged, and its file.
 *
 *	btstat-save 1
 *	trace host=h device=sda from=0 to=9 records=6 lost=0 missing=0
 *	hist host=h device=sda op=read phase=q2c n=3 sum=30 min=9 max=11
 *	9:1 10:1 11:1
 *
 * Each device has a trace line, which ends in " unsure=1" if that is not 0.
 * Each histogram has two lines: the first has " at=0" after the phase if it is
 * of an interval, the second has the cells, in ascending order, and their
 * counts.  Lines are sorted and sums are integers, so the same I/Os give the
 * same bytes, whichever files they passed through.
 */
#ifndef STAT_SAVED_H
#define STAT_SAVED_H

#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"

/* --- percent -------------------------------------------------------------- */

/* Names in lines of words: visible ASCII is kept except % and =; other bytes
 * become % and two hexadecimal digits. */

/* longest code of a byte */
enum { PERCENT_MAX = 3 };

/* Writes text with a NUL to to, which has room for PERCENT_MAX times its length
 * plus one.  Returns the length written. */
size_t percent_encode(char *to, const char *text);

/* Decodes len bytes to a buffer of size bytes, with a NUL.  Returns the length;
 * -EINVAL: not encoded text; -ENAMETOOLONG. */
int percent_decode(char *to, size_t size, const char *text, size_t len);

/* --- saved ---------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct saved;

enum {
	SAVED_NAME_MAX = 255,		/* bytes of a name */
	SAVED_COUNT_MAX = 1 << 17,	/* of traces, and of histograms */
	SAVED_SIZE_MAX = 512 << 20,	/* bytes of all cells */
};

#define SAVED_MAGIC "btstat-save 1"

/* not of an interval */
#define SAVED_ALWAYS UINT64_MAX

/* key of a histogram; names may be "" */
struct saved_key {
	const char *host, *device, *op, *phase;
	uint64_t at;		/* start of its interval, or SAVED_ALWAYS */
};

/* a device's trace; times in ns */
struct saved_trace {
	const char *host, *device;
	uint64_t from, to;
	uint64_t records, lost, missing;	/* missing: I/Os, at most */
	uint64_t unsure;	/* measured I/Os that may be wrong */
};

/* an empty set: 0 and *s, or -ENOMEM */
int saved_new(struct saved **s);

/*
 * These add to the set's entry of that device or key: the time range grows,
 * counts are added and saturate.  0, -ENOMEM; -ENOSPC: a bound above is
 * exceeded; -EOVERFLOW: 2^64 values; -ENAMETOOLONG.
 */
int saved_add_trace(struct saved *s, const struct saved_trace *t);
int saved_add(struct saved *s, const struct saved_key *key,
	      const struct histogram *h);

/* bytes of all cells */
size_t saved_bytes(const struct saved *s);

/* counts of entries */
size_t saved_traces(const struct saved *s);
size_t saved_histograms(const struct saved *s);

/* Entry i, sorted by host, device, op, phase, and time, with SAVED_ALWAYS
 * first.  Valid until s is changed. */
const struct saved_trace *saved_trace(struct saved *s, size_t i);
const struct histogram *saved_histogram(struct saved *s, size_t i,
					struct saved_key *key);

/* writes the file, without empty histograms; 0, or -errno as buf_flush() */
int saved_write(struct saved *s, struct buf *b);

/* the same without the first line, to append to another set's file */
int saved_write_more(struct saved *s, struct buf *b);

/* empties s */
void saved_clear(struct saved *s);

/* frees s; NULL is fine */
void saved_free(struct saved *s);

#endif
