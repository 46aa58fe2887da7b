/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capacity of each device of a run: its levels, and what it was asked for.
 */
#ifndef CAPACITY_CAPACITY_H
#define CAPACITY_CAPACITY_H

#include <stdint.h>

#include "capacity/headroom.h"
#include "capacity/knee.h"
#include "capacity/levels.h"
#include "capacity/limits.h"
#include "capacity/mix.h"

struct capacity;
struct io;			/* request/io.h */
struct level_watcher;		/* request/level_watcher.h */
struct window;			/* run/window.h */

/* devices; of further ones nothing is kept */
enum { CAPACITY_DEVICES = 64 };

/* what follows from the rest, after the end */
struct capacity_facts {
	struct levels_sums sums;
	struct knee knee;
	struct headroom headroom;
	struct limits limits;
};

struct capacity_device {
	struct levels *levels;	/* NULL: the device had no I/O */
	uint32_t number;	/* as recorded: major and minor */
	struct mix mix;
	struct capacity_facts facts;
};

/* target: of latency, ns; 0: none.  0 and *c, or -ENOMEM */
int capacity_new(struct capacity **c, const struct window *w, uint64_t target);

/* for ios_watch_levels() */
const struct level_watcher *capacity_watcher(const struct capacity *c);

/* Adds each record.  0, -ENOMEM, -EOVERFLOW. */
int capacity_add(struct capacity *c, const struct io *io);

/* The trace, or the part of it that is read, ends: finds the facts.  0 or
 * -ENOMEM. */
int capacity_end(struct capacity *c, uint64_t end);

/* By the device's id, below capacity_count(); NULL: it had no I/O, or there were
 * too many devices. */
const struct capacity_device *capacity_of(const struct capacity *c,
					  uint32_t device);
uint32_t capacity_count(const struct capacity *c);

/* NULL is fine */
void capacity_free(struct capacity *c);

#endif
