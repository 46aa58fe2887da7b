/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A completed request, reduced to what the rules test.
 */
#ifndef FINDINGS_SERVED_H
#define FINDINGS_SERVED_H

#include <stdbool.h>
#include <stdint.h>

struct io;			/* request/io.h */

/* times of a request, each at most its end */
enum served_moment {
	SERVED_BEGUN,		/* queued; if that is unknown, issued */
	SERVED_WAITS,		/* ready for the device: inserted, else got */
	SERVED_ISSUED,
	SERVED_DONE,
	SERVED_MOMENTS
};

/* operations */
enum served_op {
	SERVED_READ,
	SERVED_WRITE,
	SERVED_DISCARD,
	SERVED_OTHER,
	SERVED_OPS
};

/* classes of sizes: powers of two, from 512 bytes to 16 MiB and more */
enum { SERVED_SIZES = 16 };

/* ns: later times are ignored, so that sums of products fit */
#define SERVED_LATEST ((1ULL << 52) - 2)

struct served {
	uint64_t at[SERVED_MOMENTS];
	uint64_t end;		/* of its io's record */
	uint64_t sector;
	uint32_t bytes;		/* as issued; below 4 GiB */
	uint32_t process;	/* that queued it: processes.h */
	uint8_t op, size;	/* enum served_op; class */
	bool data;		/* it has bytes; else it is a flush */
	bool flush;		/* the kernel's flush request */
	bool part;		/* of an io that was split */
	bool bare;		/* no request: the device makes none */
	bool gap;		/* records were lost meanwhile */
};

/*
 * Makes *s from an io, without the process.  On devices that make no requests
 * (stacked ones) the io is served from its Q to its end.  False: the io is
 * open, merged into another's request, split (its parts are served), or a
 * passthrough command.
 */
bool served_from_io(struct served *s, const struct io *io);

/* the class of a size */
uint8_t served_size(uint32_t bytes);

static inline uint64_t served_device_time(const struct served *s)
{
	return s->at[SERVED_DONE] - s->at[SERVED_ISSUED];
}

/* from its Q, else its D */
static inline uint64_t served_time(const struct served *s)
{
	return s->at[SERVED_DONE] - s->at[SERVED_BEGUN];
}

#endif
