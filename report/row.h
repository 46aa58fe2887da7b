/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io in a report: its operation, place and times.
 *
 * The four phases follow each other: to its request (G), to the scheduler or
 * into another's request (I, M), to the driver (D), to its end (C).  The time
 * of an unseen phase belongs to the next one, so they add up to Q2C.
 *
 * Times and spans are in ns.  The caller chooses time 0; an io that started
 * earlier has a negative time, modulo 2^64.
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

/* data is read or written; discards and zeroes move none */
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
	uint64_t time;		/* Q, or its first event */
	uint64_t sector, cgroup;
	uint64_t q2g, q2i;	/* from time; 0: not seen */
	uint64_t q2d;		/* plus 1; 0: it was never issued */
	uint64_t end;		/* from D, or from time without one, to the
				 * end, plus 1; 0: not seen */
	uint32_t stream;	/* the caller sets it, and */
	uint32_t pid;		/* the number in report_pids */
	uint32_t blocks;	/* of 512 bytes */
	uint16_t error;		/* errno, or 0 */
	uint8_t flags;
	uint8_t op;		/* enum report_op */
};

/*
 * Whether a report counts an io: no parts, which their parent counts; no
 * passthrough commands, which have no sector; no flush requests of the kernel,
 * which serve counted flushes.
 */
bool report_row_counts(const struct io *io);

/* *row of an io that counts; with a gap it has no end, as that may be wrong */
void report_row_make(struct report_row *row, const struct io *io);

static inline bool report_row_ended(const struct report_row *row)
{
	return row->end;
}

/* time from its first event to its end; it must have ended */
static inline uint64_t report_row_total(const struct report_row *row)
{
	return (row->q2d ? row->q2d - 1 : 0) + row->end - 1;
}

/* its start, or 0 if that was earlier */
static inline uint64_t report_row_begin(const struct report_row *row)
{
	return (int64_t)row->time < 0 ? 0 : row->time;
}

/* the same for its D, or without one for its start */
static inline uint64_t report_row_issued(const struct report_row *row)
{
	uint64_t time = row->time + (row->q2d ? row->q2d - 1 : 0);

	return (int64_t)time < 0 ? 0 : time;
}

/* the latencies of an ended io */
enum report_span {
	REPORT_Q2C,		/* as the caller sees it */
	REPORT_D2C,		/* in the device */
	REPORT_Q2D,		/* before it */
	REPORT_SPANS
};

/* whether it has that latency, which is *ns */
static inline bool report_row_span(const struct report_row *row,
				   enum report_span span, uint64_t *ns)
{
	unsigned int needs = span == REPORT_Q2C ? REPORT_HAS_Q :
			     span == REPORT_D2C ? REPORT_HAS_D :
						  REPORT_HAS_Q | REPORT_HAS_D;

	*ns = span == REPORT_Q2C ? report_row_total(row) :
	      span == REPORT_D2C ? row->end - 1 :
	      row->q2d ? row->q2d - 1 : 0;
	return (row->flags & needs) == needs;
}

/* an ended io's times, for all that adds them up */
struct report_times {
	uint64_t end;		/* on the clock of its time */
	uint64_t issued;	/* its D, as report_row_issued() */
	uint64_t spans[REPORT_SPANS];	/* 0 if it has none; */
	bool has[REPORT_SPANS];	/* whether it does */
	uint64_t phases[REPORT_PHASES];
};

static inline void report_row_times(struct report_times *t,
				    const struct report_row *row)
{
	uint64_t total = report_row_total(row), d2c = row->end - 1;
	uint64_t before = total - d2c;	/* until D */
	uint64_t q2d = row->q2d ? before : row->q2i;
	bool has_q = row->flags & REPORT_HAS_Q;
	bool has_d = row->flags & REPORT_HAS_D;

	t->end = row->time + total;
	t->issued = (int64_t)(row->time + before) < 0 ? 0 : row->time + before;
	t->has[REPORT_Q2C] = has_q;
	t->has[REPORT_D2C] = has_d;
	t->has[REPORT_Q2D] = has_q && has_d;
	t->spans[REPORT_Q2C] = has_q ? total : 0;
	t->spans[REPORT_D2C] = has_d ? d2c : 0;
	t->spans[REPORT_Q2D] = has_q && has_d ? before : 0;
	t->phases[0] = row->q2g;
	t->phases[1] = row->q2i - row->q2g;
	t->phases[2] = q2d - row->q2i;
	t->phases[3] = total - q2d;
}

#endif
