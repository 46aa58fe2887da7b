/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms to merge later, and the file of them:
 *
 *	btstat-save 1
 *	trace host=h device=sda from=0 to=9 records=6 lost=0 missing=0
 *	hist host=h device=sda op=read phase=q2c n=3 sum=30 min=9 max=11
 *	9:1 10:1 11:1
 *
 * A trace line for each device, with " unsure=1" at its end if that is not 0;
 * two lines for each histogram, with " at=0" after the phase if it is of an
 * interval.  A line of cells has their numbers, ascending, and counts.  All is
 * in order, and all sums are of integers, so that the same ios give the same
 * bytes, whatever files they went through.
 */
#ifndef STAT_SAVED_H
#define STAT_SAVED_H

#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"

/* --- percent -------------------------------------------------------------- */

/*
 * Names in lines of words: visible ASCII stays, but for % and =; each other
 * byte is % and two hexadecimal digits.
 */

/* bytes that one of a name can become */
enum { PERCENT_MAX = 3 };

/*
 * Writes text to to, which has room for PERCENT_MAX times its length and one
 * more, with a NUL.  Returns its length.
 */
size_t percent_encode(char *to, const char *text);

/*
 * The same backwards, of len bytes, to a buffer of size bytes.  Returns its
 * length; -EINVAL: these bytes are no such name; -ENAMETOOLONG.
 */
int percent_decode(char *to, size_t size, const char *text, size_t len);

/* --- saved ---------------------------------------------------------------- */

struct buf;			/* base/buf.h */
struct saved;

enum {
	SAVED_NAME_MAX = 255,		/* bytes of a name */
	SAVED_COUNT_MAX = 1 << 17,	/* traces, and histograms */
	SAVED_SIZE_MAX = 512 << 20,	/* bytes of all cells */
};

#define SAVED_MAGIC "btstat-save 1"

/* of no interval */
#define SAVED_ALWAYS UINT64_MAX

/* which histogram; names may be "" */
struct saved_key {
	const char *host, *device, *op, *phase;
	uint64_t at;		/* when its interval begins, or SAVED_ALWAYS */
};

/* what is known of a device; times in ns */
struct saved_trace {
	const char *host, *device;
	uint64_t from, to;
	uint64_t records, lost, missing;	/* ios that may be missing, */
	uint64_t unsure;	/* and measured ones that may be wrong */
};

/* an empty set: 0 and *s, or -ENOMEM */
int saved_new(struct saved **s);

/*
 * These two add to what s has of the device, or under the key: times widen,
 * counts are summed up, to the largest number at most.  0, -ENOMEM; -ENOSPC: a
 * bound from above; -EOVERFLOW: 2^64 numbers; -ENAMETOOLONG.
 */
int saved_add_trace(struct saved *s, const struct saved_trace *t);
int saved_add(struct saved *s, const struct saved_key *key,
	      const struct histogram *h);

/* how many bytes all cells have */
size_t saved_bytes(const struct saved *s);

/* how many there are */
size_t saved_traces(const struct saved *s);
size_t saved_histograms(const struct saved *s);

/*
 * Number i of them, in order: by host and device, then op, phase, and time,
 * always first.  They are good until s is changed.
 */
const struct saved_trace *saved_trace(struct saved *s, size_t i);
const struct histogram *saved_histogram(struct saved *s, size_t i,
					struct saved_key *key);

/* writes the file, without empty histograms; 0, or -errno as buf_flush() */
int saved_write(struct saved *s, struct buf *b);

/*
 * The same behind what was written of another set: reading them adds them up.
 */
int saved_write_more(struct saved *s, struct buf *b);

/* nothing is in s any more */
void saved_clear(struct saved *s);

/* frees s; NULL is fine */
void saved_free(struct saved *s);

#endif
