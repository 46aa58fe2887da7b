/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters I/Os by category (-a, -A) and by expression (--where). */
#ifndef EXPR_FILTER_H
#define EXPR_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "blktrace.h"
#include "request/io.h"

struct expr;			/* expr/expr.h */
struct reader;			/* run/reader.h */

enum { FILTER_NAME_MAX = 256 };

/* categories of I/Os; the others are of events */
#define FILTER_KINDS \
	(BLK_TC_BIT(BLK_TC_READ) | BLK_TC_BIT(BLK_TC_WRITE) | \
	 BLK_TC_BIT(BLK_TC_FLUSH) | BLK_TC_BIT(BLK_TC_SYNC) | \
	 BLK_TC_BIT(BLK_TC_PC) | BLK_TC_BIT(BLK_TC_AHEAD) | \
	 BLK_TC_BIT(BLK_TC_META) | BLK_TC_BIT(BLK_TC_DISCARD) | \
	 BLK_TC_BIT(BLK_TC_FUA) | ~(BLK_TC_BIT(BLK_TC_FUA + 1) - 1))

struct filter {
	uint32_t mask;		/* UINT32_MAX: all categories */
	struct expr *where;	/* or NULL */
	const struct reader *reader;	/* for names */
	char device[FILTER_NAME_MAX];	/* the last device's name */
};

/* f must not move; the caller frees where, after it */
void filter_init(struct filter *f, uint32_t mask, struct expr *where,
		 const struct reader *reader);

/* whether it may reject I/Os */
static inline bool filter_is_on(const struct filter *f)
{
	return f->mask != UINT32_MAX || f->where;
}

/* slow path of filter_passes() */
bool filter_match(struct filter *f, const struct io *io, uint64_t now);

/* whether an I/O passes both; now is as for expr_matches() */
static inline bool filter_passes(struct filter *f, const struct io *io,
				 uint64_t now)
{
	return !filter_is_on(f) || filter_match(f, io, now);
}

/*
 * Whether it stands for a request to the driver, or for itself on a device
 * without requests.  The request of an empty flush is not issued: the kernel's
 * own flush request is.
 */
static inline bool filter_is_request(const struct io *io)
{
	if (LIKELY(io_leads(io)))
		return io->kind == IO_FLUSH || io->issues || !io->flush;
	return !io->rq && io->bio_based && io->kind == IO_BIO;
}

/*
 * Whether it counts, as a request or as an I/O.  Parts of a split I/O do not
 * count as I/Os, nor does the kernel's own flush request, which serves others.
 */
static inline bool filter_is_unit(bool per_request, const struct io *io)
{
	if (per_request)
		return filter_is_request(io);
	return io->link != IO_SPLIT && io->kind != IO_FLUSH;
}

#endif
