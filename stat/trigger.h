/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rule that becomes true while ios come and go: what a flight recorder waits
 * for.
 *
 *	EXPR			of an io when it completes, or of one that is
 *				open, by its age: "error", "age>5s",
 *				"q2c>50ms && op==read"
 *	STAT [where EXPR] > VALUE over TIME
 *				of the ios that have ended in the last TIME
 *	exit			when all is over
 *
 * STAT is one of p50 p90 p99 p99.9 mean max of a measure, "p99(d2c)", in a
 * time; rate, ios a second; count, ios; or depth, how many were at the driver
 * at a time, on average.  A percentile needs 5 ios above it, a mean 5.  TIME
 * moves on by a tenth; a STAT is true once, until it has been false.
 */
#ifndef STAT_TRIGGER_H
#define STAT_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

struct expr_error;		/* expr/error.h */
struct expr_names;		/* expr/matcher.h */
struct io;			/* request/io.h */
struct trigger;

enum { TRIGGER_VALUE = 64 };

/* 0 and *t; -EINVAL and *why; or -ENOMEM */
int trigger_compile(struct trigger **t, const char *text,
		    struct expr_error *why);

/* the text that it was made of */
const char *trigger_text(const struct trigger *t);

/* as expr_set_names() */
void trigger_set_names(struct trigger *t, const struct expr_names *names);

/* whether open ios may make it true */
bool trigger_wants_open(const struct trigger *t);

/* whether it is to be made true by the end */
bool trigger_wants_exit(const struct trigger *t);

/*
 * An io has ended; times, in ns as io->time has them, do not go back.  Whether
 * this makes it true.
 */
bool trigger_io(struct trigger *t, const struct io *io);

/* The same of one that is open, at a time.  Once for each io. */
bool trigger_open(struct trigger *t, const struct io *io, uint64_t now);

/* All ios that have ended before that time were given. */
bool trigger_time(struct trigger *t, uint64_t now);

/* what was there when it became true, for people: "q2c 52.3ms" */
void trigger_value(const struct trigger *t, char text[TRIGGER_VALUE]);

/* frees t; NULL is fine */
void trigger_free(struct trigger *t);

#endif
