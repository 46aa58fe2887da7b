/* SPDX-License-Identifier: GPL-2.0-only */
/* Simulated disks: servers with one queue, whose I/Os are heard of. */
#ifndef TESTS_UNIT_SERVED_H
#define TESTS_UNIT_SERVED_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/time.h"
#include "request/io.h"

enum {
	QUEUE_MOST = 4096,	/* I/Os at a time */
	QUEUE_SERVERS = 64
};

static uint64_t state;

static inline double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static inline double exponential(double mean)
{
	return -mean * log(uniform());
}

/* one of several servers in front of one queue */
struct queue {
	unsigned int servers;
	double service;		/* ns */
	double jitter;		/* of it: 0 to 1 is uniform, 2 exponential */
	uint64_t now;
	/* hear of I/Os: returns the level; a completed one */
	uint32_t (*come)(void *ctx, uint64_t now);
	void (*done)(void *ctx, const struct io *io, uint64_t now);
	void *ctx;
	/* I/Os by when they came, waiting from first on */
	uint64_t came[QUEUE_MOST];
	uint32_t level[QUEUE_MOST];
	unsigned int first, last;
	/* at a server, or came is 0 */
	struct {
		uint64_t came, ends;
		uint32_t level;
	} at[QUEUE_SERVERS];
};

static inline double service_of(const struct queue *q)
{
	if (q->jitter > 1)
		return exponential(q->service);
	return q->service * (1 + q->jitter * (uniform() - 0.5));
}

static inline void serve_next(struct queue *q)
{
	for (unsigned int i = 0; i < q->servers && q->first < q->last; i++) {
		unsigned int n = q->first % QUEUE_MOST;

		if (q->at[i].came)
			continue;
		q->at[i].came = q->came[n];
		q->at[i].level = q->level[n];
		q->at[i].ends = q->now + 1 + (uint64_t)service_of(q);
		q->first++;
	}
}

static inline void queue_come(struct queue *q)
{
	unsigned int n = q->last++ % QUEUE_MOST;

	assert_true(q->last - q->first < QUEUE_MOST);
	q->came[n] = q->now;
	q->level[n] = q->come(q->ctx, q->now);
	serve_next(q);
}

/* the server that is done first, or -1 */
static inline int next_done(const struct queue *q)
{
	int found = -1;

	for (unsigned int i = 0; i < q->servers; i++)
		if (q->at[i].came &&
		    (found < 0 || q->at[i].ends < q->at[found].ends))
			found = (int)i;
	return found;
}

static inline void queue_complete(struct queue *q, int server)
{
	struct io io = {
		.time = q->at[server].came, .level = q->at[server].level,
		.bytes = 4096, .has = 1u << IO_D2C,
	};

	q->now = q->at[server].ends;
	io.total = q->now - io.time;
	io.phase[IO_D2C] = io.total;
	q->at[server].came = 0;
	q->done(q->ctx, &io, q->now);
	serve_next(q);
}

/* So many at a time, each followed by another one, until a moment, and until all
 * are done. */
static inline void run_closed(struct queue *q, unsigned int depth, double seconds)
{
	uint64_t end = q->now + (uint64_t)(seconds * NS_PER_SECOND);
	int next;

	for (unsigned int i = 0; i < depth; i++)
		queue_come(q);
	while ((next = next_done(q)) >= 0) {
		queue_complete(q, next);
		if (q->now < end)
			queue_come(q);
	}
}

/* so many a second at random */
static inline void run_open(struct queue *q, double rate, double seconds)
{
	uint64_t end = q->now + (uint64_t)(seconds * NS_PER_SECOND);
	uint64_t arrival = q->now;

	while (q->now < end) {
		int next = next_done(q);

		if (next >= 0 && q->at[next].ends <= arrival) {
			queue_complete(q, next);
			continue;
		}
		q->now = arrival;
		queue_come(q);
		arrival += 1 + (uint64_t)exponential(NS_PER_SECOND / rate);
	}
}

#endif
