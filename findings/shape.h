/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What requests look like: parts of split ios, pieces one behind the other,
 * borders, and who wrote.  Sums, exactly; sizes in histograms.
 */
#ifndef FINDINGS_SHAPE_H
#define FINDINGS_SHAPE_H

#include "base/histogram.h"
#include "findings/people.h"
#include "findings/served.h"

struct io;			/* request/io.h */

/* borders at 1 << 0 to 1 << 7 sectors, or better */
enum { SHAPE_BORDERS = 8 };

struct shape_stream {		/* reads, writes */
	uint64_t count, merged;	/* requests; ios that joined them */
	uint64_t sequential;	/* begin where their process's last ended */
	struct histogram sizes;	/* of these, bytes */
};

struct shape {
	uint64_t count, bytes;	/* of requests with data */
	uint64_t wholes, parts;
	uint64_t part_bytes;	/* of parts, but those of kworkers */
	struct histogram part_sizes;
	struct shape_stream streams[2];	/* by enum served_op */
	uint64_t writes, write_bytes, kworker_bytes;
	uint64_t borders[SHAPE_BORDERS];	/* writes, by the best border
						 * that both ends lie on */
};

void shape_free(struct shape *h);

/* an io that was split: its parts are records of their own */
void shape_whole(struct shape *h);

/* a request with data; what it is of goes to people; 0, or -ENOMEM */
int shape_add(struct shape *h, struct people *p, const struct served *s,
	      const struct io *io);

/* the same, in the order in which they were queued; 0, or -ENOMEM */
int shape_in_order(struct shape *h, struct people *p, const struct served *s);

/* writes that do not begin and end at multiples of so many bytes */
uint64_t shape_misaligned(const struct shape *h, uint32_t block);

/* the most frequent size of a part, or 0 */
uint64_t shape_part_size(const struct shape *h);

#endif
