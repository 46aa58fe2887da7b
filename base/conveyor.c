/* SPDX-License-Identifier: GPL-2.0-only */
/* Parcels from one thread to another; see conveyor.h. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/conveyor.h"
#include "base/thread.h"

enum { LINE = 64 };		/* of a cache */

struct conveyor {
	pthread_mutex_t lock;	/* of all that follows but the parcels */
	pthread_cond_t sent, emptied;
	unsigned int count;
	uint64_t filled, taken;	/* parcels sent and given back, in all */
	bool held;		/* the next to be given back is in use */
	bool waiting;		/* for a parcel */
	bool ended, closed;
	atomic_bool stop;
	bool started;
	pthread_t thread;	/* that fills, if it was started */
	size_t size;
	uint8_t *parcels;
};

int conveyor_new(struct conveyor **out, unsigned int parcels, size_t size)
{
	struct conveyor *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c)
		return -ENOMEM;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->sent, NULL);
	pthread_cond_init(&c->emptied, NULL);
	c->count = parcels;
	c->size = (size + LINE - 1) / LINE * LINE;
	c->parcels = aligned_alloc(LINE, parcels * c->size);
	if (c->parcels)
		return 0;
	conveyor_free(c);
	*out = NULL;
	return -ENOMEM;
}

int conveyor_start(struct conveyor *c, void *(*run)(void *arg), void *arg)
{
	int err = thread_start(&c->thread, run, arg);

	c->started = !err;
	return err;
}

static void *parcel(const struct conveyor *c, uint64_t n)
{
	return c->parcels + n % c->count * c->size;
}

/* --- who fills ------------------------------------------------------------ */

/* One that had to wait goes on when half are empty, so that it need not wait again
 * soon: each wait costs as much as hundreds of events. */
void *conveyor_fill(struct conveyor *c)
{
	bool closed;

	pthread_mutex_lock(&c->lock);
	if (c->filled - c->taken == c->count)
		while (c->filled - c->taken > c->count / 2 && !c->closed)
			pthread_cond_wait(&c->emptied, &c->lock);
	closed = c->closed;
	pthread_mutex_unlock(&c->lock);
	return closed ? NULL : parcel(c, c->filled);
}

void conveyor_send(struct conveyor *c)
{
	pthread_mutex_lock(&c->lock);
	c->filled++;
	if (c->waiting)
		pthread_cond_signal(&c->sent);
	pthread_mutex_unlock(&c->lock);
}

bool conveyor_settle(struct conveyor *c)
{
	bool closed;

	pthread_mutex_lock(&c->lock);
	while (!(c->filled == c->taken && c->waiting) && !c->closed)
		pthread_cond_wait(&c->emptied, &c->lock);
	closed = c->closed;
	pthread_mutex_unlock(&c->lock);
	return !closed;
}

bool conveyor_stopped(const struct conveyor *c)
{
	return atomic_load_explicit(&c->stop, memory_order_relaxed);
}

void conveyor_end(struct conveyor *c)
{
	pthread_mutex_lock(&c->lock);
	c->ended = true;
	pthread_cond_signal(&c->sent);
	pthread_mutex_unlock(&c->lock);
}

/* --- who empties ---------------------------------------------------------- */

void conveyor_stop(struct conveyor *c)
{
	atomic_store_explicit(&c->stop, true, memory_order_relaxed);
}

static void wait_for_parcel(struct conveyor *c)
{
	c->waiting = true;
	pthread_cond_signal(&c->emptied);
	while (c->filled == c->taken && !c->ended)
		pthread_cond_wait(&c->sent, &c->lock);
	c->waiting = false;
}

void *conveyor_take(struct conveyor *c)
{
	pthread_mutex_lock(&c->lock);
	if (c->held) {
		c->taken++;
		if (c->filled - c->taken == c->count / 2)
			pthread_cond_signal(&c->emptied);
	}
	if (c->filled == c->taken && !c->ended)
		wait_for_parcel(c);
	c->held = c->filled != c->taken;
	pthread_mutex_unlock(&c->lock);
	return c->held ? parcel(c, c->taken) : NULL;
}

void conveyor_close(struct conveyor *c)
{
	pthread_mutex_lock(&c->lock);
	c->closed = true;
	pthread_cond_signal(&c->emptied);
	pthread_mutex_unlock(&c->lock);
}

void conveyor_free(struct conveyor *c)
{
	if (!c)
		return;
	conveyor_stop(c);
	conveyor_close(c);
	if (c->started)
		pthread_join(c->thread, NULL);
	pthread_cond_destroy(&c->emptied);
	pthread_cond_destroy(&c->sent);
	pthread_mutex_destroy(&c->lock);
	free(c->parcels);
	free(c);
}
