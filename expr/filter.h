/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which ios are counted: by category (-a, -A) and by expression (--where).
 */
#ifndef EXPR_FILTER_H
#define EXPR_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hint.h"
#include "blktrace.h"
#include "request/io.h"
#include "run/window.h"

struct expr;			/* expr/expr.h */
struct reader;			/* run/reader.h */

enum { FILTER_NAME_MAX = 256 };

/* categories that an io has; the others are steps of its way */
#define FILTER_KINDS \
	(BLK_TC_BIT(BLK_TC_READ) | BLK_TC_BIT(BLK_TC_WRITE) | \
	 BLK_TC_BIT(BLK_TC_FLUSH) | BLK_TC_BIT(BLK_TC_SYNC) | \
	 BLK_TC_BIT(BLK_TC_PC) | BLK_TC_BIT(BLK_TC_AHEAD) | \
	 BLK_TC_BIT(BLK_TC_META) | BLK_TC_BIT(BLK_TC_DISCARD) | \
	 BLK_TC_BIT(BLK_TC_FUA) | ~(BLK_TC_BIT(BLK_TC_FUA + 1) - 1))

struct filter {
	uint32_t mask;		/* UINT32_MAX: all categories */
	struct expr *where;	/* or NULL */
	const struct reader *reader;	/* knows the names */
	char device[FILTER_NAME_MAX];	/* the last that was asked for */
};

/* *f stays where it is; where stays the caller's */
void filter_init(struct filter *f, uint32_t mask, struct expr *where,
		 const struct reader *reader);

/* whether anything is left out */
static inline bool filter_is_on(const struct filter *f)
{
	return f->mask != UINT32_MAX || f->where;
}

/* slow path of filter_passes(); now: ios that are open are so old then */
bool filter_match(struct filter *f, const struct io *io, uint64_t now);

/* whether an io passes both */
static inline bool filter_passes(struct filter *f, const struct io *io,
				 uint64_t now)
{
	return !filter_is_on(f) || filter_match(f, io, now);
}

/*
 * Whether it stands for a request: what the driver gets; of a device that makes
 * none, an io.  An empty flush leads one that never gets there: the kernel's own
 * flush request does.
 */
static inline bool filter_is_request(const struct io *io)
{
	if (LIKELY(io_leads(io)))
		return io->kind == IO_FLUSH || io->issues || !io->flush;
	return !io->rq && io->bio_based && io->kind == IO_BIO;
}

/*
 * Whether it is counted by itself: as a request, or as an io.  Parts are in
 * their whole.  The kernel's own flush requests are no ios: each serves some
 * that are.
 */
static inline bool filter_is_unit(bool per_request, const struct io *io)
{
	if (per_request)
		return filter_is_request(io);
	return io->link != IO_SPLIT && io->kind != IO_FLUSH;
}

#endif
