/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which stored runs are kept: those that have ended are removed whole, the one
 * that ended first as the first, when they are too old, too many bytes, or leave
 * too little free space.  A run that is being written stays, as
 * does one whose sender may come back.
 *
 * The work is done in steps, between which the server serves its senders.
 */
#ifndef SERVER_RETENTION_H
#define SERVER_RETENTION_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct report;			/* server/report.h */
struct retention;
struct store;			/* server/store.h */
struct tokens;			/* server/tokens.h */

/* what to keep; 0: no such limit */
struct retention_limits {
	uint64_t age;		/* s since a run's last byte */
	uint64_t bytes;		/* of all runs */
	unsigned int free;	/* percent of the file system, at least */
};

enum {
	RETENTION_EVERY = 60,	/* s from one look at all runs to the next, */
	RETENTION_FULL = 5,	/* or where too little space is free */
	/* A clock that was set forward by more than this many s may be wrong, and
	 * makes all runs old: for a day none is removed by its age. */
	RETENTION_JUMP = 600,
	RETENTION_DOUBT = 24 * 3600,
};

struct retention_options {
	struct store *store;
	const struct tokens *tokens;	/* or NULL */
	struct report *report;
	struct retention_limits limits;
	/* called for each run that was removed, with its sender's name */
	void (*removed)(void *ctx, const char *host, uint64_t bytes,
			uint64_t files);
	void *ctx;
};

/* whether a directory's name is that of a run: HOST-YYYY-MM-DD-HH:MM:SS, also
 * with -NUMBER */
bool retention_is_run(const char *name);

/* NULL: no memory */
struct retention *retention_new(const struct retention_options *o);

/* A step at this time of day, and s of a clock that nobody sets; true: more is to
 * be done at once.  Else the next one is for a second later. */
bool retention_step(struct retention *r, time_t now, time_t steady);

/* runs removed so far, and their bytes */
uint64_t retention_removed(const struct retention *r, uint64_t *bytes);

/* r may be NULL */
void retention_free(struct retention *r);

#endif
