/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parcels of one size that a thread fills and another one empties, in order, by
 * reference.  Their number is bounded: who is faster waits.  A lock is taken for
 * each parcel, so put much into one.
 *
 * Whose turn it is at one end may change between threads, if one is known to have
 * stopped before the other begins.
 */
#ifndef BASE_CONVEYOR_H
#define BASE_CONVEYOR_H

#include <stdbool.h>
#include <stddef.h>

struct conveyor;

/* parcels: at least 2, of size bytes, not cleared, at the start of cache lines.  0
 * and *c, or -ENOMEM */
int conveyor_new(struct conveyor **c, unsigned int parcels, size_t size);

/* Starts a thread that fills, which conveyor_free() waits for.  0; -EAGAIN: none. */
int conveyor_start(struct conveyor *c, void *(*run)(void *arg), void *arg);

/* --- who fills */

/* The next parcel, the same until it is sent; waits for one.  NULL: the other end
 * takes no more. */
void *conveyor_fill(struct conveyor *c);

/* hands on what conveyor_fill() returned */
void conveyor_send(struct conveyor *c);

/* Waits until the other end has emptied all that was sent and waits for more: until
 * the next parcel is sent it does nothing.  false: it takes no more. */
bool conveyor_settle(struct conveyor *c);

/* whether conveyor_stop() was called */
bool conveyor_stopped(const struct conveyor *c);

/* There is no more. */
void conveyor_end(struct conveyor *c);

/* --- who empties */

/* asks the other end to send no more than it has */
void conveyor_stop(struct conveyor *c);

/* Gives the last parcel back and waits for the next; NULL: there is no more, and
 * what the other end wrote before is seen. */
void *conveyor_take(struct conveyor *c);

/* Takes no more. */
void conveyor_close(struct conveyor *c);

/* Stops and closes; its thread ends first.  Else both ends are done.  NULL is fine */
void conveyor_free(struct conveyor *c);

#endif
