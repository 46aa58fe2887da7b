/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A condition over I/Os that fires when it becomes true, for the flight
 * recorder.
 *
 *	EXPR			of an I/O when it completes, or by its age while
 *				it is open: "error", "age>5s",
 *				"q2c>50ms && op==read"
 *	STAT [where EXPR] > VALUE over TIME
 *				of the I/Os that ended in the last TIME
 *	exit			at the end of the capture
 *
 * STAT is p50, p90, p99, p99.9, mean or max of a measure, as "p99(d2c)",
 * against a time; rate (I/Os per second); count (I/Os); or depth (mean at the
 * driver).  A percentile needs 5 I/Os above it, a mean 5.  TIME moves in steps
 * of a tenth.  A STAT fires again only after it was false.
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

/* its source text */
const char *trigger_text(const struct trigger *t);

/* as expr_set_names() */
void trigger_set_names(struct trigger *t, const struct expr_names *names);

/* whether open I/Os can fire it */
bool trigger_wants_open(const struct trigger *t);

/* whether the end of the capture fires it */
bool trigger_wants_exit(const struct trigger *t);

/* Adds an I/O that ended; returns whether it fires.  Times never decrease. */
bool trigger_io(struct trigger *t, const struct io *io);

/* The same for an open I/O, at a time.  Fires once for each I/O. */
bool trigger_open(struct trigger *t, const struct io *io, uint64_t now);

/* Moves to now, after all I/Os that ended before it were added; the same. */
bool trigger_time(struct trigger *t, uint64_t now);

/* why it fired, for people: "q2c 52.3ms" */
void trigger_value(const struct trigger *t, char text[TRIGGER_VALUE]);

/* frees t; NULL is fine */
void trigger_free(struct trigger *t);

#endif
