/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a sample per interval from I/Os, which count in the interval of their
 * end.
 */
#ifndef TOOLS_BLKTOP_SAMPLER_H
#define TOOLS_BLKTOP_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/blktop/sample.h"

struct io;			/* request/io.h */
struct filter;			/* expr/filter.h */
struct ios;			/* request/ios.h */
struct reader;			/* run/reader.h */
struct sampler;

struct sampler_options {
	enum group_key keys[SAMPLE_TABLES];	/* of the tables */
	unsigned int key_count;
	uint64_t from, interval;	/* start, length (not 0), ns */
	/* how many intervals (below 64) one is delayed by for its requests
	 * still in flight, before its depth is a lower bound */
	unsigned int wait;
	bool for_people;	/* names are escaped for a terminal */
	const struct reader *reader;	/* for names and losses */
	const struct ios *ios;	/* NULL: open I/Os are not in the depth */
	struct filter *filter;	/* which open I/Os are; with ios */
};

/* 0 and *s; -ENOMEM */
int sampler_new(struct sampler **s, const struct sampler_options *o);

/*
 * 1: *sample is the next, to be freed by the caller; 0: none is over at now;
 * -ENOMEM.  All times at a device before settled have been added, as for
 * stat/series.
 */
int sampler_next(struct sampler *s, uint64_t settled, uint64_t now,
		 struct sample **sample);

/* the same for the remaining ones, of a trace over at end */
int sampler_last(struct sampler *s, uint64_t end, struct sample **sample);

/*
 * Adds an I/O that completed, or that is open at the end of the trace or window
 * and counts in the depth only, as long as it is certainly open.  So do parts,
 * and what is not in the window; the kernel's own flush requests count apart.
 * Call after sampler_next() returned 0 for a time at or after its end.  0 or
 * -ENOMEM.
 */
int sampler_add(struct sampler *s, const struct io *io, bool in_window);

/* accepts NULL */
void sampler_free(struct sampler *s);

#endif
