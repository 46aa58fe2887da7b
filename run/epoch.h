/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a trace's clock was 0, by the time of day: how traces of several
 * machines, each with a clock of its own, come into one order.
 */
#ifndef RUN_EPOCH_H
#define RUN_EPOCH_H

#include <stdint.h>

struct event;			/* record/record.h */
struct location;		/* file/location.h */

/*
 * The time of day, in ns since 1970, that is time 0 of the events at a
 * location, by the first time stamp note that is found with the first events
 * of a file.  0; -ENODATA: there is none; or -errno.  A pipe has none, as it
 * cannot be read twice.
 */
int epoch_find(const struct location *at, uint64_t *ns);

/* The time of the first event at a location, on the machine's clock.  The same
 * results. */
int epoch_first(const struct location *at, uint64_t *time);

/* the time of day of a time stamp note, in ns since 1970; 0: it has none */
uint64_t epoch_of_note(const struct event *note);

#endif
