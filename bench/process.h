/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Made recordings: ios of an operation at 1,000 a second, each process with
 * another kind of memory.  Two recordings of one process do not differ; a
 * comparison that says otherwise is wrong.
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"

enum { PROCESS_RATE = 1000 };

/* times of ends in s, spans in ns */
struct process_io {
	double end, span;
};

struct process_run {
	double seconds;
	unsigned int count;
	struct process_io *ios;
};

/* turns independent spans into those of the process */
typedef void process_shape(struct process_run *x, struct random *r,
			   double measure);

struct process {
	const char *name;
	process_shape *shape;	/* NULL: independent */
	double measure;		/* for it */
};

static inline double process_normal(struct random *r)
{
	double radius = sqrt(-2 * log(1 - random_part(r)));

	return radius * cos(2 * M_PI * random_part(r));
}

/* a time between things that happen by chance, every mean s */
static inline double process_wait(struct random *r, double mean)
{
	return -mean * log(1 - random_part(r));
}

/* all spans swing together, and remember for that many s */
static inline void process_waves(struct process_run *x, struct random *r,
				 double memory)
{
	const double step = 0.01;
	double keep = exp(-step / memory), level = process_normal(r);
	double until = step;

	for (unsigned int i = 0; i < x->count; i++) {
		for (; x->ios[i].end >= until; until += step)
			level = keep * level +
				sqrt(1 - keep * keep) * process_normal(r);
		x->ios[i].span *= exp(0.5 * level);
	}
}

/* every 2 s a phase of that many s in which all takes ten times as long */
static inline void process_slow(struct process_run *x, struct random *r,
				double length)
{
	unsigned int i = 0;

	for (double at = process_wait(r, 2); at < x->seconds;
	     at += process_wait(r, 2)) {
		double end = at + process_wait(r, length);

		for (; i < x->count && x->ios[i].end < end; i++)
			if (x->ios[i].end >= at)
				x->ios[i].span *= 10;
	}
}

/* every 5 s nothing is done for that many s */
static inline void process_stalls(struct process_run *x, struct random *r,
				  double length)
{
	unsigned int i = 0;

	for (double at = process_wait(r, 5); at < x->seconds;
	     at += process_wait(r, 5))
		for (; i < x->count && x->ios[i].end < at + length; i++)
			if (x->ios[i].end >= at)
				x->ios[i].span +=
					(at + length - x->ios[i].end) * 1e9;
}

/* spans are waits in a queue, too, whose server is busy that part of time */
static inline void process_queue(struct process_run *x, struct random *r,
				 double load)
{
	/* what independent spans are on the average */
	double mean = 200e3 * exp(0.4 * 0.4 / 2);
	double work = 0, last = 0;

	(void)r;
	for (unsigned int i = 0; i < x->count; i++) {
		struct process_io *io = &x->ios[i];

		work = fmax(0, work - (io->end - last) * 1e9);
		work += io->span / mean * load / PROCESS_RATE * 1e9;
		last = io->end;
		io->span = work;
	}
}

/* ever slower or ever faster, by that exponent over the whole time */
static inline void process_drift(struct process_run *x, struct random *r,
				 double exponent)
{
	double way = random_below(r, 2) ? exponent : -exponent;

	for (unsigned int i = 0; i < x->count; i++)
		x->ios[i].span *= exp(way * x->ios[i].end / x->seconds);
}

static const struct process PROCESSES[] = {
	{ "independent", NULL, 0 },
	{ "waves-50ms", process_waves, 0.05 },
	{ "waves-0.2s", process_waves, 0.2 },
	{ "waves-0.5s", process_waves, 0.5 },
	{ "waves-4s", process_waves, 4 },
	{ "slow-phases", process_slow, 0.1 },
	{ "stalls", process_stalls, 0.2 },
	{ "queue", process_queue, 0.8 },
	{ "drift", process_drift, 0.6 },
	{ NULL, NULL, 0 },
};

/*
 * A recording of so many s, x->ios is to be freed; in the end all spans are
 * multiplied by scale.  No memory: it has no ios.
 */
static inline void process_record(struct process_run *x,
				  const struct process *p, struct random *r,
				  double seconds, double scale)
{
	/* more than this there are once in the age of the universe */
	unsigned int room = (unsigned int)(seconds * PROCESS_RATE * 2) + 100;
	double at = 0;

	*x = (struct process_run){ .seconds = seconds };
	x->ios = calloc(room, sizeof(*x->ios));
	while (x->ios && x->count < room) {
		at += process_wait(r, 1.0 / PROCESS_RATE);
		if (at >= seconds)
			break;
		x->ios[x->count].end = at;
		x->ios[x->count++].span = 200e3 * exp(0.4 * process_normal(r));
	}
	if (p->shape)
		p->shape(x, r, p->measure);
	for (unsigned int i = 0; i < x->count; i++)
		x->ios[i].span *= scale;
}

#endif
