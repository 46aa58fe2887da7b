/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the server prints: 1.3.0's lines on a descriptor, and complaints
 * through the program.  Clients cause complaints, so their rate is limited.
 */
#ifndef SERVER_REPORT_H
#define SERVER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/buf.h"

/* --- spool ---------------------------------------------------------------- */

/*
 * Lines for a descriptor that may take none for a while: a pipe that nothing
 * reads, a stopped terminal.  Adding and writing never wait; what finds no
 * room is dropped and counted.
 */

enum {
	SPOOL_MAX = 8 << 20,	/* bytes that wait, at most */
	SPOOL_LINE = 128,	/* bytes of a line, at most */
	SPOOL_LAST_MS = 2000,	/* how long spool_close() waits */
};

struct spool {
	int fd;
	bool own_fd;		/* opened here */
	struct buf text;	/* grows; never written by itself */
	size_t written;		/* of text */
	uint64_t dropped;	/* lines */
	int error;		/* 0, or errno of the first write that failed */
};

/* lines to fd, which stays the caller's, -1: nowhere; 0 or -ENOMEM */
int spool_open(struct spool *s, int fd);

/*
 * Where to append up to so many lines, all of them at once and before the
 * next call on s; NULL: no room, they count as dropped.
 */
struct buf *spool_add(struct spool *s, unsigned int lines);

/* writes as much as the descriptor takes now */
void spool_write(struct spool *s);

/* what to poll for POLLOUT before the next spool_write(); -1: nothing waits */
int spool_fd(const struct spool *s);

/*
 * Writes what is left, and waits some seconds for a slow reader; the rest
 * counts as dropped.  Returns 0, or -errno of the first write that failed.
 */
int spool_close(struct spool *s);

/* --- report --------------------------------------------------------------- */

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
