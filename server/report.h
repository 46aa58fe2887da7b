/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The server's output: 1.3.0's lines to a descriptor, and complaints through
 * the program, with a limited rate, as clients cause them.
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
 * A queue of lines for a descriptor that may block: an unread pipe, a stopped
 * terminal.  Adding and writing never wait; lines without room are dropped and
 * counted.
 */

enum {
	SPOOL_MAX = 8 << 20,	/* bytes waiting, at most */
	SPOOL_LINE = 128,	/* bytes of a line, at most */
	SPOOL_LAST_MS = 2000,	/* wait of spool_close() */
};

struct spool {
	int fd;
	bool own_fd;		/* opened here */
	struct buf text;	/* grows; not flushed by itself */
	size_t written;		/* of text */
	uint64_t dropped;	/* lines */
	int error;		/* errno of the first failed write, or 0 */
};

/* lines to fd, which the caller closes, -1: nowhere; 0 or -ENOMEM */
int spool_open(struct spool *s, int fd);

/* where to append up to that many lines at once, before the next call on s;
 * NULL: no room, counts them as dropped */
struct buf *spool_add(struct spool *s, unsigned int lines);

/* writes as much as the descriptor takes now */
void spool_write(struct spool *s);

/* to poll for POLLOUT before the next spool_write(); -1: no lines wait */
int spool_fd(const struct spool *s);

/* writes the rest, waiting up to SPOOL_LAST_MS, and counts what remains as
 * dropped; 0, or -errno of the first failed write */
int spool_close(struct spool *s);

/* --- report --------------------------------------------------------------- */

/* complaints a second; the others are counted */
enum { REPORT_RATE = 50 };

/* how the program prints; false: not possible now, without waiting */
struct server_reporter {
	void *ctx;
	/* a complaint, one line without its newline */
	bool (*line)(void *ctx, const char *text);
	/* at a run's end: its records, and those that the kernel dropped */
	bool (*drops)(void *ctx, uint64_t events, uint64_t drops);
};

struct report {
	const struct server_reporter *to;
	struct spool out;	/* 1.3.0's lines */
	bool full;		/* reported */
	bool verbose;
	time_t second;		/* the current one */
	unsigned int printed;	/* complaints in it */
	unsigned int left_out;	/* complaints, not reported yet */
};

/* lines to fd, complaints to *to, and notes if verbose; 0; -ENOMEM: only
 * report_warn() works */
int report_open(struct report *r, int fd, const struct server_reporter *to,
		bool verbose);

/* where to append that many of 1.3.0's lines at once; NULL: dropped */
struct buf *report_lines(struct report *r, unsigned int lines);

/* a complaint, left out if there are too many */
void report_warn(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* the same, if verbose */
void report_note(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* the drops of a run, if there are any */
void report_drops(struct report *r, uint64_t events, uint64_t drops);

/* reports complaints left out; call every second, and at the end */
void report_flush(struct report *r);

/* writes waiting lines and reports dropped ones; 0; or, reported, -errno of the
 * first failed write, -ENOBUFS: lines were dropped */
int report_close(struct report *r);

#endif
