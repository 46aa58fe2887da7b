/* SPDX-License-Identifier: GPL-2.0-only */
/* The submitting threads' barrier; see barrier.h. */
#include "base/thread.h"
#include "base/time.h"
#include "tools/btreplay/barrier.h"

enum { LOOK = 50000000 };

void barrier_init(struct barrier *g)
{
	*g = (struct barrier){ 0 };
	pthread_mutex_init(&g->lock, NULL);
	thread_cond_init(&g->moved);
}

void barrier_free(struct barrier *g)
{
	pthread_mutex_destroy(&g->lock);
	pthread_cond_destroy(&g->moved);
}

/* With the lock: until a change, or for a while. */
static void wait_a_while(struct barrier *g)
{
	struct timespec t = time_to_timespec(time_now() + LOOK);

	pthread_cond_timedwait(&g->moved, &g->lock, &t);
}

void barrier_arrive(struct barrier *g, uint64_t last)
{
	pthread_mutex_lock(&g->lock);
	g->arrived++;
	if (last > g->latest)
		g->latest = last;
	pthread_cond_broadcast(&g->moved);
	pthread_mutex_unlock(&g->lock);
}

bool barrier_wait_open(struct barrier *g, unsigned int n, uint64_t *origin,
		       const atomic_bool *halt)
{
	bool open;

	pthread_mutex_lock(&g->lock);
	while (g->opened < n && !atomic_load(halt))
		wait_a_while(g);
	open = g->opened >= n;
	*origin = g->origin;
	pthread_mutex_unlock(&g->lock);
	return open;
}

bool barrier_wait_arrived(struct barrier *g, unsigned int arrived)
{
	bool there;

	pthread_mutex_lock(&g->lock);
	if (g->arrived < arrived)
		wait_a_while(g);
	there = g->arrived >= arrived;
	pthread_mutex_unlock(&g->lock);
	return there;
}

void barrier_open(struct barrier *g, uint64_t origin)
{
	pthread_mutex_lock(&g->lock);
	g->opened++;
	g->origin = g->latest = origin;
	pthread_cond_broadcast(&g->moved);
	pthread_mutex_unlock(&g->lock);
}

void barrier_add(struct barrier *g, uint64_t last)
{
	pthread_mutex_lock(&g->lock);
	if (last > g->latest)
		g->latest = last;
	pthread_mutex_unlock(&g->lock);
}

uint64_t barrier_length(struct barrier *g)
{
	uint64_t length;

	pthread_mutex_lock(&g->lock);
	length = g->latest - g->origin;
	pthread_mutex_unlock(&g->lock);
	return length;
}
