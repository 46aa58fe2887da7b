/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why one I/O took so long: what it waited for, step by step, and everything
 * that was in flight meanwhile on its device and on those below.
 *
 * I/Os come in the order of their ends.  Kept are those that may have been in
 * flight together with one that is still open; at most WHY_MOST, the last ones.
 */
#ifndef STAT_WHY_H
#define STAT_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "request/io.h"

enum {
	WHY_MOST = 1 << 18,
	WHY_STEPS = 128,
	WHY_CROWDS = 64,
};

/* an I/O, as far as that needs it */
struct why_io {
	uint64_t id, parent, rq;
	uint64_t time, end;	/* ns; open: until now */
	uint64_t issued, done;	/* at its device, or IO_NONE */
	uint64_t sector, bytes;
	const struct device *disk;
	uint32_t pid, has, depth;
	uint16_t origin;
	uint8_t op;		/* enum io_op */
	bool open;
	uint64_t phase[IO_PHASES];
};

/* who did an operation: on a device, by one name or, without, one pid */
struct why_who {
	const struct device *disk;
	uint32_t pid;
	uint16_t origin;
	uint8_t op;
};

/* what an I/O waited for; the steps of an I/O add up to its total */
struct why_step {
	enum io_phase phase;
	const struct device *disk;	/* of it, or below */
	uint64_t from, ns;
	uint32_t others;	/* requests that had the device meanwhile; in the
				 * device (D2C): at the issue */
	uint32_t most;		/* of these, of one process and operation, */
	struct why_who who;	/* and which */
	uint32_t depth;		/* in the device at once, at most */
};

/* I/Os in flight meanwhile, of one process, operation and device */
struct why_crowd {
	struct why_who who;
	uint64_t count, bytes;
	uint64_t overlap;	/* ns in flight together with it, of all */
	uint32_t first;		/* index of its first I/O */
};

struct why;

/* the name of a process, or NULL; ctx as given to why_new() */
typedef const char *why_name(const void *ctx, uint16_t origin, uint32_t pid);

/* 0 and *w, or -ENOMEM */
int why_new(struct why **w, why_name *name, const void *ctx);

/* Keeps an ended I/O; oldest: when the oldest open one began, or IO_NONE.
 * 0, or -ENOMEM. */
int why_add(struct why *w, const struct io *io, uint64_t oldest);

/* the same of one that is in flight at ns; to be called after all why_add() */
int why_add_open(struct why *w, const struct io *io, uint64_t now);

/* how many were left out for memory */
uint64_t why_dropped(const struct why *w);

struct why_answer {
	struct why_io io;
	struct why_step steps[WHY_STEPS];	/* in order */
	uint32_t step_count;
	struct why_crowd crowds[WHY_CROWDS];	/* most overlap first */
	uint32_t crowd_count;
	uint64_t crowd_more;	/* I/Os of others */
};

/* what an I/O waited for, now that it ended or is open at now: the steps */
void why_explain(const struct why *w, const struct io *io, uint64_t now,
		 struct why_answer *a);

/* and everything in flight meanwhile: the crowds of such an answer */
void why_crowds(const struct why *w, struct why_answer *a);

/* how many I/Os of a crowd were in flight in each of count equal parts of the
 * answer's time */
void why_columns(const struct why *w, const struct why_answer *a,
		 const struct why_crowd *crowd, uint32_t count,
		 uint32_t *columns);

void why_free(struct why *w);

#endif
