/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the server prints: 1.3.0's lines on a descriptor, and complaints
 * through the program.  Clients cause complaints, so their rate is limited.
 */
#ifndef SERVER_REPORT_H
#define SERVER_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "server/spool.h"

/* complaints a second; the others are counted */
enum { REPORT_RATE = 50 };

/* how the program prints; false: it could not do so now, and did not wait */
struct server_reporter {
	void *ctx;
	/* a complaint, one line without its newline */
	bool (*line)(void *ctx, const char *text);
	/* a run has ended: its records, and those that the kernel dropped */
	bool (*drops)(void *ctx, uint64_t events, uint64_t drops);
};

struct report {
	const struct server_reporter *to;
	struct spool out;	/* 1.3.0's lines */
	bool full;		/* that has been reported */
	bool verbose;
	time_t second;		/* the one that is being counted in */
	unsigned int printed;	/* complaints in it */
	unsigned int left_out;	/* not reported yet */
};

/*
 * Lines to the descriptor, complaints to *to, and notes if verbose.  0; or
 * -ENOMEM, then there is only report_warn().
 */
int report_open(struct report *r, int fd, const struct server_reporter *to,
		bool verbose);

/* where to append so many of 1.3.0's lines at once; NULL: they are dropped */
struct buf *report_lines(struct report *r, unsigned int lines);

/* a complaint, which is left out if there are too many */
void report_warn(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* the same, if verbose */
void report_note(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* the drops of a run, if there are any */
void report_drops(struct report *r, uint64_t events, uint64_t drops);

/* how many complaints were left out; called every second, and at the end */
void report_flush(struct report *r);

/*
 * Writes what waits and reports what was dropped.  0; or, reported as well,
 * -errno of the first write that failed, -ENOBUFS if lines were dropped.
 */
int report_close(struct report *r);

#endif
