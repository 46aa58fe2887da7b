/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io as a report has it: what was asked for, and when it went on.
 *
 * Phases are four, each from the end of the one before: to its request (G), to
 * the scheduler or into another's request (I, M), to the driver (D), to its end
 * (C).  What was not seen takes no time, and its time goes to the next phase,
 * so that they add up to Q2C.
 *
 * Times and spans are in ns.  What time counts from is the caller's; an io may
 * have begun before that, its time is then negative, modulo 2^64.
 */
#ifndef REPORT_ROW_H
#define REPORT_ROW_H

#include <stdbool.h>
#include <stdint.h>

struct io;			/* request/io.h */

enum report_op {
	REPORT_READ,
	REPORT_WRITE,
	REPORT_FLUSH,		/* moves no data: in no total */
	REPORT_DISCARD,
	REPORT_OTHER,		/* zeroes, zones */
	REPORT_OPS
};

/* data: what is read and written; discards and zeroes move none */
static inline bool report_op_is_data(unsigned int op)
{
	return op == REPORT_READ || op == REPORT_WRITE;
}

enum {
	REPORT_HAS_Q = 1,
	REPORT_HAS_D = 2,
	REPORT_MERGED = 4,	/* into the request of another */
	REPORT_FUA = 8,
	REPORT_SYNC = 16,
	REPORT_META = 32,
	REPORT_AHEAD = 64,
	REPORT_FLUSHES = 128,	/* a flush, or with one before its data */
};

enum { REPORT_PHASES = 4 };

struct report_row {
	uint64_t id;		/* the io's: the order of the trace */
	uint64_t time;		/* Q, or the first that was seen of it */
	uint64_t sector, cgroup;
	uint64_t q2g, q2i;	/* from time; 0 where they were not seen */
	uint64_t q2d;		/* plus 1; 0: it was never issued */
	uint64_t end;		/* from D, or from time without one, to the
				 * end, plus 1; 0: not seen */
	uint32_t stream;	/* the caller's to set, as is */
	uint32_t pid;		/* number in report_pids; the same */
	uint32_t blocks;	/* of 512 bytes */
	uint16_t error;		/* errno, or 0 */
	uint8_t flags;
	uint8_t op;		/* enum report_op */
};

/*
 * Whether a report counts an io: parts are in their whole, passthrough commands
 * have no place, and the kernel's own flush requests serve flushes that are
 * counted already.
 */
bool report_row_counts(const struct io *io);

/* *row of an io that counts; one with a gap has no end, as that may be wrong */
void report_row_make(struct report_row *row, const struct io *io);

static inline bool report_row_ended(const struct report_row *row)
{
	return row->end;
}

/* how long it took from its first event to its end; it must have ended */
static inline uint64_t report_row_total(const struct report_row *row)
{
	return (row->q2d ? row->q2d - 1 : 0) + row->end - 1;
}

/* when it began, or 0 if that was earlier */
static inline uint64_t report_row_begin(const struct report_row *row)
{
	return (int64_t)row->time < 0 ? 0 : row->time;
}

/* the same of its D, or without one of its begin */
static inline uint64_t report_row_issued(const struct report_row *row)
{
	uint64_t time = row->time + (row->q2d ? row->q2d - 1 : 0);

	return (int64_t)time < 0 ? 0 : time;
}

/* how long each phase took, of one that ended */
void report_row_phases(const struct report_row *row,
		       uint64_t phases[REPORT_PHASES]);

/* the latencies of one that ended */
enum report_span {
	REPORT_Q2C,		/* as the caller sees it */
	REPORT_D2C,		/* in the device */
	REPORT_Q2D,		/* before it */
	REPORT_SPANS
};

/* whether it has that one, and how long that took */
static inline bool report_row_span(const struct report_row *row,
				   enum report_span span, uint64_t *ns)
{
	static const uint8_t needs[REPORT_SPANS] = {
		REPORT_HAS_Q, REPORT_HAS_D, REPORT_HAS_Q | REPORT_HAS_D
	};

	*ns = span == REPORT_Q2C ? report_row_total(row) :
	      span == REPORT_D2C ? row->end - 1 :
	      row->q2d ? row->q2d - 1 : 0;
	return (row->flags & needs[span]) == needs[span];
}

#endif
